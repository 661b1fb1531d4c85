// Package sketch summarizes fetched documents and measures how alike two documents are.
//
// DustBuster (WWW 2007, figure 4) compares document sketches to validate a rule. The
// sketches of this package are the shingles and min-hashes of Broder ("On the resemblance
// and containment of documents", 1997).
//
//	bytes ──> visible text ──> words ──> shingles ──> least hashes
//	 text.go                   words.go               minhash.go
//
// A [Sketch] holds the least 128 hashes, in 1 KiB. A [Page] holds up to 4,096 hashes and
// the other facts that a trial uses. Up to that number of shingles, the resemblance of
// two pages is exact and not estimated.
//
// # What counts
//
//	visible text  of HTML (text/html, application/xhtml+xml; without a type, a
//	              body that begins like HTML): all text outside tags, comments,
//	              scripts, styles and templates, and outside the replacements of
//	              scripts and frames (noscript, iframe, noframes, noembed). The
//	              title counts; attributes are marks. Entities are decoded.
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
// The charset is ignored. A byte that is not UTF-8 counts as a letter, so pages in ISO
// 8859, KOI8 or Windows code pages keep their words. Two pages with the same text in two
// charsets resemble each other only in their ASCII words. UTF-16 is read as ASCII between
// zeros, markup included: such pages are compared as text, tags and all.
//
// Documents of other types are alike only if their bytes are equal, but for the address that a document of XML
// names as its own. HTML and another type are alike only if their bytes are equal.
//
// Some visibility is beyond the tokenizer and is ignored: text hidden by style, and the
// few elements with another meaning within SVG and MathML.
//
// # The sketch
//
// Each shingle has a 64-bit hash, and the sketch is the Size least hashes. The least
// hashes of the union of two sets follow from the two sketches. These hashes are a random
// sample of the union, and the share of hashes found in both sketches estimates the
// coefficient. The sample is drawn without replacement, so the variance is J(1-J)/Size *
// (n-Size)/(n-1) for a union of n shingles, and 0 for n <= Size.
//
// The hash is xxHash without a seed, so sketches made anywhere can be compared. An author
// can therefore write pages with misleading sketches. But the author of a page can also
// make the server lie. Two of 10^5 shingles are confused with a probability of 3e-10. The
// order of the hashes is the same for all pages, so pages of a site, which share their
// navigation, have similar errors: over 400 pairs of one site the mean of the errors was
// 0.008 or less for each of 12 keys, and 0 over all keys.
//
// # Cost
//
// Time is linear in the body for every input: 2 MB of '<', of open scripts, comments,
// tags, entities or templates take 5 to 90 ms. Live memory beside the body is at most
// about 7 MB, for a tag with 65,000 attributes. The tokenizer holds 256 KiB of a token.
// Longer tokens are cut (text, scripts) or skipped (tags, comments).
//
// Measured with go test -bench . on a 2-core EPYC:
//
//	                                    time for 100 KB   words
//	the Go specification (293 KB)            1.2 ms       12,800
//	Latin text, some markup                  1.1 ms        8,400
//	Cyrillic text                            1.6 ms        5,400
//	Chinese text                             1.5 ms       22,500
//
// On real pages (Rust's documentation, 400 pairs each, against the exact coefficient) the
// root mean square error was
//
//	the same item in std and in core or alloc    0.022    in theory 0.021
//	the same page in two releases                0.014    in theory 0.016
//	two pages of std at random                   0.007    in theory 0.007
//
// # Rejected
//
// For the hashes of a page's shingles (go test -bench Rivals; error at J = 0.9 for a
// union of 50, 500 and 10,000):
//
//	                                        ns/shingle, n = 10,000    error
//	the least Size                                   2.6          0    0.023  0.026
//	the least under each of Size keys              140        0.026    0.027  0.027
//	the least in each of Size bins, empty ones
//	filled from others                               0.6      0.028    0.023  0.025
//
// With Size keys a page of 10,000 words would take 1.4 ms more, twice the rest. Bins are
// a little faster, but tokenizing takes 80 ns a word, and bins are worst for short pages,
// which are common. mime.ParseMediaType returns no type at all for a header with a
// repeated charset.
//
// The package is pure. All functions may be called from several goroutines.
package sketch
