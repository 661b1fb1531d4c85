// Package owner is a member of the group of miners: it owns some partitions of the
// topic of observations, and for each of them runs a loop of package loop, whose
// table is made of the topic and whose acts are kept in the topic of rules.
//
//	group ──generation──> Member ──> partition ──> loop.Loop <──records── source <── observations
//	                                    │            │  └──acts──> log ──> rules
//	                                  lease          └──events──> log ──> events
//
// Partition p of observations owns partition p of rules and of events, so a site
// has one owner in all.
//
// # A generation
//
// When the group gives out its partitions anew, every loop ends: it folds what was
// read, saves its acts while the group waits, and keeps its table. In the next
// generation a loop goes on where it was if its partition is still ours and nobody
// wrote to its log meanwhile; else all of it is thrown away, and the partition is
// read from its start: Kafka is the only store. Nothing is told, tried or
// published before the end seen at assignment has been folded.
//
// # The lease
//
// A member that was stopped, or lost its network, may wake up when another owns its
// partitions. So each request to a site and each record written asks first whether
// the lease still holds (kafka.Generation), and what was on its way nevertheless
// carries an older tuple, which readers refuse (package ledger).
//
// # Errors
//
// What goes wrong with one partition ends its loop and not the generation: it is
// told, and the partition is begun anew after a pause.
package owner
