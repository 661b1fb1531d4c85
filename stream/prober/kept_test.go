package prober

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

func openedPair(n int, outcome string) *book.Opened {
	return &book.Opened{U: book.Side{URL: fmt.Sprint("/u", n)}, V: book.Side{URL: fmt.Sprint("/v", n)}, Outcome: outcome, At: int64(n + 1)}
}

// Of a trial's pairs those that speak against its rule stay longest. A pair of the next look takes the place of the pair.
func TestEvidenceOfTrial(t *testing.T) {
	e := NewEvidence()
	for i := range 3 * mostLast {
		e.look("a.example", openedPair(i, map[bool]string{true: "different", false: "similar"}[i < 5]))
	}
	e.look("a.example", openedPair(0, "missing"))
	last, _ := e.kept.Peek(ofRule{"a.example", ""})
	if len(last) != mostLast || last[0].U.URL != "/u1" || last[mostLast-1].Outcome != "missing" {
		t.Errorf("%d pairs, %+v", len(last), last[0])
	}
	v := &book.Entry{ID: "r", Verdict: rule.Verdict{Examples: []rule.Example{{U: "/u0", V: "/v0"}, {U: "/gone", V: "/v"}, {U: "/u3", V: "/v3"}}}}
	if saved := e.settle("a.example", v); len(saved) != 1 || len(saved[0].Pairs) != 2 {
		t.Errorf("saved %+v", saved)
	}
	if saved := e.settle("a.example", v); saved != nil {
		t.Errorf("saved once more: %+v", saved)
	}
	if of := e.of("a.example", v); len(of) != 3 || of[0].At == 0 || of[1].At != 0 || of[2].At == 0 {
		t.Errorf("%+v", of)
	}
}

// The evidence of 10^5 sites is bounded, and a site without trials takes nothing.
func TestEvidenceIsBounded(t *testing.T) {
	e := NewEvidence()
	e.kept.Most = 1 << 20
	pair := openedPair(1, "different")
	pair.Words = slices.Repeat([]book.Words{{U: strings.Repeat("w", 100)}}, 40)
	for i := range 100_000 {
		e.put(ofRule{fmt.Sprint("www", i, ".example"), "r"}, []book.Opened{*pair})
	}
	sum := int64(0)
	for _, c := range e.all(func(string) bool { return true }) {
		sum += bytesOfPairs(c.Pairs)
	}
	if sum != e.kept.Bytes || sum > e.kept.Most || sum < e.kept.Most/2 || !e.kept.Contains(ofRule{"www99999.example", "r"}) {
		t.Errorf("%d bytes, counted as %d", sum, e.kept.Bytes)
	}
}
