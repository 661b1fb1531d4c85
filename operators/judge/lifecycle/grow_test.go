package lifecycle_test

import (
	"fmt"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// The site of this test answers every page below /print/, and redirects requests without
// /print/ to that directory. The shrinking directions of ^/print/ and ^/ would be sent
// back. The growing direction holds, and leaves pages already below /print/ unchanged.
func TestGrowingRule(t *testing.T) {
	w := noTown()
	for i := range 40 {
		for _, dir := range []string{"/", "/print/"} {
			w.Add(fmt.Sprintf("%sw%d", dir, i), fmt.Sprint("page ", i), int64(1000+37*i))
		}
	}
	m := w.machine(madeup.Options())
	fetch := func(u string) trial.Document {
		switch _, below := strings.CutPrefix(u, "/print/"); {
		case w.Text[u] == "":
			return trial.Document{Status: 404}
		case !below:
			return trial.Document{Status: 200, Redirected: true, Target: "/print" + u}
		}
		return trial.Document{Status: 200}
	}
	for now := range int64(10_000) {
		test, ok := m.Next(now * book.Hour)
		if !ok && m.Published().Sequence > 0 {
			break
		}
		if !ok {
			continue
		}
		u, v := fetch(test.U), fetch(test.V)
		m.Dialogue.Outcome(test, m.Dialogue.Measure(test, u, v, func() trial.Compared { return madeup.Compared(w.Shown(test.U), w.Shown(test.V)) }), 1, now*book.Hour)
	}
	rules := rulesOf(m)
	if len(rules) != 1 || !rules[0].Grows() {
		for _, e := range entries(m, "") {
			t.Logf("%s %+v", e.State, e.Rule)
		}
		t.Fatalf("L is\n%s", madeup.Words(rules))
	}
	for _, c := range []struct{ name, url, want string }{
		{"outside", "/w1", "/print/w1"},
		{"below", "/print/w1", "/print/w1"},
		{"a longer name", "/printer", "/print/printer"},
		{"the root", "/", "/print/"},
	} {
		if got, _ := forms.Compile(rules).Canon(nil, []byte(c.url)); string(got) != c.want {
			t.Errorf("%s: %s, want %s by %+v", c.name, got, c.want, rules[0])
		}
	}
	shrinking := rule.Rule{Edit: rule.Substring{From: rules[0].Sides().To, To: rules[0].Sides().From, AtStart: rules[0].Sides().AtStart, AtEnd: rules[0].Sides().AtEnd}}
	if e := entry(m, rule.ID("town", &shrinking)); e == nil || e.State != rule.Refuted || e.Verdict.Reason != book.ByReturn {
		t.Errorf("the other direction: %+v", e)
	}
}
