package sketch

import "crypto/sha256"

// Sketch is what a document says, in a little more than 1 KiB. It is a plain
// value: == holds for two sketches of the same document, and its fields are all
// there is to store or send.
type Sketch struct {
	Digest  [sha256.Size]byte // SHA-256 of the bytes
	HTML    bool              // the document is HTML; if not, the digest is all that counts
	Words   int               // of the visible text; 0 if not HTML
	MinHash [Size]uint64      // the least shingle hashes, ascending; fewer are followed by none
}

// Of returns the sketch of a document. The content type is the header's value,
// with or without parameters, or "" if there was none. The body is only read.
//
// Time is linear in the body's length for every input, and memory beside it is
// bounded; the package comment has figures.
func Of(contentType string, body []byte) Sketch {
	s := Sketch{Digest: sha256.Sum256(body), HTML: isHTML(contentType, body)}
	if s.HTML {
		sh := newShingler()
		visibleText(body, maxToken, sh.read)
		s.Words, s.MinHash = sh.end()
	}
	return s
}

// Resemblance estimates how alike two documents are, from 0 to 1. It is symmetric.
//
//   - 1 if their bytes are equal, of whatever type;
//   - else, if both are HTML, an estimate of the Jaccard coefficient of their
//     sets of shingles: exact if both together have at most Size shingles, and
//     otherwise without bias and with a standard error of at most
//     sqrt(J(1-J)/Size), 0.027 where J = 0.9;
//   - else 0. So are two HTML pages of which neither has a word: that they both
//     say nothing does not make them the same.
func Resemblance(a, b *Sketch) float64 {
	switch {
	case a.Digest == b.Digest:
		return 1
	case a.HTML && b.HTML:
		return jaccard(&a.MinHash, &b.MinHash)
	}
	return 0
}
