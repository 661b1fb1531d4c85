package html

import (
	"regexp"
	"strings"
	"testing"

	"dustbuster/operators/rule"

	"golang.org/x/net/html"
)

// insider are words that only this program has. They are for JSON and the code, and stand in no report.
var insider = regexp.MustCompile(`(?i)\b(withheld|tally|neither told|provisional\w*|candidates?|verdicts?|crowded|panes?|shed|likely rules?|valid rules?|without proof|pages they had|trials?|proves? nothing|envelopes?|weight)\b`)

// No report shows a word that only this program has.
func TestWords(t *testing.T) {
	drop := rule.Rule{Edit: rule.Drop{Param: "a"}}
	m := world("www.example.org", "a", 60)
	for _, c := range []struct {
		name string
		site *Site
		o    Options
	}{
		{"suggested", withLikely(m), Options{}},
		{"tested", withRules(m, drop), Options{Tried: true}},
		{"all", all(m, "a", "unsteady"), Options{Tried: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, err := html.Parse(strings.NewReader(reportOf(t, c.o, c.site)))
			must(t, err)
			for n := range root.Descendants() {
				if n.Type != html.TextNode || n.Parent.Data == "style" || n.Parent.Data == "script" || n.Parent.Data == "code" {
					continue
				}
				if word := insider.FindString(n.Data); word != "" {
					t.Errorf("%q in %.200s", word, n.Data)
				}
			}
		})
	}
}
