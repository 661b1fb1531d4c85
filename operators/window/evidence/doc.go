// Package evidence is the evidence of an access log about the pages of a site: the
// observations made from hits, the law by which observations fold, the test whether two
// pages are likely similar, and the binary form of observations.
//
// # The fold law
//
// An [Observation] has one or two parts: the extent of the sizes of one class of answers, and
// that of digests. Each extent has two masks: one bit for each client, and one for each family of
// user agents (package crawler).
// [Extent.Join] is the only function that folds extents: the table, the combiner before Kafka
// and the lifecycle's window call it. More evidence about a page is another class.
//
// The page itself, over all panes of a window, is a list of [Spans], one for each class.
// [Similarity] compares the spans of two pages.
//
// # Format of observations
//
// [Append] and [Decoder] write and read a value: one or more observations of one site. In
// Kafka the site is the key of the record.
//
// Version 4. Numbers are varints (encoding/binary), signed numbers in zigzag. Multi-byte
// numbers are little-endian. A value begins with a head:
//
//	version      1 byte: 4
//	check        4 bytes: of the key by which clients were hashed, see Head
//	rule         1 byte: by which lines became clients, see Head; version 2 lacks it
//	sites        4 bytes: of the settings by which hosts become sites, see Head; version 3 lacks it, and is
//	             written if they are not told
//	pane length  number, seconds; 0: one pane without end
//
// The rest of the value is observations:
//
//	tag          1 byte; the bits tell which members are left out
//	class        1 byte   unless sameClass: as before, at first 0
//	pane         signed   unless samePane: the difference to the previous pane, at first to 0
//	shared       number   bytes shared with the beginning of the previous URL
//	length       number   bytes of the URL's rest
//	rest
//	smallest     number   if hasSize
//	difference   number   if hasSize, unless oneSize: largest - smallest
//	digests      8 or 16  if hasDigest: smallest and largest, one number if oneDigest
//	clients      1 or 2   the number of the bit if oneClient, otherwise the mask
//	families     number   if hasFamilies: the mask
//
// The value keeps only the pane of a time: a decoded observation has the first second of its
// pane. A reader refuses versions other than 2 to 4. The clients of a value of another rule or key do
// not compare: see Value.Forget. An addition to the format needs a new version, and
// readers must know it before writers write it.
//
// Sharing the beginnings of URLs makes batches of a real log 1 to 8 % smaller after the
// producer's compression. One observation for each record would be 3 to 20 % larger than many
// (docs/bench.md, "What goes through Kafka").
package evidence
