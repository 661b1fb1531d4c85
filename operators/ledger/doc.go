// Package ledger is what the topic of rules says, as a fold: keyed records under a
// total order, of which the greatest wins. It has no input and output; a record
// comes from a log, and what is to be written goes to one.
//
//	acts of validator.Machine ──Write──> Owner ──batches──> log ──Apply──> Sets ──> crawlers
//	                            ^          ^                 │
//	                            └──Acts────┴──────Read───────┘
//
// # Records
//
//	SITE/rule/ID       a published rule; without value, it is no more
//	SITE/set           the marker: which rules are the site's set, in their order
//	SITE/verdict/ID    what became of a rule that was tried, refuted ones too
//	SITE/state/NAME    learnt, round, noise, approved, separators, publication; share: what
//	                   the site's window was cut to, as package loop encodes it
//	SITE/pairs/N       what was seen of the pairs tried last, in blocks
//	owner              who writes: the claim
//	fetch              the politeness of the sites, as package stream/rulelog writes it about once a minute
//
// A slash or percent sign in a site is written as %2F or %25. Rules, markers and the
// claim are for everybody and have JSON Schemas; verdicts, states and pairs are acts as
// package validator encodes them, for owners alone. Evidence is in none of them.
//
// # Order
//
// Each record has a [Tuple]: epoch, generation, sequence. Of one key the record of the
// greatest tuple counts, wherever it stands in the log: an owner that was paused may
// write long after its successor. Readers refuse what is older than what they hold,
// and for that they keep the tuples of keys without value as well. Compaction keeps
// the last record of a key, which may be such a late one; so the owner follows the
// log and writes again what has been covered.
//
// An owner's epoch is the offset of its claim in the log (or, in a log that was copied
// and has lesser offsets, one more than the greatest epoch before it). So no two owners
// have one tuple, a later one has the greater, and neither compaction nor a group whose
// generations begin anew can change that. What stands before its claim is what an owner
// goes on from; what older owners write behind it is covered again. A member that was
// paused between reading the log's end and its claim finds another's claim before its
// own, and gives up.
//
// What a late record has covered can be lost if compaction comes before any owner: that
// takes an owner who dies within moments of the late record, and none after him for as
// long as a segment lasts. Then a reader that held it keeps it until the site's next
// publication.
//
// # Sets
//
// A site's rules are a list that was tried as a whole, so readers go from one whole
// set to the next. A publication writes what has changed, then the marker, which
// names each rule with its tuple. The marker's set is complete when each of its rules
// is held under exactly that tuple, and no rule of the site under a greater one than
// the marker's. Until then readers keep the set that they have. A rule that the
// marker does not name and that is older than it is a stray, and means nothing.
//
// # What an owner holds
//
// What it has numbered counts as written: what it then could not write, or is not
// sure of, it writes again under new tuples, as it does with what was covered. If a
// rule or the marker of a site is concerned it writes the whole set anew, from
// state/publication, which says by itself all that is published.
//
// Of the pairs of a site the newest are written, in blocks: a new owner goes on with the
// rule whose trial was under way, and with the trial of the whole set.
package ledger
