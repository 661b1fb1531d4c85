package rules_test

import (
	"strings"
	"testing"

	"dustbuster/stream/rules"
)

// A rule whose text mine has hidden is no rule: it is left out by its line.
func TestHiddenCandidates(t *testing.T) {
	const masked = `{"schema":2,"site":"","kind":"substring","alpha":"/***","beta":"","at_start":false,"at_end":false,"scope":{},"support":10,"secret":true}` + "\n"
	var out []string
	all, err := rules.ReadCandidates(strings.NewReader(masked+strings.ReplaceAll(masked, `,"secret":true`, "")), func(err error) { out = append(out, err.Error()) })
	if err != nil || len(all[""]) != 1 || len(out) != 1 || !strings.HasPrefix(out[0], "line 1 is not tested") {
		t.Errorf("%v, left out %q, %v", all, out, err)
	}
}
