// Package loop is the daemon's run loop: one goroutine, the host of all sites of a log or of a partition.
// The loop folds batches from the inputs, emits events and rules, and saves the state.
//
//	source ──batches──> fold ──> sites ──pairs──────────────> events   after each batch
//	                      │        └──view──> phase 2 ──────> rule list  each Refine
//	                      └──positions, what has changed────> journal    each Checkpoint
//
// # Who owns what
//
// Everything that is known of a site's log is one site.Site, and the loop alone calls it. Other goroutines
// get copies, and immutable States. A site stands in a line for what the loop has still to do with it: pairs
// to tell, learners to bring up to date, a view, a look.
//
// # No long stops
//
// Lines are read while a large window is mined. The loop does work over a whole window in slices,
// between two batches (slices.go): learners take in changed URLs, and the clients of a new pair are
// looked for. Or the loop copies the window, in 30 to 60 ms for a million URLs, and a job (package job) works
// on the copy: phase 2 and withholding, looks, checkpoints, lists. A job ends in the loop's inbox, between two
// batches. The result of a refinement is that of the batch algorithm over the window at the time of the copy.
// Its events are the difference to what readers hold, without the pairs that have crossed since: those were
// emitted when they crossed.
//
// The learners of a window in which nothing has changed for five to ten minutes release their indexes. The
// next change builds the indexes again, in slices.
//
// # A checkpoint
//
// Events are emitted before the checkpoint that contains their cause. A crash may repeat an
// event but never loses one. Changed observations, and the positions up to which the lines
// of these observations were read, go into one checkpoint of the journal. So after a crash
// exactly the lines missing from the table are read again. Folding a line twice would do no
// harm; losing a line would.
//
// A job writes the checkpoint, unless the store is that of a partition. A checkpoint that fails (a
// full disk) is not acknowledged. The loop reports the failure, marks the changes as not saved, and the
// next checkpoint saves them.
//
// # Parts
//
// The announcer and the lister feed the sinks. Package checkpoint saves the parts of the
// state: the cuts of windows, the tables, and the acts of rules' lives. A loop whose tables
// are made of the source again has all of these parts but the tables: see NewDerived.
//
// # Looks
//
// Some learners look at the whole window of a site (package site): in one job of the process at a time, at
// most every Learn, and only if the window has changed.
//
// # Catching up
//
// The loop emits nothing until the lines present at the start have been read. Otherwise
// readers would see old rules come and go. Then the loop emits a snapshot of each site,
// which replaces the rules held by readers, because a crash may have lost the event of a
// rule's fading.
//
// # Sinks that fail
//
// The loop waits a short time for a sink, then goes on without it. Events are the
// difference between the rules held by readers and the likely rules. So the loop keeps no
// queue of events: the next refinement computes the difference anew.
//
// # What readers hold
//
// A rule that is withheld is in no event and in no list (package site). So after a refinement readers hold
// exactly the rules that were likely and not withheld in its views, and the pairs that have crossed since.
package loop
