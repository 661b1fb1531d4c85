package forms

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/operators/rule"
)

// A scope is covered if it is within a likely one, by the plain definition.
func TestCoveredIsPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 52))
	for range 300 {
		likely, folders, all := map[rule.Scope]bool{}, map[rule.Scope]bool{}, map[rule.Scope]bool{}
		for range 6 {
			rest := fmt.Sprintf("/%c/%c/x%d?p=%d&q=%d", 'a'+rng.IntN(2), 'a'+rng.IntN(2), rng.IntN(3), rng.IntN(2), rng.IntN(2))
			for s := range ScopesOf(rest) {
				all[s] = true
			}
			for folder := range Folders(rest) {
				all[rule.Scope{Prefix: folder}] = true
			}
		}
		delete(all, rule.Scope{})
		for _, s := range slices.Collect(maps.Keys(all)) {
			if rng.IntN(4) > 0 {
				continue
			}
			if s == (rule.Scope{Prefix: s.Prefix}) {
				folders[s] = true
			} else {
				likely[s] = true
			}
		}
		for s := range all {
			plain := false
			for _, some := range []map[rule.Scope]bool{folders, likely} {
				for wide := range some {
					plain = plain || Within(&s, &wide)
				}
			}
			if got := inFolder(s, folders) || covered(s, likely); got != plain {
				t.Fatalf("%+v: covered %v, want %v by %v and %v", s, got, plain, folders, likely)
			}
		}
	}
}
