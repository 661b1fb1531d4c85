package integration

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
)

// Few rules of real logs look like secrets, so that run and validate hide them, and none
// of these rules is true: docs/bench.md has the figures.
func TestHiddenRules(t *testing.T) {
	t.Parallel()
	dir := dataFolder(t)
	for _, log := range []string{"logs/semicomplete", "logs/nasa95", "logs/nspw", "logs/bplogs", "sites/docs/access", "sites/gitweb/access"} {
		var of, hidden, drops, hiddenDrops int
		for line := range bytes.Lines(mineOnline(t, filepath.Join(dir, log+".log.gz"))) {
			var w rule.WireLikely
			must(t, json.Unmarshal(line, &w))
			r, err := w.Rule()
			must(t, err)
			drop, hides := btoi(r.Kind() == rule.KindDrop), btoi(w.Secret)
			of, hidden, drops, hiddenDrops = of+1, hidden+hides, drops+drop, hiddenDrops+drop*hides
		}
		t.Logf("%-22s %3d of %3d rules are hidden, %d of %2d of parameters", log, hidden, of, hiddenDrops, drops)
		if 50*hidden > of || hiddenDrops > 0 {
			t.Errorf("%s: %d of %d rules are hidden, %d of parameters", log, hidden, of, hiddenDrops)
		}
	}
	for _, site := range []string{"docs", "gitweb"} {
		truth, _, _ := strings.Cut(string(readFile(t, filepath.Join(dir, "sites", site, "rules.tsv"))), "# expected false")
		for line := range strings.Lines(truth) {
			text := strings.ReplaceAll(strings.TrimSpace(line), "\t", "\n")
			if (secret.Veil{}).HidesBut(text, secret.IsObject) {
				t.Errorf("%s: a true rule is hidden: %s", site, line)
			}
		}
	}
}

func btoi(is bool) int {
	if is {
		return 1
	}
	return 0
}
