// Package kafka reads and writes Kafka 2.3 or newer. Cluster holds brokers and topics.
// Produce writes a batch whole or not at all. Reader and Partition read partitions. Group
// and Generation are the membership in a consumer group: the partitions that this member
// owns, and for how long.
//
//	cluster, err := kafka.Open(ctx, kafka.Options{Brokers: brokers})
//	group, err := cluster.Join(ctx, kafka.GroupOptions{Group: "miners", Topics: topics})
//	reader := kafka.NewReader(cluster, kafka.ReaderOptions{})
//	for {
//		generation, err := group.Next(ctx)
//		partition := reader.Add(topic, number, from) // for each of generation.Partitions
//		batch, err := partition.Read(ctx)            // until generation.Done
//		generation.Commit(kafka.Offset{...})
//		partition.Close()
//		generation.Release()
//	}
//
// segmentio/kafka-go implements the protocol: connections, TLS, SASL, the group's protocol,
// most messages. This package fetches by itself, because kafka-go's readers stall, repeat and
// panic over logs that Kafka's cleaner has compacted, and the rules' topic is such a log. It
// also decodes responses in the caller's goroutine: in kafka-go's, a panic over hostile bytes
// would end the process.
//
// # Reading
//
// A log has holes. Compaction removes records from batches and batches from the log.
// Readers never see aborted transactions and control records. So an offset does not give
// the number of records, and the last offset may have no record. Compare positions only:
// Batch.Next with Batch.End, or with the end that Offsets returned.
//
// If the log begins after the position (retention), or a batch cannot be read (a wrong
// checksum, an unknown format, a decompression bomb), reading continues behind the gap, and
// Batch.Lost counts the offsets passed over. If the log ends before the position, the topic
// was recreated or has lost records: ErrBeyondEnd. If the topic has another id than before, it
// was recreated: ErrRecreated. Brokers before Kafka 2.8 know no ids. There a recreated topic
// that has grown past the position cannot be told from the old one.
//
// A broker whose remote storage (KIP-405) does not answer in time returns no records. It
// answers the same for a hole that reaches to the end. See ReaderOptions.Compacted.
//
// The package waits for brokers that restart, connections that are lost, and leaders that
// move.
//
// # Ownership
//
// A Generation ends when members come or go. The owner of its partitions then has half of
// the session to finish, Commit and Release. After that time, another member owns the
// partitions, whether or not this process has noticed. A process that was stopped, or whose
// machine was paused, may wake up later than that time. Generation.Holds detects the pause.
// Call Holds before each act that only an owner may do.
package kafka
