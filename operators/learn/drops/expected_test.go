package drops

import (
	"os"
	"strings"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// TestExpected learns from the logs of two crawls, whose rules other programs have
// computed.
func TestExpected(t *testing.T) {
	for _, site := range []string{"docs", "gitweb"} {
		pages := worlds.Log(t, worlds.Data(t, "sites", site, "access.log.gz"))
		rules, _ := Learn(defaults, pages, nil)
		got := lines(rules)
		want, err := os.ReadFile(worlds.Data(t, "expected/drops", site+".rules.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s, %d pages:\n got %s\nwant %s", site, len(pages), got, want)
		}
	}
}

var defaults = Options{Similarity: evidence.Similarity{Tolerance: 0.01}}

func lines(rules []rule.Likely) string {
	var b strings.Builder
	for _, r := range rules {
		b.WriteString(line(&r))
	}
	return b.String()
}
