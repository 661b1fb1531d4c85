// Package agent turns access-log lines into observations in Kafka: one goroutine
// that combines what its source brings, sends it, and says what has arrived.
//
//	tails, or topics ──lines──> records ──> combine ──> batches by partition ──> Kafka
//	   ^                                       │                                  │
//	   └───────────────── commit <─────────────┴──────── acknowledged <───────────┘
//
// A topic's record is one line, or several with newlines between. Observations go
// to the partition of their site: murmur2(site) % n, as Java's producer has it.
//
// # Nothing is lost
//
// Lines count as dealt with, which for tails means that their place is saved and
// for topics that their offset is committed, once everything that was gathered
// from them and before them has been acknowledged by all replicas in step.
// Batches on their way may arrive in any order; they count in the order in which
// they were made. So whatever the combiner swallows as a repetition, what it is a
// repetition of is acknowledged before the repetition's line is dealt with.
//
// What has been sent is taken to stay: if records are taken out of the topic before
// their time, agents are to be started anew.
//
// Whoever is killed reads the lines since then again, and sends again what they
// say: by the fold law that changes nothing. If a Run ends before its batches have
// arrived, the combiner forgets what it has emitted, for somebody else may read
// those lines now and this agent later ones.
//
// # Memory
//
// It is bounded: by the combiner's, and by four batches on their way. While there
// are so many, nothing is read; an outage of the brokers stops the reading, for
// as long as it takes.
//
// # Bad lines
//
// Lines that cannot be parsed are counted, shown to Options.Malformed, and, if
// there is a topic for them, sent to it like observations: they have arrived
// before their lines count as dealt with. Lines whose time is too far ahead of
// the clock are refused, for one of them would empty a site's window.
package agent
