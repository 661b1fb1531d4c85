package canon

import (
	"fmt"
	"iter"
	"slices"
)

// MaxRounds is after how many rounds a URL that still changes is given up (the
// paper's own number).
const MaxRounds = 10

// Bounds of a canonizer: 128 bytes for each of the most rules, and about 100 MB
// beside their texts.
const (
	maxRules  = 1 << 17
	maxText   = 16 << 20 // bytes of all rules
	maxStates = 1 << 20  // of the automaton: different beginnings of triggers, in tokens
)

// Canonizer is the ordered list of one site's rules, compiled. It never changes
// and may be used by any number of goroutines.
type Canonizer struct {
	rules     []Rule
	automaton automaton
}

// Compile compiles the rules of a site, which are applied in the order of the
// list; a rule's rank is its place in it, from 0. The list is copied. An error
// names the rank of the first rule that is not valid, or the bound that the list
// breaks. O(bytes of all rules).
func Compile(rules []Rule) (*Canonizer, error) {
	if len(rules) > maxRules {
		return nil, fmt.Errorf("compile rules: %d are more than %d", len(rules), maxRules)
	}
	size := 0
	for rank := range rules {
		if err := rules[rank].Validate(); err != nil {
			return nil, fmt.Errorf("compile rule %d: %w", rank, err)
		}
		for _, text := range rules[rank].texts() {
			size += len(text)
		}
	}
	if size > maxText {
		return nil, fmt.Errorf("compile rules: %d rules of %d bytes, more than %d", len(rules), size, maxText)
	}
	a, err := newAutomaton(rarest(rules))
	if err != nil {
		return nil, err
	}
	return &Canonizer{slices.Clone(rules), a}, nil
}

// Len is the number of rules.
func (c *Canonizer) Len() int { return len(c.rules) }

// Rule is the rule of a rank.
func (c *Canonizer) Rule(rank int) Rule { return c.rules[rank] }

// Outcome is how a canonization ended.
type Outcome struct {
	Rounds int // rounds after which the URL was another than before them
	End    End
}

// End is why a canonization ended.
type End uint8

// The ends of a canonization.
const (
	Settled  End = iota // a round changed nothing
	Restless            // MaxRounds rounds changed something
	TooLong             // the URL is longer than MaxBytes, or grew so
)

var endNames = [...]string{"settled", "restless", "too_long"}

// String is the end's name in statistics.
func (e End) String() string { return endNames[e] }

// Changed tells whether the URL is not its own canonical form.
func (o Outcome) Changed() bool { return o.End == Settled && o.Rounds > 0 }

// Canon returns the canonical form of a mined string: all rules are applied once,
// in order, each to what the one before left, and that again until a round
// changes nothing (section 6 of the paper). A URL that does not settle is
// returned as it is: its form would depend on where one gives up. So the
// canonical form of a canonical form is itself.
//
// If the outcome says Changed, out lies in dst's memory, of which anything may be
// overwritten, or in new memory where that is too small (three times the URL
// mostly suffices); else out is url. url is not written to and must not overlap
// dst. No other allocation. For the cost see the package comment; at worst
// O(MaxRounds · rules · MaxBytes).
func (c *Canonizer) Canon(dst, url []byte) (out []byte, end Outcome) {
	h := chain{c: c, url: url}
	dst = dst[:0]
	for ok := true; ok; {
		dst, _, ok = h.step(dst)
	}
	return h.result(dst), h.end
}

// Steps yields each edit on the way to the canonical form: the rank of the rule,
// and what it made of the URL, valid until the next. A URL that does not settle
// has steps up to where it is given up. The last step is the canonical form,
// unless the URL does not settle.
func (c *Canonizer) Steps(url []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		h := chain{c: c, url: url}
		for buf, rank, ok := h.step(nil); ok && yield(rank, h.text(buf)); {
			buf, rank, ok = h.step(buf)
		}
	}
}

// Unsafe looks among URLs for one that does not settle: the rules are safe over the
// URLs for which there is none, and then every result is reached in fewer than
// MaxRounds rounds and is its own canonical form. It returns that URL and the
// greatest rank among the rules that edited it, the one to leave out, since the
// rules before it were tried without it; or nil and -1. A URL that is too long to
// begin with is passed over.
func (c *Canonizer) Unsafe(urls iter.Seq[[]byte]) (url []byte, rank int) {
	var buf []byte
	for url := range urls {
		out, end := c.Canon(buf, url)
		if end.Changed() {
			buf = out
		}
		if end.End != Settled && len(url) <= MaxBytes {
			return url, c.greatest(url)
		}
	}
	return nil, -1
}

// greatest is the greatest rank among the rules that edit a URL.
func (c *Canonizer) greatest(url []byte) int {
	most := -1
	for rank := range c.Steps(url) {
		most = max(most, rank)
	}
	return most
}
