package lifecycle

import "dustbuster/operators/trial"

// documentTexts holds hashes of the texts of documents, by hash of the URL. The hash of a
// document that has shown two texts is 0. Documents without words are left out.
type documentTexts map[uint64]uint64

// texts returns the texts of the documents that the pairs in the memory requested. O(pairs).
func (m *memory) texts() documentTexts {
	texts := make(documentTexts, len(m.fetches))
	for _, r := range m.results {
		for _, s := range [...]*trial.Seen{&r.Seen, r.Second} {
			if s != nil && s.Compared != nil {
				texts.add(r.URLs[0], &s.Compared.U)
				texts.add(r.URLs[1], &s.Compared.V)
			}
		}
	}
	return texts
}

func (t documentTexts) add(document uint64, s *trial.Shown) {
	if document == 0 || s.HTML && s.Words == 0 {
		return
	}
	text := s.Text
	if known, ok := t[document]; ok && known != text {
		text = 0
	}
	t[document] = text
}

// text returns the hash of the text of a form: of the document of the URL that represents the
// form or, if that document was not requested, of the form's own. text returns 0 if neither
// is known.
func (w *view) text(known documentTexts, form string) uint64 {
	n, ok := w.forms.number[form]
	if !ok {
		return 0
	}
	if text, ok := known[w.keys.document(w.forms.rep(n))]; ok {
		return text
	}
	return known[w.keys.document(form)]
}
