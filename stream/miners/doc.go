// Package miners is a member of the group of miners. A member owns some partitions of the
// topic of observations. For each of them it runs a loop of package loop, whose table is built
// from the partition, and whose acts are kept in the topic of rules.
//
//	group ──generation──> Member ──> partition ──> loop.Loop <──records── source <── observations
//	                                    │            │  └──acts──> log ──> rules
//	                                  lease          └──events──> log ──> events
//
// The owner of partition p of observations owns partition p of rules and of events, so a
// site has a single owner.
//
// # A generation
//
// When the group assigns its partitions anew, every loop ends: the loop folds the records
// read so far, saves its acts while the group waits, and keeps its table. In the next
// generation a loop continues if the member still owns the partition and no other member
// wrote to the log meanwhile. Otherwise the loop's state is dropped, and the partition is
// read from its start: Kafka is the only store. A loop emits, tries and publishes nothing
// before the end seen at assignment has been folded.
//
// # The lease
//
// A member that was stopped, or lost its network, may wake up when another member owns its
// partitions. So before each request to a site and each record written, the lease must
// still hold (kafka.Generation). A record written in spite of the lease carries an older
// tuple, which readers refuse (package ledger).
//
// # Errors
//
// An error in one partition ends the loop of the partition and not the generation. The
// error is reported, and the partition begins anew after a pause.
package miners
