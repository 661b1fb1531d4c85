// Package owner is the writing of the topic of rules: the claim of a partition by a member,
// and the records that this owner writes. The package does no input or output: the caller
// reads and appends the records of a log. Package ledger defines them, and the order by
// which a late owner cannot displace what its successor wrote.
//
//	acts of lifecycle.Machine ──Write──> Owner ──batches──> log
//	                            ^          ^                 │
//	                            └──Acts────┴──────Read───────┘
//
// A record is applied as soon as it is numbered. Records whose write failed or is
// uncertain, and records covered by an older owner, are rewritten under new tuples. If a
// rule or the marker of a site is among them, the owner rewrites the whole set from
// state/publication, which holds the complete publication.
//
// The newest pairs of a site are written in blocks. A new owner thus continues the current
// trial of a rule, and the trial of the whole set.
package owner
