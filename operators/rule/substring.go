package rule

import (
	"bytes"
	"fmt"
	"strings"

	"dustbuster/operators/rule/dust"
)

// Substring replaces the leftmost occurrence of From on token boundaries by To. An
// occurrence within a To is skipped, since otherwise a rule whose To contains its
// From (^/ -> ^/print/) would never settle. An occurrence whose edit would remove the
// slash at the beginning of a path is skipped too.
type Substring struct {
	From, To string
	AtStart  bool // From stands at the URL's start
	AtEnd    bool // From stands at the URL's end
}

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
	lacks:   "a substring rule needs alpha, beta, at_start and at_end",
	read:    (*Wire).readSubstring,
	compare: func(a, b Likely) int { return dust.CompareRank(a.pair(), b.pair()) },
}

// WireSubstring is the members of a substring rule in JSON.
type WireSubstring struct {
	Alpha     *string `json:"alpha,omitempty"`     // the larger side
	Beta      *string `json:"beta,omitempty"`      // the smaller side
	AtStart   *bool   `json:"at_start,omitempty"`  // both sides stand at the URL's start
	AtEnd     *bool   `json:"at_end,omitempty"`    // both sides stand at the URL's end
	Direction string  `json:"direction,omitempty"` // "alpha_to_beta" or "beta_to_alpha"
}

func (Substring) kind() Kind                  { return KindSubstring }
func (e Substring) texts() [mostTexts]fromURL { return [mostTexts]fromURL{{"", e.From}, {"", e.To}} }
func (e Substring) triggers(t *Triggers)      { t.add(Trigger{e.From, e.AtStart, e.AtEnd}) }
func (e Substring) turned() Substring {
	e.From, e.To = e.To, e.From
	return e
}

// Opposite returns the other direction of a substring rule, without exceptions.
func (r *Rule) Opposite() Rule { return Rule{Edit: r.Sides().turned(), Scope: r.Scope} }

func (e *Substring) apply(dst, url []byte) (out []byte, changed bool) {
	at := e.find(url)
	if at < 0 {
		return dst, false
	}
	dst = append(dst, url[:at]...)
	dst = append(dst, e.To...)
	return append(dst, url[at+len(e.From):]...), true
}

// find returns the offset of the occurrence of From to replace, or -1.
func (e *Substring) find(url []byte) int {
	last := len(url) - len(e.From)
	switch {
	case last < 0 || e.AtStart && e.AtEnd && last > 0:
		return -1
	case e.AtStart:
		return e.at(url, 0)
	case e.AtEnd:
		return e.at(url, last)
	case e.From == "":
		return e.at(url, 0)
	}
	for at := 0; at <= last; at++ {
		next := bytes.IndexByte(url[at:last+1], e.From[0])
		if next < 0 {
			return -1
		}
		if at += next; e.at(url, at) >= 0 {
			return at
		}
	}
	return -1
}

// at returns the offset itself if From stands there on token boundaries and may be
// replaced, else -1.
func (e *Substring) at(url []byte, at int) int {
	end := at + len(e.From)
	if string(url[at:end]) == e.From && dust.Boundary(url, at) && dust.Boundary(url, end) && !e.beheads(url, at) && !e.made(url, at) {
		return at
	}
	return -1
}

// beheads reports whether an edit would remove the slash at the beginning of a path. The
// rest would be no path, or part of the host before the path.
func (e *Substring) beheads(url []byte, at int) bool {
	switch {
	case at > 0 || len(url) == 0 || url[0] != '/':
		return false
	case e.To != "":
		return e.To[0] != '/'
	}
	return len(url) == len(e.From) || url[len(e.From)] != '/'
}

// made reports whether an occurrence of From is part of a To on token boundaries.
func (e *Substring) made(url []byte, at int) bool {
	for k := 0; k+len(e.From) <= len(e.To); k++ {
		next := strings.Index(e.To[k:], e.From)
		if next < 0 {
			return false
		}
		k += next
		start, end := at-k, at-k+len(e.To)
		if start >= 0 && end <= len(url) && string(url[start:end]) == e.To && dust.Boundary(url, start) && dust.Boundary(url, end) {
			return true
		}
	}
	return false
}

