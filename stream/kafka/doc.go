// Package kafka reads and writes Kafka: brokers and topics (Cluster), batches
// that are written whole or not at all (Produce), partitions that are read
// (Reader, Partition), and the membership in a consumer group that says which
// partitions are ours and for how long (Group, Generation). Kafka 2.3 or newer.
//
//	cluster, err := kafka.Open(ctx, kafka.Options{Brokers: brokers})
//	group, err := cluster.Join(ctx, kafka.GroupOptions{Group: "miners", Topics: topics})
//	reader := kafka.NewReader(cluster, kafka.ReaderOptions{})
//	for {
//		generation, err := group.Next(ctx)
//		partition := reader.Add(topic, number, from) // for each of generation.Partitions
//		batch, err := partition.Read(ctx)            // until generation.Done
//		generation.Commit(offsets)
//		partition.Close()
//		generation.Release()
//	}
//
// segmentio/kafka-go does the protocol's work: connections, TLS, SASL, the
// group's protocol, most messages. Fetching is ours, since kafka-go's readers
// stall, repeat and panic over logs that Kafka's cleaner has been through, and
// the rules' topic is such a log. And responses are decoded here, not in
// kafka-go's goroutines, where a panic over hostile bytes would end the process.
//
// # Reading
//
// A log has holes: compaction takes records out of batches and batches out of
// the log; aborted transactions and control records are never seen. So an
// offset says nothing of how many records there are, the last offset may have
// no record, and all that is compared are positions: Batch.Next with Batch.End
// or with the end that Offsets told.
//
// Where the log begins after the position (retention), or a batch cannot be
// read (its checksum, a format that is not known, a bomb), reading goes on
// behind it, and Batch.Lost counts what was passed over. Where the log ends
// before the position, the topic is another one: ErrBeyondEnd. (One made anew
// that has already grown past the position cannot be told from the old one.)
//
// A broker whose remote storage (KIP-405) does not answer in time says that there
// is nothing, as it does of a hole that reaches to the end. See ReaderOptions.Compacted.
//
// Broker restarts, lost connections and moved leaders are waited for.
//
// # Ownership
//
// A Generation ends when members come or go. Its owner then has half of the
// session to finish, Commit and Release; after that, somebody else owns the
// partitions, whatever this process thinks. A process that was stopped or whose
// machine was paused may wake up later than that: Holds tells, and is to be
// asked before each act that only an owner may do.
package kafka
