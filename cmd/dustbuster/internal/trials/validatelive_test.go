package trials

import (
	"bytes"
	"strings"
	"testing"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// Rules that are found valid are told as they are found; on a terminal, so are the rules that
// are refuted, with a pair that refuted each. Each state of a rule is told once.
func TestVerdictsAreTold(t *testing.T) {
	c := config.MineDefaults()
	c.Validate.Origin = "http://127.0.0.1:1"
	verdict := func(id, from string, state rule.State) tried {
		e := book.Entry{ID: id, Rule: rule.Rule{Edit: rule.Substring{From: from, To: "/"}}, State: state}
		e.Verdict = rule.Verdict{Positives: 58, Examples: []rule.Example{{U: "/u", V: "/v", Outcome: "different"}}}
		return tried{"", e}
	}
	for _, test := range []struct {
		live bool
		want string
	}{
		{false, "dustbuster: confirmed: write …/a/… as …/… (58 pages match, 0 differ; 0 requests so far)\n"},
		{true, "dustbuster: confirmed: write …/a/… as …/… (58 pages match, 0 differ; 0 requests so far)\ndustbuster: not confirmed: write …/b/… as …/… (different pages: /u and /v)\n"},
	} {
		all, err := newTrying(&c, true, nil, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		show := cli.StartProgress(&out, "x", nil)
		show.Live = test.live
		for range 2 {
			all.take(verdict("1", "/a/", rule.Valid))
			all.take(verdict("2", "/b/", rule.Refuted))
			all.take(verdict("3", "/c/", rule.Undecided))
			all.tell(show)
		}
		show.Stop()
		if out.String() != test.want {
			t.Errorf("on a terminal %v:\n%s\nwant\n%s", test.live, &out, test.want)
		}
		if now := all.now(40); !strings.HasPrefix(now, "0 requests, 0 % merged, 0 rules left") {
			t.Errorf("before the first trial: %q", now)
		}
	}
}