func (e Substring) validate() error {
	if e.From == e.To {
		return fmt.Errorf("both sides are %q", e.From)
	}
	return nil
}

func (e Substring) write(w *Wire) {
	p := dust.NewPair(e.From, e.To, e.AtStart, e.AtEnd)
	w.Direction = "alpha_to_beta"
	w.Alpha, w.Beta, w.AtStart, w.AtEnd = &p.Alpha, &p.Beta, &p.AtStart, &p.AtEnd
	if e.From != p.Alpha {
		w.Direction = "beta_to_alpha"
	}
}

func (w *Wire) readSubstring() (Edit, error) {
	e := Substring{*w.Alpha, *w.Beta, *w.AtStart, *w.AtEnd}
	switch w.Direction {
	case "", "alpha_to_beta":
		return e, nil
	case "beta_to_alpha":
		return e.turned(), nil
	}
	return nil, fmt.Errorf("direction %q is neither alpha_to_beta nor beta_to_alpha", w.Direction)
}

// Pair returns the pair of a substring rule's sides.
func (r *Rule) Pair() dust.Pair {
	e := r.Sides()
	return dust.NewPair(e.From, e.To, e.AtStart, e.AtEnd)
}

// pair returns a likely substring rule as a candidate of phase 2.
func (l *Likely) pair() dust.Candidate {
	return dust.Candidate{Pair: l.Rule.Pair(), Support: l.Support, SupportHigh: l.SupportHigh}
}

// OfPairs returns the likely rules of a learner that finds pairs.
func OfPairs(site, learner string, pairs []dust.Candidate) []Likely {
	rules := make([]Likely, len(pairs))
	for i, p := range pairs {
		rules[i] = Likely{Site: site, Learner: learner, Support: p.Support, SupportHigh: p.SupportHigh,
			Rule: Rule{Edit: Substring{p.Alpha, p.Beta, p.AtStart, p.AtEnd}}}
	}
	return rules
}

func (e Substring) words() string {
	switch place := e.place(); {
	case place == "" || e.From != "" && e.To != "":
		return "write " + e.side(e.From) + " as " + e.side(e.To)
	case e.To == "":
		return "ignore " + e.From + " " + place
	case e.AtEnd:
		return "add " + e.To + " " + atEnd
	}
	return "add " + e.To + " " + atStart // where an empty From stands
}

// PairWords returns the pair of a substring rule's sides for people.
func (r *Rule) PairWords() string {
	e := r.Sides()
	switch {
	case e.place() == "" || e.From != "" && e.To != "":
		return e.side(e.From) + " is the same as " + e.side(e.To)
	case e.From == "":
		return e.turned().words()
	}
	return e.words()
}

// Grows reports whether a substring rule turns the plainer side of its pair into the other
// side. A side with a word that is never preferred (Unpreferred) is the less plain one. Of two
// sides that differ in nothing but case, the plainer has fewer capitals. Of others the plainer has
// fewer bytes, or is the first in byte order of two as long.
func (r *Rule) Grows() bool {
	e, is := r.Edit.(Substring)
	if !is {
		return false
	}
	if from, to := Unpreferred(e.From) != "", Unpreferred(e.To) != ""; from != to {
		return to
	}
	if from, to := capitals(e.From), capitals(e.To); from != to && strings.EqualFold(e.From, e.To) {
		return from < to
	}
	return dust.Larger(e.To, e.From)
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
		r.Edit = r.Sides().turned()
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
func (e *Substring) place() string {
	switch {
	case e.AtStart && e.AtEnd:
		return ""
	case e.AtStart:
		return atStart
	case e.AtEnd:
		return atEnd
	}
	return anywhere
}

// rest stands in words for text that a rule does not look at. No text of a rule holds it.
const rest = "…"

// side formats one side: … stands where the URL goes on.
func (e *Substring) side(s string) string {
	if s == "" && e.AtStart && e.AtEnd {
		return `""`
	}
	if !e.AtStart {
		s = rest + s
	}
	if !e.AtEnd {
		s += rest
	}
	return s
}
