package canon

import (
	"fmt"
	"iter"
	"slices"

	"dustbuster/operators/rule"
)

// MaxRounds is the greatest number of rounds. A URL that still changes then has no
// canonical form (the paper's own number).
const MaxRounds = 10

// maxRules bounds the memory of a canonizer: 250 bytes for each rule, and about 100 MB for the
// automaton (maxStates), beside the texts of the rules.
const maxRules = rule.MaxSite / 128

// Canonizer is the compiled, ordered list of one site's rules. It is immutable and may be
// used by several goroutines.
type Canonizer struct {
	rules     []rule.Rule
	ranks     []uint32 // of the rules, by slot
	automaton automaton
}

// Compile compiles the rules of a site. The rules are applied in the order of the list,
// and the rank of a rule is its index. The list is copied. The error names the rank of
// the first rule that is not valid, or says that there are more than 131,072. O(bytes of all
// rules).
func Compile(rules []rule.Rule) (*Canonizer, error) { return compileWithin(rules, maxStates) }

// compileWithin is Compile with an automaton of at most most states.
func compileWithin(rules []rule.Rule, most int) (*Canonizer, error) {
	if len(rules) > maxRules {
		return nil, fmt.Errorf("compile rules: %d rules, at most %d", len(rules), maxRules)
	}
	for rank := range rules {
		if err := rules[rank].Validate(); err != nil {
			return nil, fmt.Errorf("compile rule %d: %w", rank, err)
		}
	}
	slots := rarest(rules)
	c := &Canonizer{rules: slices.Clone(rules), ranks: make([]uint32, len(slots)), automaton: newAutomaton(slots, most)}
	for i, s := range slots {
		c.ranks[i] = s.rank
	}
	return c, nil
}

// Len returns the number of rules.
func (c *Canonizer) Len() int { return len(c.rules) }

// Rule returns the rule with a rank.
func (c *Canonizer) Rule(rank int) rule.Rule { return c.rules[rank] }

// Outcome is the result of a canonization.
type Outcome struct {
	Rounds int // rounds that changed the URL
	End    End
}

// End is the reason why a canonization ended.
type End uint8

// The reasons why a canonization ends.
const (
	Settled  End = iota // a round changed nothing
	Restless            // MaxRounds rounds changed the URL
	TooLong             // the URL is longer than rule.MaxBytes, or became longer
)

var endNames = [...]string{"settled", "restless", "too_long"}

// String returns the name of the end in statistics.
func (e End) String() string { return endNames[e] }

// Changed reports whether the URL differs from its canonical form.
func (o Outcome) Changed() bool { return o.End == Settled && o.Rounds > 0 }

// Canon returns the canonical form of a mined string. A round applies all rules once, in
// order, each to the result of the rule before. Rounds are repeated until a round changes
// nothing (section 6 of the paper). A URL that does not settle is returned unchanged,
// since any other result would depend on the number of rounds. So a canonical form is its
// own canonical form.
//
// If the outcome is Changed, out lies in dst's memory, which Canon may overwrite, or in
// new memory if dst is too small (three times the URL mostly suffices). Otherwise out is
// url. Canon does not write to url, and url must not overlap dst. There is no other
// allocation. For the cost see the package comment; at worst O(MaxRounds · rules ·
// rule.MaxBytes).
func (c *Canonizer) Canon(dst, url []byte) (out []byte, end Outcome) {
	h := chain{c: c, url: url}
	dst = dst[:0]
	for ok := true; ok; {
		dst, _, ok = h.step(dst)
	}
	return h.result(dst), h.end
}

// Steps yields each edit on the way to the canonical form: the rank of the rule, and the
// edited URL, valid until the next iteration. If the URL settles, the last step is the
// canonical form. Otherwise the steps end where canonization stops.
func (c *Canonizer) Steps(url []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		h := chain{c: c, url: url}
		for buf, rank, ok := h.step(nil); ok && yield(rank, h.text(buf)); {
			buf, rank, ok = h.step(buf)
		}
	}
}

// Unsafe searches URLs for one that does not settle. If there is none, the rules are safe
// over them: every canonization ends in fewer than MaxRounds rounds, and every result is
// its own canonical form. Unsafe returns the URL that does not settle and the greatest
// rank among the rules that edited it, or nil and -1. The rule with this rank is to be
// left out, since the rules before were validated without it. A URL that is too long is
// skipped.
func (c *Canonizer) Unsafe(urls iter.Seq[[]byte]) (url []byte, rank int) {
	var buf []byte
	for url := range urls {
		out, end := c.Canon(buf, url)
		if end.Changed() {
			buf = out
		}
		if end.End != Settled && len(url) <= rule.MaxBytes {
			return url, c.greatest(url)
		}
	}
	return nil, -1
}

// greatest returns the greatest rank among the rules that edit a URL.
func (c *Canonizer) greatest(url []byte) int {
	most := -1
	for rank := range c.Steps(url) {
		most = max(most, rank)
	}
	return most
}
