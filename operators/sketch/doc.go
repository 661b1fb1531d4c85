// Package sketch says what a fetched document says, and how alike two documents are.
//
// DustBuster (WWW 2007, figure 4) compares document sketches to validate a rule.
// These are the shingles and min-hashes of Broder ("On the resemblance and
// containment of documents", 1997).
//
//	bytes ──> visible text ──> words ──> shingles ──> least hashes
//	 text.go                   words.go               minhash.go
//
// A [Sketch] holds the least 128 hashes, in 1 KiB. A [Page] holds all of them, up to 4,096,
// and what else a trial needs to know: with both pages at hand nothing is estimated.
//
// # What counts
//
//	visible text  of HTML (text/html, application/xhtml+xml; without a type, what
//	              begins like it): all text outside tags, comments, scripts,
//	              styles and templates, and outside what stands in for scripts
//	              and frames (noscript, iframe, noframes, noembed). The title
//	              counts; attributes do not. Entities are decoded.
//	word          a maximal run of letters, marks and decimal digits in one piece
//	              of text, in lower case. All markup separates, a <b> as much as
//	              a <p>. In scripts that are written without spaces (Han, Kana,
//	              Thai, Lao, Khmer, Myanmar) each character is a word, be
//	              it a letter or not.
//	shingle       Width words in a row. A text of fewer words has one shingle, of
//	              what there is; a text without words has none.
//	resemblance   the Jaccard coefficient of two sets of shingles, estimated
//
// The charset is not looked at. A byte that is not UTF-8 counts as a letter, so
// that pages in ISO 8859, KOI8 or Windows code pages keep their words; two pages
// that say the same in two charsets resemble each other only where they are
// ASCII. UTF-16 is read as ASCII between zeros, markup included: such pages are
// compared as text, tags and all.
//
// Of other types only equal bytes are alike. HTML and what is not HTML are never
// alike unless their bytes are equal.
//
// What the tokenizer alone cannot know is left as it is: text hidden by style,
// and the few elements that mean something else within SVG and MathML.
//
// # The sketch
//
// Each shingle has a 64-bit hash, and the sketch is the Size least of them. The
// least of the union of two sets can be read off the two sketches; they are a
// random sample of it, and the share of those found in both estimates the
// coefficient. Since the sample is drawn without replacement, its variance is
// J(1-J)/Size * (n-Size)/(n-1) for a union of n, and nothing at all for n <= Size.
//
// The hash is xxHash without a seed, so sketches made anywhere can be compared.
// Who wants to can therefore write pages whose sketches mislead; but who writes
// the pages can also have the server lie. Two of 10^5 shingles are confused with
// a probability of 3e-10. The order of the hashes is the same for all pages, so
// pages of a site, which share their navigation, err alike: over 400 pairs of one
// site the mean of the errors was 0.008 or less for each of 12 keys, and none
// over all.
//
// # Cost
//
// Linear in the body for every input: 2 MB of '<', of open scripts, comments, tags,
// entities or templates take 5 to 90 ms. Live memory beside the body is at most
// about 7 MB, when a tag has 65,000 attributes; the tokenizer holds 256 KiB of a
// token, and longer ones are cut (text, scripts) or skipped (tags, comments).
//
// Measured with go test -bench . on a 2-core EPYC:
//
//	                                    time for 100 KB   words
//	the Go specification (293 KB)            1.2 ms       12,800
//	Latin text, some markup                  1.1 ms        8,400
//	Cyrillic text                            1.6 ms        5,400
//	Chinese text                             1.5 ms       22,500
//
// On real pages (Rust's documentation, 400 pairs each, against the coefficient
// computed exactly) the error was, as root of the mean square,
//
//	the same item in std and in core or alloc    0.022    in theory 0.021
//	the same page in two releases                0.014    in theory 0.016
//	two pages of std at random                   0.007    in theory 0.007
//
// # Rejected
//
// For the hashes of a page's shingles (go test -bench Rivals; error at J = 0.9
// for a union of 50, 500 and 10,000):
//
//	                                        ns/shingle, n = 10,000    error
//	the least Size                                   2.6          0    0.023  0.026
//	the least under each of Size keys              140        0.026    0.027  0.027
//	the least in each of Size bins, empty ones
//	filled from others                               0.6      0.028    0.023  0.025
//
// With Size keys a page of 10,000 words would take 1.4 ms more, twice the rest.
// Bins are a little faster, which a word's 80 ns of tokenizing hide, and worst for
// short pages, of which there are many. mime.ParseMediaType gives no type at all
// for a header that repeats its charset.
//
// The package is pure; everything in it may be called from several goroutines.
package sketch
