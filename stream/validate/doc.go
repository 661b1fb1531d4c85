// Package validate tries the likely rules of sites on the sites themselves: it
// drives the machines of package validator with documents of package fetch.
//
//	loop ──window, candidates──> site's machine ──pair──> fetch ──documents──> outcome ──┐
//	  ^                               ^                                                  │
//	  └──acts, publications───────────┴──────────────────────────────────────────────────┘
//
// # Who does what
//
// The loop owns what is mined. Now and then it gives a site's window here
// (Wants, Give), and with each checkpoint it takes the acts: what was done and
// learned since the last (Take). Only when they are saved does it publish what is
// among them, so nothing is published twice with different content under one
// sequence, be the process killed at any moment. What was not saved is done again.
//
// A site with something to try has a goroutine; at most Options.Sites at a time
// have one. It ends when nothing is left to try, and the next window wakes it.
// Politeness is the Fetcher's: here nothing is asked of it twice at once for a
// site.
//
// # When requests are few
//
// A set of rules is published only after its own trial, so some requests are kept for
// that: of a site's hour (Reserve), and of all requests (Kept), the latter only while a
// site owes a publication. Then no site tries rules. What is not needed is given back:
// the sites that owe nothing any more go on with the trials under way.
//
// # What two pages say
//
// The machine judges a pair by what its documents show: see compare. A negative is looked
// at again with new documents, which also tells how much the two pages differ from
// themselves. A page that was fetched twice within the hour is not fetched a third time.
package validate
