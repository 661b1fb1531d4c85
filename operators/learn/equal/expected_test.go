package equal

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/read/weblog"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
)

// TestExpected compares the rules of real logs with the rules that other programs have
// computed. DUSTBUSTER_DATA names the folder of both.
func TestExpected(t *testing.T) {
	for list, log := range realLogs {
		t.Run(list, func(t *testing.T) {
			got, _ := Learn(Options{Envelope: envelope.Defaults()}, readLog(t, log), never)
			want := readRules(t, filepath.Join(dataFolder(t), "expected/equal", list+".rules.jsonl"))
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
		b.Run(list, func(b *testing.B) { learn(b, readLog(b, log)) })
	}
}

func dataFolder(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("DUSTBUSTER_DATA")
	if folder == "" {
		t.Skip("SKIPPED: needs real logs; set DUSTBUSTER_DATA to their folder")
	}
	return folder
}

// readLog returns the URL list of a log.
func readLog(t testing.TB, name string) []evidence.Page {
	gate, err := admit.New(admit.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	parser, err := weblog.New("combined")
	if err != nil {
		t.Fatal(err)
	}
	var pages []evidence.Page
	number := map[string]int{}
	for lines := open(t, filepath.Join(dataFolder(t), name)); lines.Scan(); {
		var h weblog.Hit
		var o evidence.Observation
		if parser.Parse(&h, lines.Bytes()) != nil {
			continue
		}
		if _, why := gate.Admit(&o, &h); why != admit.Admitted {
			continue
		}
		i, known := number[string(o.URL)]
		if !known {
			i = len(pages)
			number[string(o.URL)] = i
			pages = append(pages, evidence.Page{URL: string(o.URL)})
		}
		pages[i].Join(&o)
	}
	return pages
}

func open(t testing.TB, path string) *bufio.Scanner {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	var text io.Reader = f
	if filepath.Ext(path) == ".gz" {
		if text, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	return bufio.NewScanner(text)
}

func readRules(t *testing.T, path string) (rules []rule.Likely) {
	for lines := open(t, path); lines.Scan(); {
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
