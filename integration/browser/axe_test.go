package browser

import (
	"cmp"
	"encoding/json"
	"os"
	"testing"
)

// axe returns the source of axe-core, or "" if axe-core is not there. The test is then marked
// as skipped at its end, unless it has failed.
func axe(t *testing.T) string {
	t.Helper()
	path := cmp.Or(os.Getenv("DUSTBUSTER_AXE"), "../../bin/axe/node_modules/axe-core/axe.min.js")
	source, err := os.ReadFile(path)
	if err != nil {
		t.Logf("ACCESSIBILITY IS NOT CHECKED: no axe-core: make deps installs it (%v)", err)
		return ""
	}
	return string(source)
}

// checkAxe reports every violation that axe-core finds on the page.
func (b *tab) checkAxe(where, source string) {
	b.t.Helper()
	if source == "" {
		return
	}
	eval[int](b, source+";0")
	found := eval[string](b, `axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations.map(v => ({id: v.id, help: v.help, nodes: v.nodes.slice(0, 3).map(n => n.html + " " + n.failureSummary)}))))`)
	var violations []struct {
		ID, Help string
		Nodes    []string
	}
	if err := json.Unmarshal([]byte(found), &violations); err != nil {
		b.t.Fatal(err)
	}
	for _, v := range violations {
		b.t.Errorf("%s: axe: %s: %s\n%q", where, v.ID, v.Help, v.Nodes)
	}
}
