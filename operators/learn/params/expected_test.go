package params

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// TestExpected mines generated URL lists whose rules other programs have computed.
func TestExpected(t *testing.T) {
	lists, err := filepath.Glob(worlds.Data(t, "expected/random/*.urls.tsv"))
	if err != nil || len(lists) == 0 {
		t.Fatalf("no lists: %v", err)
	}
	total := 0
	for _, list := range lists {
		w := newWorld(Options{Similarity: evidence.Similarity{Tolerance: 0.01}})
		for _, p := range worlds.Table(t, list) {
			w.Set(p.URL, p.Evidence)
		}
		got := w.x.Likely()
		want := readRules(t, strings.TrimSuffix(list, ".urls.tsv")+".params.jsonl")
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %v\nwant %v", filepath.Base(list), got, want)
		}
		total += len(want)
		if err := w.x.Check(); err != nil {
			t.Errorf("%s: %v", filepath.Base(list), err)
		}
	}
	t.Logf("%d lists, %d rules", len(lists), total)
}

func readRules(t *testing.T, file string) (rules []rule.Likely) {
	for lines := worlds.Open(t, file); lines.Scan(); {
		var o struct {
			Param               string
			Scope               struct{ Path, Param, Value *string }
			Support, Comparable int
		}
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			t.Fatal(err)
		}
		var s rule.Scope
		s.Path, s.HasPath = optional(o.Scope.Path)
		s.Where[0].Param, _ = optional(o.Scope.Param)
		s.Where[0].Value, s.Where[0].HasValue = optional(o.Scope.Value)
		rules = append(rules, drop(o.Param, s, o.Support, o.Comparable))
	}
	return rules
}

func optional(s *string) (string, bool) {
	if s == nil {
		return "", false
	}
	return *s, true
}
