package near

import "iter"

// Forest joins documents into clusters (union-find). A Forest takes 4 bytes a document.
type Forest struct{ parent []uint32 }

// Add adds a document as a cluster of its own, and returns its number: 0, 1, 2, and so on.
func (f *Forest) Add() uint32 {
	doc := uint32(len(f.parent))
	f.parent = append(f.parent, doc)
	return doc
}

// Len returns the number of documents.
func (f *Forest) Len() int { return len(f.parent) }

// Find returns the first document of a document's cluster. Amortized O(log documents).
func (f *Forest) Find(doc uint32) uint32 {
	for f.parent[doc] != doc {
		f.parent[doc] = f.parent[f.parent[doc]] // halves the path
		doc = f.parent[doc]
	}
	return doc
}

// Join joins the clusters of two documents. Join reports whether they were two.
func (f *Forest) Join(a, b uint32) bool {
	a, b = f.Find(a), f.Find(b)
	f.parent[max(a, b)] = min(a, b)
	return a != b
}

// Clusters returns the clusters of at least two documents, by their first document, each
// with its documents in ascending order. The clusters are parts of one array. Clusters takes
// 8 bytes a document.
func (f *Forest) Clusters() iter.Seq[[]uint32] {
	return func(yield func([]uint32) bool) {
		size := make([]uint32, len(f.parent)) // of a cluster, at its first document
		for doc := range f.parent {
			size[f.Find(uint32(doc))]++
		}
		place, end := size, uint32(0) // of the next member
		for doc, n := range size {
			if n < 2 {
				place[doc] = nowhere
				continue
			}
			place[doc], end = end, end+n
		}
		members := make([]uint32, end)
		for doc := range f.parent {
			if at := &place[f.Find(uint32(doc))]; *at != nowhere {
				members[*at] = uint32(doc)
				*at++
			}
		}
		for len(members) > 0 {
			n := 1
			for n < len(members) && f.Find(members[n]) == members[0] {
				n++
			}
			if !yield(members[:n:n]) {
				return
			}
			members = members[n:]
		}
	}
}

const nowhere = ^uint32(0)
