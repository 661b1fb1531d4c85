// Package sketch summarizes fetched documents and measures how alike two documents are.
//
// DustBuster (WWW 2007, figure 4) compares document sketches to validate a rule. The sketches of this package are the
// shingles and min-hashes of Broder ("On the resemblance and containment of documents", 1997).
//
//	bytes ──> visible text ──> words ──> shingles ──> least hashes
//	 text.go                   words.go               minhash.go
//
// A [Sketch] holds the least 128 hashes, in 1 KiB. A [Page] holds up to 4,096 hashes and the other facts that a trial
// uses. Up to that number of shingles, the resemblance of two pages is exact and not estimated.
//
// # What counts
//
//	visible text  of HTML (text/html, application/xhtml+xml; without a type, a
//	              body that begins like HTML): all text outside tags, comments,
//	              scripts, styles and templates, and outside the replacements of
//	              scripts and frames (noscript, iframe, noframes, noembed). The
//	              title, shadow roots and the srcdoc of frames count; other
//	              attributes are marks. Entities are decoded.
//	word          a maximal run of letters, marks and decimal digits in one piece
//	              of text, in lower case. All markup separates, a <b> as much as
//	              a <p>. In scripts written without spaces (Han, Kana, Thai, Lao,
//	              Khmer, Myanmar) each character is a word, even if the
//	              character is not a letter.
//	shingle       Width words in a row. A text of fewer words has one shingle of
//	              all its words; a text without words has none.
//	resemblance   the Jaccard coefficient of two sets of shingles, estimated
//	mark          what a reader sees beside the words: signs, struck text, names of
//	              pictures and downloads, states of inputs (marks.go). Marks and
//	              capitals change no resemblance: see Apart
//
// The charset is ignored. A byte that is not UTF-8 counts as a letter, so pages in ISO 8859, KOI8 or Windows code
// pages keep their words. Two pages with the same text in two charsets resemble each other only in their ASCII words.
// UTF-16 is read as ASCII between zeros, markup included: such pages are compared as text, tags and all.
//
// Documents of other types are alike only if their bytes are equal, but for the address that a document of XML names
// as its own. HTML and another type are alike only if their bytes are equal.
//
// Some visibility is beyond the tokenizer. Text hidden by style counts as words, and has a mark if the element's own
// style hides it. The few elements with another meaning within SVG and MathML count as elsewhere.
//
// # The sketch
//
// Each shingle has a 64-bit hash, and the sketch is the Size least hashes. The least hashes of the union of two sets
// follow from the two sketches. These hashes are a random sample of the union, and the share of hashes found in both
// sketches estimates the coefficient. The sample is drawn without replacement, so the variance is J(1-J)/Size *
// (n-Size)/(n-1) for a union of n shingles, and 0 for n <= Size.
//
// The hash is xxHash without a seed, so sketches made anywhere can be compared. An author can therefore write pages
// with misleading sketches, but could also make the server lie. Two of 10^5 shingles are confused with a probability
// of 3e-10. The order of the hashes is the same for all pages, so pages of a site, which share their navigation, have
// similar errors.
//
// # Cost
//
// Time is linear in the body for every input: 2 MB of '<', of open scripts, comments, tags, entities or templates
// take 5 to 90 ms. Live memory beside the body is at most about 7 MB, for a tag with 65,000 attributes. The tokenizer
// holds 256 KiB of a token. Longer tokens are cut (text, scripts) or skipped (tags, comments).
//
// A page takes 1 to 3 ms for 100 KB (go test -bench .). On real pages (Rust's documentation, 400 pairs) the root mean
// square error was that of theory: 0.022 for the same item in two places, and 0.007 for two pages at random.
//
// # Rejected
//
// With a hash under each of Size keys a page of 10,000 words would take 1.4 ms more, twice the rest. Bins are a
// little faster, but worst for short pages, which are common (go test -bench Rivals). mime.ParseMediaType returns no
// type at all for a header with a repeated charset.
//
// The package is pure. All functions may be called from several goroutines.
package sketch
