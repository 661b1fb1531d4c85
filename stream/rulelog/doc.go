// Package rulelog writes what the owner of a partition tells and has done: events to
// dust.events, and acts to dust.rules, which is the owner's state as well. What stands
// in dust.rules, and in which order it counts, is package ledger's business.
//
// A Store is a partition's, for as long as it is owned, and is what the run loop saves
// to, restores from and tells. Claim reads the partition and claims it, Load gives the
// acts that stand before the claim. Then the Store follows the log: what an older owner
// writes late it covers again, and when a later owner shows it writes no more. Whether
// it still is the owner is also asked of a lease before each write.
//
//	loop ──acts, events──> Store ──numbered batches──> dust.rules, dust.events
//	                         └<──later owners, what was covered──┘
package rulelog
