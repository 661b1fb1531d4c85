package book

import (
	"dustbuster/operators/judge/near"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// Labels holds labels of documents, by hash of the URL. The documents of one label are alike.
// The label of a document that has shown two texts, and is like no other document, is 0.
// Documents without words are left out.
type Labels map[uint64]uint64

// Labels returns the labels of the documents that the pairs in the memory requested. Two
// documents are alike if each has shown one text and the texts are equal, or if a rule's trial
// compared them and their resemblance was at least the threshold at each look. Documents that
// are like a third document have one label. tau is the threshold τ after noise control.
// O(pairs).
func (m *Memory) Labels(tau float64) Labels {
	m.unpack()
	d := documents{number: make(map[uint64]uint32, len(m.Fetches))}
	control := m.control()
	threshold := control.Threshold(tau)
	for _, r := range m.Results() {
		alike := !r.Mixed && r.Compared != nil
		for _, s := range [...]*trial.Seen{&r.Seen, r.Second} {
			switch {
			case s == nil:
			case s.Compared == nil:
				alike = false
			default:
				u, v := d.add(r.URLs[0], &s.Compared.U), d.add(r.URLs[1], &s.Compared.V)
				alike = alike && u && v && s.Compared.Alike >= threshold
			}
		}
		if alike {
			d.clusters.Join(d.number[r.URLs[0]], d.number[r.URLs[1]])
		}
	}
	return d.labels()
}

// control returns a control of all the mixed pairs in the memory. O(pairs).
func (m *Memory) control() rule.Control {
	var mixed []trial.Compared
	for _, r := range m.Results() {
		if r.Mixed && r.Compared != nil {
			mixed = append(mixed, *r.Compared)
		}
	}
	return trial.NewControl(mixed, 0, 0, 0)
}

// documents holds the documents that pairs requested.
type documents struct {
	number   map[uint64]uint32 // by hash of the URL
	texts    []uint64          // by number; 0: several
	clusters near.Forest       // of the numbers
}

// add takes in what a document has shown. It returns false if the document is unknown, or has no
// words.
func (d *documents) add(document uint64, s *trial.Shown) bool {
	if document == 0 || s.HTML && s.Words == 0 {
		return false
	}
	n, known := d.number[document]
	if !known {
		n = d.clusters.Add()
		d.number[document] = n
		d.texts = append(d.texts, s.Text)
	}
	if d.texts[n] != s.Text {
		d.texts[n] = 0
	}
	return true
}

// labels joins the documents of equal texts. The label of a cluster is the least hash of its URLs.
func (d *documents) labels() Labels {
	first := map[uint64]uint32{} // by text
	for n, text := range d.texts {
		if f, known := first[text]; known && text != 0 {
			d.clusters.Join(f, uint32(n))
		} else {
			first[text] = uint32(n)
		}
	}
	least, size := map[uint32]uint64{}, map[uint32]int{} // by the first of a cluster
	for document, n := range d.number {
		f := d.clusters.Find(n)
		if size[f] == 0 || document < least[f] {
			least[f] = document
		}
		size[f]++
	}
	all := make(Labels, len(d.number))
	for document, n := range d.number {
		all[document] = 0
		if f := d.clusters.Find(n); size[f] > 1 || d.texts[n] != 0 {
			all[document] = least[f]
		}
	}
	return all
}

// textsShare is the least share of equal texts among the pages that are alike, for texts to tell
// pages apart.
const textsShare = 0.95

// ShowsTexts reports whether pages that are alike show equal texts. O(pairs).
func (m *Memory) ShowsTexts() bool {
	alike, same := 0, 0
	control := m.control()
	threshold := control.Threshold(m.o.Tau)
	for _, r := range m.Results() {
		if !r.Mixed && r.Compared != nil && r.Compared.Alike >= threshold {
			alike++
			if r.Compared.SameText {
				same++
			}
		}
	}
	return alike >= LeastPositives && Share(same, alike) >= textsShare
}
