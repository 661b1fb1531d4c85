// Package prober tries the likely rules of sites on the sites themselves: it drives the
// machines of package lifecycle with documents of package fetch.
//
//	loop ──candidates──> Turns ──turn──> site's machine ──pair──> fetch ──documents──> outcome ──┐
//	  ^ └──window────────────────────────────^ ^                                                 │
//	  └──acts, publications────────────────────┴─────────────────────────────────────────────────┘
//
// # Division of work
//
// The loop owns the mined data. Now and then it offers a site's candidates to the Worker
// (Needs, Offer). With each checkpoint it drains the acts: the work and results since
// the last one (Drain). Publications among them go out only after all are saved. So no two
// publications with different content have the same sequence number, even if the process is
// killed at any moment. Work that was not saved is done again.
//
// A site waits for a turn without a window in memory. In its turn, a goroutine fetches one pair and
// ends. The worker asks for the window if the machine has none, or an old one (Windows). Turns are
// given when the Fetcher may make a request, to the site whose request brings most: see package
// turns. The Fetcher decides about politeness: the Worker sends it one request at a time for a site.
//
// # Memory
//
// A site without a view takes 2.5 KB. Turns bounds the memory of all views, and drops those used
// least recently.
//
// # When requests are few
//
// Rules are published only after a trial of the whole set. So some requests are kept for
// these trials: of a site's hour (Reserve), and of all requests (Kept), the latter only while
// some site owes a publication. While only kept requests are left, no rule's trial begins,
// and one under way may take half of them. Unused kept requests are released: sites that no
// longer owe a publication continue the trials under way.
//
// # The result of a pair
//
// The machine judges two URLs by the contents of their documents: see compare. For a negative
// pair, new documents are fetched, which also show how much the two pages differ from
// themselves. A page fetched twice within the hour is not fetched a third time.
package prober
