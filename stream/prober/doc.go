// Package prober tries the likely rules of sites on the sites themselves: it drives the
// machines of package lifecycle with documents of package fetch.
//
//	loop ──candidates──> Turns ──turn──> site's machine ──pair──> fetch ──documents──> outcome ──┐
//	  ^ └──window────────────────────────────^ ^                                                 │
//	  └──acts, publications────────────────────┴─────────────────────────────────────────────────┘
//
// # One owner
//
// A site has one owner at a time: whoever its inbox lets in (package inbox). A turn owns the site while it chooses a
// pair, and again when it judges the pages, but not while it fetches. What comes meanwhile waits in the inbox, in
// order: an offer, a page, a decision, a question. So a page that arrives while a view is derived is judged next,
// before the next choice, and keeps its turn until then. A question waits for two seconds, and is then withdrawn:
// a caller who hears that the site is busy knows that nothing was done.
//
// Others never wait for a site to see it. They read its snapshot, which is never changed and is replaced whenever an
// owner leaves. Acts leave with it, for the next checkpoint.
//
// Turns has one lock, for what all sites of a process share: the requests, the memory of views, and who is next.
//
// The owner is the site's inbox and not the goroutine of the loop, although the loop owns the window. To choose a pair
// takes up to a second. As work of the loop nearly all of it would be lent to other goroutines and taken back, with
// rules for what is saved meanwhile; and the command validate, which has no loop, would need one.
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
