package rule

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"dustbuster/operators/rule/dust"
)

// A substring rule replaces one occurrence of a text.
var substringKind = kind{
	name:  "substring",
	about: "The leftmost occurrence of one side whose ends lie on token boundaries becomes the other. A token is a run of letters and digits, or one other character. An escape (% and two hexadecimal digits) is one character: a letter if it stands for an ASCII letter or digit or for a byte from 0x80 up. Bytes are compared as they are, escapes included. An occurrence is passed over if it is part of the other side, which stands there on token boundaries already (/ becomes /print/ at the start of /a, not of /print/a), or if the text begins with a slash and would not after the edit.",
	members: []member{
		{name: "alpha", of: func(w *Wire) any { return &w.Alpha }, need: needed, about: "The longer side."},
		{name: "beta", of: func(w *Wire) any { return &w.Beta }, need: needed},
		{name: "at_start", of: func(w *Wire) any { return &w.AtStart }, need: needed, about: "Only at the start of path and query."},
		{name: "at_end", of: func(w *Wire) any { return &w.AtEnd }, need: needed, about: "Only at the end."},
		{name: "direction", of: func(w *Wire) any { return &w.Direction }, need: published, schema: `"enum": ["alpha_to_beta", "beta_to_alpha"]`},
	},
	lacks:    "a substring rule needs alpha, beta, at_start and at_end",
	read:     (*Wire).readSubstring,
	write:    (*Rule).writeSubstring,
	validate: (*Rule).validateSubstring,
	texts:    func(r *Rule) [mostTexts]fromURL { return [mostTexts]fromURL{{"", r.From}, {"", r.To}} },
	words:    (*Rule).substringWords,
	triggers: func(r *Rule, t *Triggers) { t.add(Trigger{r.From, r.AtStart, r.AtEnd}) },
	compare:  func(a, b Likely) int { return dust.CompareRank(a.pair(), b.pair()) },
	reverse:  func(r *Rule) (Rule, bool) { return r.Opposite(), !r.Grows() },
}

// WireSubstring is the members of a substring rule in JSON.
type WireSubstring struct {
	Alpha     *string `json:"alpha,omitempty"`     // the larger side
	Beta      *string `json:"beta,omitempty"`      // the smaller side
	AtStart   *bool   `json:"at_start,omitempty"`  // both sides stand at the URL's start
	AtEnd     *bool   `json:"at_end,omitempty"`    // both sides stand at the URL's end
	Direction string  `json:"direction,omitempty"` // "alpha_to_beta" or "beta_to_alpha"
}

// Opposite returns the other direction of a substring rule, without exceptions.
func (r *Rule) Opposite() Rule {
	other := *r
	other.From, other.To, other.Except = r.To, r.From, Except{}
	return other
}

func (r *Rule) replace(dst, url []byte) (out []byte, changed bool) {
	at := r.find(url)
	if at < 0 {
		return dst, false
	}
	dst = append(dst, url[:at]...)
	dst = append(dst, r.To...)
	return append(dst, url[at+len(r.From):]...), true
}

// find returns the offset of the occurrence of From to replace, or -1.
func (r *Rule) find(url []byte) int {
	last := len(url) - len(r.From)
	switch {
	case last < 0 || r.AtStart && r.AtEnd && last > 0:
		return -1
	case r.AtStart:
		return r.at(url, 0)
	case r.AtEnd:
		return r.at(url, last)
	case r.From == "":
		return r.at(url, 0)
	}
	for at := 0; at <= last; at++ {
		next := bytes.IndexByte(url[at:last+1], r.From[0])
		if next < 0 {
			return -1
		}
		if at += next; r.at(url, at) >= 0 {
			return at
		}
	}
	return -1
}

// at returns the offset itself if From stands there on token boundaries and may be
// replaced, else -1.
func (r *Rule) at(url []byte, at int) int {
	end := at + len(r.From)
	if string(url[at:end]) == r.From && dust.Boundary(url, at) && dust.Boundary(url, end) && !r.beheads(url, at) && !r.made(url, at) {
		return at
	}
	return -1
}

// beheads reports whether an edit would remove the slash at the beginning of a path. The
// rest would be no path, or part of the host before the path.
func (r *Rule) beheads(url []byte, at int) bool {
	switch {
	case at > 0 || len(url) == 0 || url[0] != '/':
		return false
	case r.To != "":
		return r.To[0] != '/'
	}
	return len(url) == len(r.From) || url[len(r.From)] != '/'
}

// made reports whether an occurrence of From is part of a To on token boundaries.
func (r *Rule) made(url []byte, at int) bool {
	for k := 0; k+len(r.From) <= len(r.To); k++ {
		next := strings.Index(r.To[k:], r.From)
		if next < 0 {
			return false
		}
		k += next
		start, end := at-k, at-k+len(r.To)
		if start >= 0 && end <= len(url) && string(url[start:end]) == r.To && dust.Boundary(url, start) && dust.Boundary(url, end) {
			return true
		}
	}
	return false
}

