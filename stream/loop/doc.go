// Package loop is the daemon's run loop: one goroutine that owns the machines of
// all sites, folds what the inputs bring, tells what follows from it, and saves.
//
//	source ──batches──> fold ──> machines ──pairs────────────> events   after each batch
//	                      │         └───────phase 2─────────> rule list  each Refine
//	                      └──positions, what has changed────> journal    each Checkpoint
//
// # A checkpoint
//
// What is told is told before what it follows from is saved: a crash in between
// tells it again, and never swallows it. Changed observations and the positions
// up to which they were read go into one checkpoint of the journal, so after a
// crash exactly the lines that are not in the table are read again. Folding a
// line twice would do no harm; losing one would.
//
// A checkpoint that fails (a full disk) is not acknowledged: the loop says so,
// goes on, and saves everything with the next.
//
// # Catching up
//
// Nothing is told before what was there at the start has been read: the past
// would flicker by. Then each site's snapshot is told, which readers put in the
// place of what they held, since an event of a rule's fading may have been lost
// in a crash: the replay nets to nothing.
//
// # Sinks that fail
//
// A sink is waited for a little at a time, then the loop goes on without it.
// Events are the difference between what readers hold and what is likely, so
// nothing need be kept for them: the next refinement tells the difference anew.
//
// # Withholding
//
// Rules hold pieces of URLs. One that looks like a secret, or one side of which
// only one client ever asked for, is not told (packages secret and miner), until
// others do. So readers hold, at any refinement, exactly the likely rules that
// may be told.
package loop
