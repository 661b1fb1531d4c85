package lifecycle

import (
	"iter"
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// The documents that the trials of other rules requested tell which candidates are likely to hold,
// at no cost. They decide nothing, because they are no random sample of a candidate's pairs.

// shownForms holds the forms whose documents are known. It lasts while the view and the documents stay: rules that known
// documents refute, one after the other, need it once.
type shownForms struct {
	trials.Judge
	sought bool
	labels book.Labels                 // of the documents
	forms  []int32                     // ascending
	label  map[int32]uint64            // by form
	counts map[book.GainKey]shownPairs // by candidate
}

// shownPairs are numbers of pairs.
type shownPairs struct{ alike, differ float64 }

// shownForm is a form whose document is known.
type shownForm struct {
	label uint64  // see book.Labels
	part  float64 // for which an outcome of its pair counts
}

// seek finds the forms whose documents are known, if pages that are alike show equal texts on this site.
// O(forms + pairs) once.
func (s *shownForms) seek() {
	if s.sought {
		return
	}
	s.sought, s.label = true, map[int32]uint64{}
	if !s.Book.Memory.ShowsTexts() {
		return
	}
	s.labels = s.Book.Memory.Labels(s.Book.Noise.Threshold(s.Options.Tau))
	for n, text := range s.View.Forms.Texts {
		if label := s.View.Label(s.labels, text); label != 0 {
			s.forms = append(s.forms, int32(n))
			s.label[int32(n)] = label
		}
	}
}

// among yields the known forms that a rule may change, and possibly other forms.
func (s *shownForms) among(r *rule.Rule) iter.Seq[int32] {
	if all, most := s.View.Index.MayChange(r); most < len(s.forms) {
		return all
	}
	return slices.Values(s.forms)
}

// pairs returns the numbers of a candidate's pairs whose two documents are known: of those
// that are alike, and of those that differ. If the document of v is unknown, the forms that become
// v are compared with each other. Pairs that L has joined do not count. O(known documents) or O(forms
// that the rule may change), once.
func (s *shownForms) pairs(n *book.Candidate) (alike, differ float64) {
	if s.seek(); len(s.forms) == 0 || s.Options.Off.KnownPairs {
		return 0, 0
	}
	c, counted := s.counts[n.Key()]
	if !counted {
		c.alike, c.differ = s.count(n)
		s.counts[n.Key()] = c
	}
	return c.alike, c.differ
}

func (s *shownForms) count(n *book.Candidate) (alike, differ float64) {
	m, d := forms.Mover{F: s.View.Forms, R: &n.Rule}, s.View.Drawing(n)
	var texts []string
	groups := map[string][]shownForm{} // by v
	for u := range s.among(&n.Rule) {
		label := s.label[u]
		if label == 0 {
			continue
		}
		v, changed, settled := m.Move(u)
		if !changed || !settled || v.Known < 0 && s.View.LeadsTo(v.To, u) {
			continue
		}
		if groups[v.To] == nil {
			texts = append(texts, v.To)
		}
		groups[v.To] = append(groups[v.To], shownForm{label, d.Part(u)})
	}
	for _, v := range texts {
		label := s.View.Label(s.labels, v)
		if label == 0 {
			label = s.labels[s.View.Keys.Document(v)]
		}
		a, d := countAlike(groups[v], label)
		alike, differ = alike+a, differ+d
	}
	return alike, differ
}

// countAlike counts the forms with the label of v and those with another, each in part. If the label
// of v is unknown, a form with the most frequent label takes the place of v.
func countAlike(forms []shownForm, label uint64) (alike, differ float64) {
	if label == 0 {
		number := map[uint64]int{}
		for _, f := range forms {
			number[f.label]++
		}
		at := 0
		for i, f := range forms {
			if number[f.label] > number[forms[at].label] {
				at = i
			}
		}
		label, forms = forms[at].label, slices.Concat(forms[:at], forms[at+1:])
	}
	for _, f := range forms {
		if f.label == label {
			alike += f.part
		} else {
			differ += f.part
		}
	}
	return alike, differ
}

// gone returns the number of pairs that are known to differ because v has no page. A pair of a small
// stratum counts in part.
func (s *shownForms) gone(pairs []forms.Asked) (n float64) {
	for i := range pairs {
		if r, known := s.Book.Memory.Recent(pairs[i].Key, s.Now); known && r.Compared == nil && r.Outcome == trial.Negative {
			n += pairs[i].Part
		}
	}
	return n
}
