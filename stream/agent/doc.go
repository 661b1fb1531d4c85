// Package agent turns access-log lines into observations in Kafka. One goroutine combines
// the lines of a source, sends the observations, and tells it which lines have arrived.
//
//	tails, topics, files ──lines──> records ──> combine ──> batches by partition ──> Kafka
//	   ^                                           │                                  │
//	   └─────────────────── commit <───────────────┴──────── acknowledged <───────────┘
//
// A topic's record is one line, or several lines with newlines between. Observations go to
// the partition of their site: murmur2(site) % n, as in Java's producer.
//
// # Nothing is lost
//
// A line counts as dealt with once all observations gathered up to it have been acknowledged
// by all in-sync replicas. For tails, the position behind the line is then saved. For topics,
// the offset is committed. For finished files, it is saved which are sent, and up to which byte the
// present one. Batches under way may arrive in any order; they count in the order
// in which they were made. So if the combiner drops an observation that repeats another, that
// one is acknowledged before the line is dealt with.
//
// The agent assumes sent records stay in the topic. If records are removed before their
// time, restart the agents.
//
// An agent that was killed reads the lines since the last commit again, and sends their
// observations again. By the fold law the repetition changes nothing. If a Run ends before
// its batches have arrived, the combiner forgets the sent observations, because another
// agent may read those lines now, and this agent may read later lines.
//
// # Memory
//
// Memory is bounded by the combiner's, and by four batches under way. While there are four, no
// line is read. An outage of the brokers stops the reading until they answer.
//
// # Bad lines
//
// Lines that cannot be parsed are counted, passed to Options.Malformed, and, if a topic is
// configured for them, sent to that topic like observations: they have arrived before their
// lines count as dealt with. Lines whose time is too far ahead of the clock are refused,
// because one such line would empty a site's window.
package agent
