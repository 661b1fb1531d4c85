package export

import (
	"strings"
	"testing"

	"dustbuster/internal/expect"

	"github.com/dlclark/regexp2"
)

var compiled = map[string]*regexp2.Regexp{} // the last ones

// compile compiles an expression for an engine with looks behind and \G.
func compile(t *testing.T, pattern string) *regexp2.Regexp {
	t.Helper()
	if e := compiled[pattern]; e != nil {
		return e
	}
	e, err := regexp2.Compile(pattern, regexp2.None)
	if err != nil {
		t.Fatalf("compile %s: %v", pattern, err)
	}
	if len(compiled) == 100 {
		clear(compiled)
	}
	compiled[pattern] = e
	return e
}

// expand returns the replacement for a match; groups without a match are empty.
func expand(to []part, m *regexp2.Match) string {
	var b strings.Builder
	for _, p := range to {
		if p.group > 0 {
			b.WriteString(m.GroupByNumber(p.group).String())
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// replaceAll replaces all matches, like java.util.regex.Matcher.replaceAll.
func replaceAll(t *testing.T, e edit, s string) string {
	t.Helper()
	var b strings.Builder
	at := 0
	re := compile(t, e.pattern)
	m, err := re.FindStringMatch(s)
	for ; m != nil && err == nil; m, err = re.FindNextMatch(m) {
		b.WriteString(s[at:m.Index])
		b.WriteString(expand(e.to, m))
		at = m.Index + m.Length
	}
	must(t, err)
	return b.String() + s[at:]
}

// replaceWhole replaces the whole text by the edit's result, if the edit matches the whole
// text.
func replaceWhole(t *testing.T, e edit, s string) (string, bool) {
	t.Helper()
	m, err := compile(t, e.pattern).FindStringMatch(s)
	must(t, err)
	if m == nil {
		return s, false
	}
	if m.Index != 0 || m.Length != len(s) {
		t.Fatalf("%s matches %q of %q", e.pattern, m.String(), s)
	}
	return expand(e.to, m), true
}

func matches(t *testing.T, pattern, s string) bool {
	t.Helper()
	is, err := compile(t, pattern).MatchString(s)
	must(t, err)
	return is
}

// must ends a test at an error.
var must = expect.NoError
