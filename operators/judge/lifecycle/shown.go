package lifecycle

import (
	"iter"
	"slices"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// The documents that the trials of other rules requested tell which candidates are likely to hold,
// at no cost. They decide nothing, because they are no random sample of a candidate's pairs.

// shownForms holds the forms whose documents are known.
type shownForms struct {
	labels labels           // of the documents
	forms  []int32          // ascending
	label  map[int32]uint64 // by form
}

// shownForm is a form whose document is known.
type shownForm struct {
	label uint64  // see labels
	part  float64 // see drawing
}

// shownForms returns the forms whose documents are known, if pages that are alike show equal texts
// on this site. O(forms + pairs) once for each chooser.
func (c *chooser) shownForms() *shownForms {
	if c.shown != nil {
		return c.shown
	}
	c.shown = &shownForms{label: map[int32]uint64{}}
	if !c.book.memory.showsTexts() {
		return c.shown
	}
	c.shown.labels = c.book.memory.labels(c.book.noise.Threshold(c.o.Tau))
	for n, text := range c.view.forms.texts {
		if label := c.view.label(c.shown.labels, text); label != 0 {
			c.shown.forms = append(c.shown.forms, int32(n))
			c.shown.label[int32(n)] = label
		}
	}
	return c.shown
}

// among yields the known forms that a rule may change, and possibly other forms.
func (s *shownForms) among(w *view, r *rule.Rule) iter.Seq[int32] {
	if all, most := w.index.MayChange(r); most < len(s.forms) {
		return all
	}
	return slices.Values(s.forms)
}

// shownPairs returns the numbers of a candidate's pairs whose two documents are known: of those
// that are alike, and of those that differ. If the document of v is unknown, the forms that become
// v are compared with each other. Pairs that L has joined do not count. O(known documents) or O(forms
// that the rule may change).
func (c *chooser) shownPairs(n *candidate) (alike, differ float64) {
	known := c.shownForms()
	if len(known.forms) == 0 || c.o.Off.KnownPairs {
		return 0, 0
	}
	m, d := mover{f: c.view.forms, r: &n.rule}, c.view.drawing(n)
	var texts []string
	groups := map[string][]shownForm{} // by v
	for u := range known.among(c.view, &n.rule) {
		label := known.label[u]
		if label == 0 {
			continue
		}
		v, changed, settled := m.move(u)
		if !changed || !settled || v.known < 0 && c.view.leadsTo(v.to, u) {
			continue
		}
		if groups[v.to] == nil {
			texts = append(texts, v.to)
		}
		groups[v.to] = append(groups[v.to], shownForm{label, d.part(u)})
	}
	for _, v := range texts {
		label := c.view.label(known.labels, v)
		if label == 0 {
			label = known.labels[c.view.keys.document(v)]
		}
		a, d := countAlike(groups[v], label)
		alike, differ = alike+a, differ+d
	}
	return alike, differ
}

// leadsTo reports whether L turns a text into a form.
func (w *view) leadsTo(text string, form int32) bool {
	out, _ := w.canonizer.Canon(nil, []byte(text))
	return string(out) == w.forms.texts[form]
}

// countAlike counts the forms with the label of v and the forms with other labels, each form in part.
// If the label of v is unknown, a form with the most frequent label takes the place of v.
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

// textsShare is the least share of equal texts among the pages that are alike, for texts to tell
// pages apart.
const textsShare = 0.95

// showsTexts reports whether pages that are alike show equal texts. O(pairs).
func (m *memory) showsTexts() bool {
	alike, same := 0, 0
	control := m.control()
	threshold := control.Threshold(m.o.Tau)
	for _, r := range m.results {
		if !r.Mixed && r.Compared != nil && r.Compared.Alike >= threshold {
			alike++
			if r.Compared.SameText {
				same++
			}
		}
	}
	return alike >= leastPositives && share(same, alike) >= textsShare
}

// gone returns the number of pairs that are known to differ because v has no page. A pair of a small
// stratum counts in part.
func (c *chooser) gone(pairs []asked) (n float64) {
	for i := range pairs {
		if r, known := c.book.memory.recent(pairs[i].key, c.now); known && r.Compared == nil && r.Outcome == trial.Negative {
			n += pairs[i].part
		}
	}
	return n
}
