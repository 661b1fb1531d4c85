package integration

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A crawler that reads lists of rules, or follows the topic of rules, gets rules and the
// canonizer with the package, and nothing of the learners, the trials, the table or the machines
// of rules, and no library of statistics.
func TestCrawlersImportNoLearner(t *testing.T) {
	t.Parallel()
	lists := []string{"operators/rule/canon", "operators/rule/dust", "operators/url/urlnorm", "operators/rule/report", "operators/rule", "stream/rules"}
	for _, c := range []struct {
		client  string
		allowed []string
	}{
		{"operators/rule", []string{"operators/rule/dust", "operators/rule", "operators/url/urlnorm"}},
		{"stream/rules", lists},
		{"stream/subscribe", append([]string{"operators/publish/ledger", "stream/kafka", "stream/subscribe"}, lists...)},
	} {
		list := exec.Command("go", "list", "-deps", "./"+c.client)
		list.Dir = ".."
		out, err := list.Output()
		must(t, err)
		own := 0
		for _, path := range strings.Fields(string(out)) {
			if strings.HasPrefix(path, "gonum.org/") {
				t.Errorf("%s imports %s", c.client, path)
			}
			name, is := strings.CutPrefix(path, module)
			if !is {
				continue
			}
			if own++; !slices.Contains(c.allowed, name) {
				t.Errorf("%s imports %s", c.client, name)
			}
		}
		if own < 3 {
			t.Errorf("only %d packages of the module are listed for %s", own, c.client)
		}
	}
}
