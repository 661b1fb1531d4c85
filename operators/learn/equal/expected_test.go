package equal

import (
	"encoding/json"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// TestExpected compares the rules of real logs with the rules that other programs have
// computed.
func TestExpected(t *testing.T) {
	for list, log := range realLogs {
		t.Run(list, func(t *testing.T) {
			got, _ := Learn(Options{Envelope: envelope.Defaults()}, worlds.Log(t, worlds.Data(t, log)), worlds.Never)
			want := readRules(t, worlds.Data(t, "expected/equal", list+".rules.jsonl"))
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) || got[i] != want[i] {
					t.Fatalf("%d rules, want %d; rule %d is the first to differ: %+v, want %+v",
						len(got), len(want), i+1, got[min(i, len(got)):min(i+1, len(got))], want[min(i, len(want)):min(i+1, len(want))])
				}
			}
		})
	}
}

var realLogs = map[string]string{
	"semicomplete": "logs/semicomplete.log.gz", "nspw": "logs/nspw.log.gz", "bplogs": "logs/bplogs.log.gz",
	"docs": "sites/docs/access.log.gz", "gitweb": "sites/gitweb/access.log.gz",
}

// BenchmarkReal runs the learner over real logs.
func BenchmarkReal(b *testing.B) {
	for list, log := range realLogs {
		b.Run(list, func(b *testing.B) { learn(b, worlds.Log(b, worlds.Data(b, log))) })
	}
}

func readRules(t *testing.T, path string) (rules []rule.Likely) {
	for lines := worlds.Open(t, path); lines.Scan(); {
		var r struct {
			Alpha, Beta string
			AtStart     bool `json:"at_start"`
			AtEnd       bool `json:"at_end"`
			Support     int
			SupportHigh int `json:"support_high"`
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		pair := dust.Pair{Alpha: r.Alpha, Beta: r.Beta, AtStart: r.AtStart, AtEnd: r.AtEnd}
		rules = append(rules, likely(dust.Candidate{Pair: pair, Support: r.Support, SupportHigh: r.SupportHigh}))
	}
	return rules
}
