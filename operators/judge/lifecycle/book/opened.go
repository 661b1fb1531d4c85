package book

import (
	"errors"
	"slices"
	"strings"

	"dustbuster/operators/judge/sketch"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
)

// Opened is a pair of a rule's trial as people look at it: what the two pages said, and the words by which they
// differ. All texts have passed a veil. They stay where the trial was: no topic has them.
type Opened struct {
	U        Side    `json:"u"`
	V        Side    `json:"v"`
	Outcome  string  `json:"outcome"`            // as in rule.Example
	At       int64   `json:"at,omitempty"`       // Unix time of the look; 0: nothing else is known of the pair
	Compared bool    `json:"compared,omitempty"` // both pages were there; else Alike says nothing
	Alike    float64 `json:"alike"`              // resemblance of the texts, to be held against Verdict.Threshold
	SameText bool    `json:"same_text,omitempty"`
	StandIn  bool    `json:"stand_in,omitempty"` // u is a URL with an invented piece, in the place of a private one
	Words    []Words `json:"words,omitempty"`    // where the texts differ
	Now      *Opened `json:"now,omitempty"`      // a look that an operator asked for
}

// Side is one of the two pages.
type Side struct {
	URL       string `json:"url"`            // mined string
	Link      string `json:"link,omitempty"` // where the page was fetched; "": the URL holds what is masked, or is not fetched
	Status    int    `json:"status,omitempty"`
	Length    int64  `json:"length,omitempty"`    // bytes of the body, decompressed
	Failed    string `json:"failed,omitempty"`    // why there is no answer
	To        string `json:"to,omitempty"`        // the mined string to which the server redirected
	Canonical string `json:"canonical,omitempty"` // the mined string that the page names as canonical
	NoIndex   bool   `json:"noindex,omitempty"`
	More      int    `json:"more_words,omitempty"` // of the words that differ: those left out
}

// Words is a place where two pages differ.
type Words struct {
	Before string `json:"before,omitempty"` // words of both pages
	U      string `json:"u,omitempty"`
	V      string `json:"v,omitempty"`
	After  string `json:"after,omitempty"` // words of both pages
}

// Bounds of what is kept of a pair.
const (
	mostWords   = 40 // words on one side that differ
	longestWord = 64 // characters
)

// Errors of looks at a pair.
var (
	ErrNoPair = errors.New("the verdict on the rule has no such pair")
	ErrBusy   = errors.New("too many looks are under way")
)

// Differ sets the words by which two pages differ, from their lists.
func (o *Opened) Differ(u, v []byte, veil secret.Veil) {
	left := [2]int{mostWords, mostWords}
	for _, p := range sketch.Passages(u, v) {
		w := Words{Before: said(p.Before, veil), After: said(p.After, veil)}
		for i, side := range [...]struct {
			words []string
			to    *string
			more  *int
		}{{p.U, &w.U, &o.U.More}, {p.V, &w.V, &o.V.More}} {
			n := min(len(side.words), left[i])
			left[i] -= n
			*side.more += len(side.words) - n
			*side.to = said(side.words[:n], veil)
		}
		if w.U+w.V != "" {
			o.Words = append(o.Words, w)
		}
	}
}

// said joins words, and masks secrets among them. The value after a name with a colon is judged by the name.
func said(words []string, veil secret.Veil) string {
	out := make([]string, len(words))
	for i, word := range words {
		word = strings.ToValidUTF8(word, "\ufffd")
		out[i] = veil.Mask(word)
		if name, named := strings.CutSuffix(strings.ToValidUTF8(words[max(0, i-1)], ""), ":"); i > 0 && named {
			if value := "/?" + strings.Trim(name, `"'{,`) + "=" + strings.Trim(word, `"',}`); veil.Mask(value) != value {
				out[i] = "***"
			}
		}
		if cut := []rune(out[i]); len(cut) > longestWord {
			out[i] = string(cut[:longestWord]) + "…"
		}
	}
	return strings.Join(out, " ")
}

// Open returns the pairs of a verdict in their order, with what is known of them, also from a look at the reversed
// pair. Pairs that were kept for other verdicts are left out. The examples have passed the veil of the pairs.
func Open(examples []rule.Example, kept []Opened) []Opened {
	all := make([]Opened, len(examples))
	for i, e := range examples {
		all[i] = Opened{U: Side{URL: e.U}, V: Side{URL: e.V}}
		if at := slices.IndexFunc(kept, func(o Opened) bool { return o.U.URL == e.U && o.V.URL == e.V }); at >= 0 {
			all[i] = kept[at]
		} else if at := slices.IndexFunc(kept, func(o Opened) bool { return o.V.URL == e.U && o.U.URL == e.V }); at >= 0 {
			all[i] = kept[at].turned()
		}
		all[i].Outcome, all[i].StandIn = e.Outcome, e.StandIn
	}
	return all
}

// turned returns the reversed pair.
func (o Opened) turned() Opened {
	o.U, o.V, o.Words = o.V, o.U, slices.Clone(o.Words)
	for i := range o.Words {
		w := &o.Words[i]
		w.U, w.V = w.V, w.U
	}
	if o.Now != nil {
		now := o.Now.turned()
		o.Now = &now
	}
	return o
}

// Bytes estimates the memory of a pair.
func (o *Opened) Bytes() int {
	n := 512
	for _, s := range [...]*Side{&o.U, &o.V} {
		n += len(s.URL) + len(s.Link) + len(s.Failed) + len(s.To) + len(s.Canonical)
	}
	for _, w := range o.Words {
		n += 64 + len(w.Before) + len(w.U) + len(w.V) + len(w.After)
	}
	if o.Now != nil {
		n += o.Now.Bytes()
	}
	return n
}
