package sketch

import "crypto/sha256"

// Sketch is a summary of a document in a little more than 1 KiB. A Sketch is a plain
// value: two sketches of the same document are equal by ==, and the fields hold
// everything there is to store or send.
type Sketch struct {
	Digest  [sha256.Size]byte // SHA-256 of the bytes
	HTML    bool              // the document is HTML; if not, only the digest counts
	Image   bool              // the type is image/*
	Words   int               // of the visible text; 0 if not HTML
	MinHash [Size]uint64      // the least shingle hashes, ascending; unused places hold none
}

// Of returns the sketch of a document. The content type is the value of the header, with
// or without parameters, or "" if there is no header. Of does not change the body.
//
// Time is linear in the length of the body for every input, and memory beside it is bounded; the
// package comment has figures.
func Of(contentType string, body []byte) Sketch {
	s := Sketch{Digest: sha256.Sum256(body), HTML: isHTML(contentType, body), Image: isImage(contentType)}
	if s.HTML {
		sh := newShingler()
		visibleText(body, maxToken, sh.read)
		s.Words, s.MinHash = sh.end()
	}
	return s
}

// Resemblance estimates how alike two documents are, from 0 to 1. Resemblance is
// symmetric.
//
//   - 1 if the bytes are equal, for any type;
//   - else, if both are HTML, an estimate of the Jaccard coefficient of the two
//     sets of shingles: exact if both together have at most Size shingles, and
//     otherwise without bias and with a standard error of at most
//     sqrt(J(1-J)/Size), 0.027 for J = 0.9;
//   - else 0. Two HTML pages without a word also have resemblance 0: showing
//     nothing does not make two pages the same.
func Resemblance(a, b *Sketch) float64 {
	switch {
	case a.Digest == b.Digest:
		return 1
	case a.HTML && b.HTML:
		return jaccard(&a.MinHash, &b.MinHash)
	}
	return 0
}
