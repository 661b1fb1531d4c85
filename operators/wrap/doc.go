// Package wrap takes access-log lines out of what other programs put around
// them: docker, Kubernetes, syslog, the journal, and the shippers whose JSON
// lies in topics.
//
//	p := wrap.Detect("", firstLines).Parser   // or wrap.New("syslog/combined")
//	kind, err := p.Parse(&h, line)            // h aliases line, or p, until the next Parse
//
// A wrapper is a value of the table in wrapper.go: a name, an example, and a
// function from a line to the line within. It looks at the shape of the line
// alone, never at what is inside.
//
// # Detection
//
// A line in a wrapper may pass for a bare one (in combined, all that stands
// between the client and the time is a user's name), so wrappers are tried
// first. One is believed when half of the lines have its shape and some of the
// inner lines are in a known format. Some are enough, one in 64: into a syslog or
// the log of a node many programs write. For the same reason the inner lines may
// be of several servers: the format that fits best is taken, then the one that
// fits best what is left, and so on, up to four. A line is read by the first of
// them that it fits, always in the same order, so that what a line says does not
// depend on the lines before. What fits none is another program's, and counted.
//
// # Lines in pieces
//
// Docker and the container runtimes of Kubernetes cut lines after 16 KiB; the
// pieces are joined, for each of a container's two streams by itself. The
// journal's export has a line a field, and values that are not plain text as
// bytes behind their length. What is held is bounded by MaxLine; what is longer
// is left out, and counted as malformed.
//
// # Cost
//
// Nanoseconds a line over those of the parser of the inner line, on two cores of
// an EPYC, no allocation in any (BenchmarkUnwrap):
//
//	cri             28
//	syslog          26
//	journal         21
//	docker         330    420 bytes
//	vector         320
//	fluentbit      300
//	rsyslog        350
//	journal_json   520    450 bytes, the line last of seven keys
//	filebeat       900    1,140 bytes, with the line in message and event.original
//
// # Rejected
//
// encoding/json: allocates, replaces bytes that are no UTF-8, and takes ten times
// as long; it serves as the oracle. One wrapper for all of JSON: which of two keys
// holds the line differs by shipper. Wrappers in wrappers: whoever writes a
// container's log into a journal has one tool too many, and --format can name
// only one. A format for each program of a syslog by its tag: tags are free text
// that any program may use; the lines tell more than their names.
package wrap
