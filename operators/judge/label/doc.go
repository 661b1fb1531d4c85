// Package label gives pages of nearly one text one label, which stands in the place of their digests.
//
// Digests tell that two pages are equal byte for byte. A clock or an advertisement makes them differ on every page, so in
// a crawl few pages have one digest. A label is a digest as well: that of one page of the group, so learners need not
// know of labels.
//
//	digest, page ──> Texts ──> Labels ──> Of(digest) ──> observations, table, learners
//	                 within a bound of memory
//
// # The law
//
// A content is what has one digest. Its text is its steady text ([sketch.Steady]): each clock is one word.
// Two texts are the same page if
//
//   - they resemble each other by at least the threshold, as package near compares documents, and
//   - neither has anything of its own beside the other: words, or marks and media.
//
// Words of a text are its own if no Phrase words in a row around them are in the other text, unless all phrases of their
// run pass by. A phrase passes by, as an advertisement does, if at least leastElsewhere groups of texts show it, others
// than those of the two texts. A run of fewer than Phrase words never passes: a name, a number, a color or a price
// is the page's own. A mark or a medium passes in the same way.
//
// Such sameness is not transitive: a may be the same as b, and b as c, but a not as c. So labels are made by leaders, as
// follows. The texts are taken in the order of their digests. A text gets the label of the first leader that is
// the same page; without one, it becomes a leader. So every page of a label is the same page as its leader, no chain leads
// away from it, and the labels are a function of the set of contents: the order of reading, and the number of
// readers, have no say. Texts that are equal in all words and marks are one text, named by its least digest.
//
// The groups of the second condition are made in the same way by the first condition alone. The phrases are those of the
// texts of least rank, up to MostPhrases: what passes by is on many pages, so some of them show it.
//
// # Who gets no label
//
// Contents that are no HTML, of fewer than LeastWords words or more than [sketch.MaxOrder], and pages that ask their
// reader to prove to be human, keep their digest. So do texts that do not fit into the memory: those of the
// greatest rank, by which a table leaves URLs out as well, so that forms of one page stay or go together.
//
// # Cost
//
// A text takes a little more than 1 KiB and 8 bytes a word. A text is compared with at most Most leaders, those with which
// it shares its rarest shingles (see package near). A text that meets more, without finding its page, is
// counted as crowded: a leader may have been missed. Then pages are labelled apart, and never wrongly together.
//
// A single capture of a page cannot tell a number of visitors from the number of an article. So counters keep pages apart.
package label
