package lifecycle

import (
	"iter"
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// The documents that the trials of other rules requested tell which candidates are likely to hold,
// at no cost. They decide nothing, because they are no random sample of a candidate's pairs.

// shownForms holds the forms whose documents are known.
type shownForms struct {
	labels book.Labels      // of the documents
	forms  []int32          // ascending
	label  map[int32]uint64 // by form
}

// shownForm is a form whose document is known.
type shownForm struct {
	label uint64  // see book.Labels
	part  float64 // for which an outcome of its pair counts
}

// shownForms returns the forms whose documents are known, if pages that are alike show equal texts
// on this site. O(forms + pairs) once for each chooser.
func (c *chooser) shownForms() *shownForms {
	if c.shown != nil {
		return c.shown
	}
	c.shown = &shownForms{label: map[int32]uint64{}}
	if !c.Book.Memory.ShowsTexts() {
		return c.shown
	}
	c.shown.labels = c.Book.Memory.Labels(c.Book.Noise.Threshold(c.Options.Tau))
	for n, text := range c.View.Forms.Texts {
		if label := c.View.Label(c.shown.labels, text); label != 0 {
			c.shown.forms = append(c.shown.forms, int32(n))
			c.shown.label[int32(n)] = label
		}
	}
	return c.shown
}

// among yields the known forms that a rule may change, and possibly other forms.
func (s *shownForms) among(w *forms.View, r *rule.Rule) iter.Seq[int32] {
	if all, most := w.Index.MayChange(r); most < len(s.forms) {
		return all
	}
	return slices.Values(s.forms)
}

// shownPairs returns the numbers of a candidate's pairs whose two documents are known: of those
// that are alike, and of those that differ. If the document of v is unknown, the forms that become
// v are compared with each other. Pairs that L has joined do not count. O(known documents) or O(forms
// that the rule may change).
func (c *chooser) shownPairs(n *book.Candidate) (alike, differ float64) {
	known := c.shownForms()
	if len(known.forms) == 0 || c.Options.Off.KnownPairs {
		return 0, 0
	}
	m, d := forms.Mover{F: c.View.Forms, R: &n.Rule}, c.View.Drawing(n)
	var texts []string
	groups := map[string][]shownForm{} // by v
	for u := range known.among(c.View, &n.Rule) {
		label := known.label[u]
		if label == 0 {
			continue
		}
		v, changed, settled := m.Move(u)
		if !changed || !settled || v.Known < 0 && c.View.LeadsTo(v.To, u) {
			continue
		}
		if groups[v.To] == nil {
			texts = append(texts, v.To)
		}
		groups[v.To] = append(groups[v.To], shownForm{label, d.Part(u)})
	}
	for _, v := range texts {
		label := c.View.Label(known.labels, v)
		if label == 0 {
			label = known.labels[c.View.Keys.Document(v)]
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
func (c *chooser) gone(pairs []forms.Asked) (n float64) {
	for i := range pairs {
		if r, known := c.Book.Memory.Recent(pairs[i].Key, c.Now); known && r.Compared == nil && r.Outcome == trial.Negative {
			n += pairs[i].Part
		}
	}
	return n
}
