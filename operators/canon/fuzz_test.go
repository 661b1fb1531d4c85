package canon

import (
	"strings"
	"testing"

	"dustbuster/operators/rule"
)

// readRules reads rules from any text. A line is a rule: a byte for the kind, the anchors
// and the members of the scope, and then the texts, separated by blanks.
func readRules(text string) (rules []rule.Rule) {
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" {
			continue
		}
		flags, f := line[0], append(strings.Split(line[1:], " "), make([]string, 6)...)
		r := rule.Rule{Kind: rule.Kind(flags & 3)}
		if r.Kind == rule.Substring {
			r.From, r.To, r.AtStart, r.AtEnd = f[0], f[1], flags&4 > 0, flags&8 > 0
		} else {
			r.Param, r.Value = f[0], f[1]
		}
		if r.Scope.HasPath = flags&16 > 0; r.Scope.HasPath {
			r.Scope.Path = f[2]
		}
		r.Scope.Param, r.Scope.Prefix = f[3], f[5]
		if r.Scope.HasValue = flags&32 > 0; r.Scope.HasValue {
			r.Scope.Value = f[4]
		}
		if r.Validate() == nil && len(rules) < 20 {
			rules = append(rules, r)
		}
	}
	return rules
}

// For any rules and URL, the canonizer equals the plain loop.
func FuzzCanon(f *testing.F) {
	f.Add("@a b\n@b c d\nD/a /\nH.html", "/a/b.html")
	f.Add("Asid\nBsort 0\nQh   a\nq/ / h a 1", "/?sid=1&a=1;h=2&sort=3&h")
	f.Add("@abcdefghi x\n@abcdefgh y\n@ijk ijklmnop", "/abcdefgh/abcdefghi/ijklmnopq")
	f.Add("@41 x\n@%41 y\n@%C3%A9 e\n@x z   /a%\n@%4 %41", "/a%41%2F41/%C3%A9-%C3%A9a?%4=%4&x")
	f.Fuzz(func(t *testing.T, text, url string) {
		rules := readRules(text)
		same(t, compile(t, rules), rules, url, nil)
	})
}
