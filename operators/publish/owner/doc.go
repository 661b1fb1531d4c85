// Package owner is the writing of the topic of rules: the claim of a partition by the member
// that owns the partition, and the records that the owner writes. The package has no input
// and output. The caller reads records from a log and appends records to the log. Package
// ledger defines the records, and the order by which a late owner cannot displace the
// records of its successor.
//
//	acts of lifecycle.Machine ──Write──> Owner ──batches──> log
//	                            ^          ^                 │
//	                            └──Acts────┴──────Read───────┘
//
// Numbering a record applies the record at once. Records whose write failed or is
// uncertain, and records covered by an older owner, are rewritten under new tuples. If a
// rule or the marker of a site is among these records, the owner rewrites the whole set
// from state/publication, which holds the complete publication.
//
// The newest pairs of a site are written in blocks. A new owner thus continues the current
// trial of a rule, and the trial of the whole set.
package owner
