package integration

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	action = regexp.MustCompile(`(?m)^[- ]*uses: *(\S+)`)
	pinned = regexp.MustCompile(`@(v\d+\.\d+\.\d+|[0-9a-f]{40})$`)
)

// A workflow names the whole version of each action, and looks for vulnerabilities.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d workflows, %v", len(files), err)
	}
	var all strings.Builder
	for _, file := range files {
		text := string(readFile(t, file))
		all.WriteString(text)
		for _, used := range action.FindAllStringSubmatch(text, -1) {
			if !pinned.MatchString(used[1]) {
				t.Errorf("%s: %s is not pinned: name its whole version, such as v1.2.3", file, used[1])
			}
		}
	}
	if !strings.Contains(all.String(), "run: make vuln\n") || !strings.Contains(string(readFile(t, "../Makefile")), "golang.org/x/vuln/cmd/govulncheck@v") {
		t.Error("no workflow runs govulncheck: make vuln")
	}
}
