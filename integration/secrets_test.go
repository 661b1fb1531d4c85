package integration

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/operators/secret"
)

// Few rules of real logs look like secrets, and none that is true: the table in
// docs/bench.md.
func TestHiddenRules(t *testing.T) {
	dir := dataFolder(t)
	for _, log := range []string{"logs/semicomplete", "logs/nasa95", "logs/nspw", "logs/bplogs", "sites/docs/access", "sites/gitweb/access"} {
		path := filepath.Join(dir, log+".log.gz")
		all := mine(t, path)
		shown, err := exec.Command(program, "mine", "--output", "json", path).Output()
		if err != nil {
			t.Fatal(err)
		}
		of, drops := bytes.Count(all, []byte("\n")), bytes.Count(all, []byte(`"parameter"`))
		hidden, hiddenDrops := of-bytes.Count(shown, []byte("\n")), drops-bytes.Count(shown, []byte(`"parameter"`))
		t.Logf("%-22s %3d of %3d rules are hidden, %d of %2d of parameters", log, hidden, of, hiddenDrops, drops)
		if 50*hidden > of || hiddenDrops > 0 {
			t.Errorf("%s: %d of %d rules are hidden, %d of parameters", log, hidden, of, hiddenDrops)
		}
	}
	for _, site := range []string{"docs", "gitweb"} {
		truth, _, _ := strings.Cut(string(readFile(t, filepath.Join(dir, "sites", site, "rules.tsv"))), "# expected false")
		for line := range strings.Lines(truth) {
			text := strings.ReplaceAll(strings.TrimSpace(line), "\t", "\n")
			if (secret.Veil{}).HidesBut(text, secret.IsObject) { // the log of gitweb names its repositories
				t.Errorf("%s: a true rule is hidden: %s", site, line)
			}
		}
	}
}
