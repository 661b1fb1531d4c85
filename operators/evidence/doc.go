// Package evidence is what an access log says about the pages of a site: the
// observations that hits become, the law by which observations fold, the test
// whether two pages are likely similar, and the binary form of observations.
//
// # The fold law
//
// An [Observation] has one or two parts: the extent of the sizes of one class of
// answers, and the extent of digests. [Extent.Join] folds extents and is the only
// place that does: the table, the combiner before Kafka and the validator's window
// all call it. A further kind of evidence about a page is a further class.
//
// The page itself, over all panes of a window, is a list of [Spans], one for each
// class. [Similarity] compares the spans of two pages.
//
// # Format of observations
//
// [Append] and [Decoder] write and read a value: one or more observations of one
// site. In Kafka the site is the key of the record.
//
// Version 1. Numbers are varints (encoding/binary), signed ones in zigzag;
// multi-byte numbers are little-endian. A value begins with a head:
//
//	version      1 byte: 1
//	check        4 bytes: of the key by which clients were hashed, see Head
//	pane length  number, seconds; 0: one pane without end
//
// and goes on with observations to its end:
//
//	tag          1 byte; its bits say what is left out
//	class        1 byte   unless sameClass: as before, at first 0
//	pane         signed   unless samePane: the difference to the one before, at first to 0
//	shared       number   bytes that the URL's beginning has in common with the one before
//	length       number   bytes of its rest
//	rest
//	smallest     number   if hasSize
//	difference   number   if hasSize, unless oneSize: largest - smallest
//	digests      8 or 16  if hasDigest: smallest and largest, one number if oneDigest
//	clients      1 or 2   smallest and largest hash, one byte if oneClient
//
// Time is kept by the pane: an observation comes back with the first second of
// its own. Bit 7 of the tag is 0. A reader refuses versions and tags that it
// does not know; whoever adds something makes a new version, and readers learn it
// before writers write it.
//
// # Why so
//
// On a real log, sharing the beginnings of URLs makes batches 1 to 8 % smaller as
// the producer compresses them, and what is unpacked 9 to 59 %; one observation a
// record would be 3 to 20 % larger than many (docs/bench.md, "What goes through
// Kafka").
package evidence