func (r *Rule) validateSubstring() error {
	if (*r != Rule{From: r.From, To: r.To, AtStart: r.AtStart, AtEnd: r.AtEnd, Scope: r.Scope, Except: r.Except}) {
		return errors.New("a substring rule has a parameter or a form")
	}
	if r.From == r.To {
		return fmt.Errorf("both sides are %q", r.From)
	}
	return nil
}

func (r *Rule) writeSubstring(w *Wire) {
	p := r.Pair()
	w.Direction = "alpha_to_beta"
	w.Alpha, w.Beta, w.AtStart, w.AtEnd = &p.Alpha, &p.Beta, &p.AtStart, &p.AtEnd
	if r.From != p.Alpha {
		w.Direction = "beta_to_alpha"
	}
}

func (w *Wire) readSubstring(r *Rule) error {
	if w.Direction != "" && w.Direction != "alpha_to_beta" && w.Direction != "beta_to_alpha" {
		return fmt.Errorf("direction %q is neither alpha_to_beta nor beta_to_alpha", w.Direction)
	}
	r.From, r.To, r.AtStart, r.AtEnd = *w.Alpha, *w.Beta, *w.AtStart, *w.AtEnd
	if w.Direction == "beta_to_alpha" {
		r.From, r.To = r.To, r.From
	}
	return nil
}

// Pair returns the pair of a substring rule's sides.
func (r *Rule) Pair() dust.Pair { return dust.NewPair(r.From, r.To, r.AtStart, r.AtEnd) }

// pair returns a likely substring rule as a candidate of phase 2.
func (l *Likely) pair() dust.Candidate {
	return dust.Candidate{Pair: l.Rule.Pair(), Support: l.Support, SupportHigh: l.SupportHigh}
}

// OfPairs returns the likely rules of a learner that finds pairs.
func OfPairs(site, learner string, pairs []dust.Candidate) []Likely {
	rules := make([]Likely, len(pairs))
	for i, p := range pairs {
		rules[i] = Likely{Site: site, Learner: learner, Support: p.Support, SupportHigh: p.SupportHigh,
			Rule: Rule{From: p.Alpha, To: p.Beta, AtStart: p.AtStart, AtEnd: p.AtEnd}}
	}
	return rules
}

func (r *Rule) substringWords() string {
	switch place := r.place(); {
	case place == "" || r.From != "" && r.To != "":
		return "write " + r.side(r.From) + " as " + r.side(r.To)
	case r.To == "":
		return "ignore " + r.From + " " + place
	case r.AtEnd:
		return "add " + r.To + " " + atEnd
	}
	return "add " + r.To + " " + atStart // where an empty From stands
}

// PairWords returns the pair of a substring rule's sides for people.
func (r *Rule) PairWords() string {
	switch {
	case r.place() == "" || r.From != "" && r.To != "":
		return r.side(r.From) + " is the same as " + r.side(r.To)
	case r.From == "":
		pair := r.Opposite()
		return pair.substringWords()
	}
	return r.substringWords()
}

// Grows reports whether a substring rule turns the plainer side of its pair into the other
// side. A side with a word that is never preferred (Unpreferred) is the less plain one. Of two
// sides that differ in nothing but case, the plainer has fewer capitals. Of others the plainer has
// fewer bytes, or is the first in byte order of two as long.
func (r *Rule) Grows() bool {
	if r.Kind != Substring {
		return false
	}
	if from, to := Unpreferred(r.From) != "", Unpreferred(r.To) != ""; from != to {
		return to
	}
	if from, to := capitals(r.From), capitals(r.To); from != to && strings.EqualFold(r.From, r.To) {
		return from < to
	}
	return dust.Larger(r.To, r.From)
}

// capitals returns the number of capital letters of a text, but for those of escapes.
func capitals(text string) (n int) {
	for at := nextCapital([]byte(text), 0); at < len(text); at = nextCapital([]byte(text), at+1) {
		n++
	}
	return n
}

// Shrinking returns a substring rule in the direction that makes URLs plainer, which mostly
// shrinks them: see Grows. Other rules are returned as they are.
func (r Rule) Shrinking() Rule {
	if r.Grows() {
		r.From, r.To = r.To, r.From
	}
	return r
}

// The places of a side for people.
const (
	atStart  = "at the beginning of the URL"
	atEnd    = "at the end of the URL"
	anywhere = "anywhere in the URL"
)

// place returns the place of a substring for people, or "" for the whole URL.
func (r *Rule) place() string {
	switch {
	case r.AtStart && r.AtEnd:
		return ""
	case r.AtStart:
		return atStart
	case r.AtEnd:
		return atEnd
	}
	return anywhere
}

// rest stands in words for text that a rule does not look at. No text of a rule holds it.
const rest = "…"

// side formats one side: … stands where the URL goes on.
func (r *Rule) side(s string) string {
	if s == "" && r.AtStart && r.AtEnd {
		return `""`
	}
	if !r.AtStart {
		s = rest + s
	}
	if !r.AtEnd {
		s += rest
	}
	return s
}
