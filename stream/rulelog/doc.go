// Package rulelog writes the output of a partition's owner: events to dust.events, and acts
// to dust.rules. The acts are the owner's state as well. Package ledger defines the records
// of dust.rules and their order.
//
// A Store belongs to a partition, for as long as the partition is owned. The run loop saves
// to the Store, restores from the Store, and emits through the Store. Claim reads the
// partition and claims it. Load returns the acts before the claim. Then the Store follows
// the log. Late writes of an older owner are covered again. When a later owner appears, the
// Store writes no more. Before each write, a lease must hold, too.
//
//	loop ──acts, events──> Store ──numbered batches──> dust.rules, dust.events
//	                         └<──later owners, what was covered──┘
package rulelog
