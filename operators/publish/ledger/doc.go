// Package ledger is the content of the topic of rules as a fold, with fencing: keyed
// records under a total order, of which the record with the greatest tuple wins. A paused
// owner that writes late cannot displace the records of its successor. The package does
// no input or output: the caller reads and appends the records of a log.
//
//	owner.Owner ──batches──> log ──Apply──> Sets ──> crawlers
//
// # Records
//
//	SITE/rule/ID       a published rule; without a value, the rule is withdrawn
//	SITE/set           the marker: the rules of the site's set, in their order
//	SITE/verdict/ID    the verdict on a rule that was tried, refuted rules included
//	SITE/state/NAME    learnt, round, noise, approved, separators, publication, wishes, files, stale;
//	                   share: the cut of the site's window, as package loop encodes the cut
//	SITE/pairs/N       the outcomes of the pairs tried last, in blocks
//	owner              the member that writes: the claim
//	fetch              the politeness of the sites, written by package stream/rulelog about once a minute
//
// A slash or percent sign in a site is written as %2F or %25. Rules, markers and the claim
// are public and have JSON Schemas. Verdicts, states and pairs are acts as package
// lifecycle encodes them, for owners only. No record holds evidence.
//
// # Order
//
// Each record has a [Tuple]: epoch, generation, sequence. Among the records of a key, the
// one with the greatest tuple counts, wherever it stands in the log: a paused owner may
// write long after its successor. Readers refuse records older than the records they hold,
// and for this purpose also keep the tuples of keys without a value. Compaction keeps the
// last record of a key, which may be such a late record. The owner therefore follows the
// log and writes covered records again: see package owner.
//
// An owner's epoch is the offset of its claim in the log. In a copied log with smaller
// offsets, the epoch is one more than the greatest epoch before the claim. Hence no two
// owners have the same tuple, a later owner has the greater tuple, and neither compaction
// nor a group whose generations restart can change the order. An owner continues from the
// records before its claim. Records that older owners write behind the claim are covered
// again. A member that was paused between reading the log's end and appending its claim
// finds another claim before its own and gives up.
//
// Records covered by a late record can be lost if compaction comes before any owner. This
// requires an owner that dies within moments of the late record, and no other owner for as
// long as a segment lasts. A reader that held the lost record then keeps it until the
// site's next publication.
//
// # Sets
//
// A site's rules are a list that was tried as a whole, so readers move from one whole set
// to the next. A publication writes the changed records and then the marker, which names
// each rule with its tuple. The set is complete when each of these rules is held under
// exactly the named tuple, and no rule of the site has a greater tuple than the marker.
// Until then readers keep their current set. A rule that is older than the marker and not
// named in it is a stray and has no effect.
package ledger
