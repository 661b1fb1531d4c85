package integration

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A crawler that reads lists of rules gets rules and the canonizer with them, and nothing
// of the learners, the table or the trials.
func TestCrawlersImportNoLearner(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "./stream/rules")
	list.Dir = ".."
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{"operators/canon", "operators/dust", "operators/urlnorm", "operators/rule", "operators/trial", "stream/rules"}
	own := 0
	for _, path := range strings.Fields(string(out)) {
		name, is := strings.CutPrefix(path, module)
		if !is {
			continue
		}
		if own++; !slices.Contains(allowed, name) {
			t.Errorf("stream/rules imports %s", name)
		}
	}
	if own < 3 {
		t.Errorf("only %d packages of the module are listed", own)
	}
}
