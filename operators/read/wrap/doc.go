// Package wrap unwraps access-log lines that other programs have wrapped: docker,
// Kubernetes, syslog, the journal, and shippers that write JSON into topics. An Unfolder takes lines
// out of documents that hold many.
//
//	p := wrap.Detect("", firstLines).Parser   // or wrap.New("syslog/combined")
//	kind, err := p.Parse(&h, line)            // h aliases line, or p, until the next Parse
//
// A wrapper is a value of the table in wrapper.go: a name, an example, and a function
// from a line to the inner line. The function looks only at the shape of the line, never
// at the inner line.
//
// # Detection
//
// A line in a wrapper may pass for a bare line: in combined, everything between the client and
// the time is the name of a user. So wrappers are tried first. A wrapper is detected if at
// least half of the lines have its shape and at least one in 64 of the inner lines is in a
// known format. One in 64 is enough because many programs write into a syslog or the log of a
// node.
//
// For the same reason the inner lines may come from several servers. Detection chooses the
// format that fits best, then the one that fits the remaining lines best, and so on, up to
// four. Parse tries them always in the same order and takes the first that fits, so the result
// does not depend on earlier lines. A line that fits none belongs to another program and is
// counted.
//
// # Lines in pieces
//
// Docker and the container runtimes of Kubernetes cut lines after 16 KiB. The pieces are
// joined, separately for each of a container's two streams. The journal's export has one
// line per field; a value that is not plain text follows as its length and bytes. MaxLine
// bounds the held bytes. A longer line is left out and counted as malformed.
//
// # Documents
//
// A shipper may send many lines in one JSON object. An Unfolder replaces such a document by its
// lines before anything else is done with it, and the wrapper documents reads these lines.
//
// # Cost
//
// Nanoseconds a line on top of the parser of the inner line, on two cores of an EPYC,
// without allocation (BenchmarkUnwrap):
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
//	documents       40    after it was unfolded (BenchmarkUnfold), which costs 270 of Firehose,
//	                      440 of Loki, 1,320 of OTLP in documents of 100 lines (busy)
//
// # Rejected
//
// encoding/json allocates, replaces bytes that are not UTF-8, and takes ten times as
// long. The tests use encoding/json as the oracle. One wrapper for all of JSON is not
// possible, because shippers disagree about which of two keys holds the line. Wrappers in
// wrappers are rare, and --format can name only one wrapper. A format per syslog tag is
// unreliable: tags are free text that any program may use, and lines identify a format
// better than tags.
package wrap
