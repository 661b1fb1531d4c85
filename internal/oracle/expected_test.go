package oracle

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"dustbuster/operators/window/evidence"
)

// dataFolder returns the folder of real logs and of the results of other programs. The
// folder is not part of the repository.
func dataFolder(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("DUSTBUSTER_DATA")
	if folder == "" {
		t.Skip("SKIPPED: no comparison with the results of independent programs: " +
			"set DUSTBUSTER_DATA to the folder that holds expected/, logs/ and sites/")
	}
	return folder
}

func TestExpectedRandom(t *testing.T) {
	folder := filepath.Join(dataFolder(t), "expected", "random")
	lists, err := filepath.Glob(filepath.Join(folder, "*.urls.tsv"))
	if err != nil || len(lists) != 60 {
		t.Fatalf("%d lists in %s, want 60 (%v)", len(lists), folder, err)
	}
	o := DefaultOptions()
	for _, list := range lists {
		got := Refine(Likely(o, Supports(o, readList(t, list))))
		compareRules(t, got, strings.TrimSuffix(list, ".urls.tsv")+".rules.jsonl")
	}
}

// numbers are the counts of independent programs.
type numbers struct{ hits, urls, substrings int }

// phases are counts for one tolerance: pairs with a count above zero, likely rules,
// survivors.
type phases struct{ pairs, likely, refined int }

func TestExpectedReal(t *testing.T) {
	folder := dataFolder(t)
	for _, list := range []struct {
		name, log   string
		big         bool
		numbers     numbers
		exact, near phases
	}{
		{"semicomplete", "logs/semicomplete.log.gz", false, numbers{9091, 1340, 180977}, phases{7576, 854, 66}, phases{8777, 960, 73}},
		{"nasa95", "logs/nasa95.log.gz", false, numbers{27876, 1735, 256218}, phases{3057, 17, 7}, phases{3956, 23, 8}},
		{"nspw", "logs/nspw.log.gz", false, numbers{35711, 1922, 240051}, phases{8968, 1007, 133}, phases{9915, 1024, 139}},
		{"bplogs", "logs/bplogs.log.gz", true, numbers{393246, 7758, 1574399}, phases{37918, 2720, 364}, phases{67067, 4995, 759}},
		{"docs", "sites/docs/access.log.gz", true, numbers{18546, 18546, 2798997}, phases{57325, 5797, 737}, phases{63296, 7317, 944}},
		{"gitweb", "sites/gitweb/access.log.gz", true, numbers{6366, 6366, 2796406}, phases{12659, 1266, 230}, phases{51173, 4473, 318}},
	} {
		if list.big && !*long {
			continue // takes seconds and a gigabyte
		}
		t.Run(list.name, func(t *testing.T) {
			pages, hits := readLog(t, filepath.Join(folder, list.log))
			buckets := Group(DefaultOptions(), pages)
			shape := buckets.shape(DefaultOptions(), pages)
			if got := (numbers{hits, len(pages), shape.Substrings}); got != list.numbers {
				t.Errorf("hits, URLs, substrings: %v, want %v", got, list.numbers)
			}
			t.Log(shape)
			compareReal(t, buckets, 0, list.exact, filepath.Join(folder, "expected/exact", list.name+".rules.jsonl"))
			compareReal(t, buckets, 0.01, list.near, filepath.Join(folder, "expected/default", list.name+".rules.jsonl"))
		})
	}
}

func compareReal(t *testing.T, buckets Buckets, tolerance float64, want phases, file string) {
	t.Helper()
	o := DefaultOptions()
	o.Similarity.Tolerance = tolerance
	supports := buckets.Supports(o)
	likely := Likely(o, supports)
	refined := Refine(likely)
	if got := (phases{len(supports), len(likely), len(refined)}); got != want {
		t.Errorf("tolerance %v: pairs, likely, refined: %v, want %v", tolerance, got, want)
	}
	compareRules(t, refined, file)
}

// compareRules compares rules with a file of expected rules, in order.
func compareRules(t *testing.T, got []Rule, file string) {
	t.Helper()
	want := readRules(t, file)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Errorf("%s: %d rules, want %d; rule %d is the first to differ: %s, want %s",
				file, len(got), len(want), i+1, show(got, i), show(want, i))
			return
		}
	}
}

func show(rules []Rule, i int) string {
	if i >= len(rules) {
		return "nothing"
	}
	return fmt.Sprintf("%+v", rules[i])
}

func readRules(t *testing.T, file string) []Rule {
	var rules []Rule
	for line := range lines(t, file) {
		var r struct {
			Alpha, Beta string
			AtStart     bool `json:"at_start"`
			AtEnd       bool `json:"at_end"`
			Support     int
			High        int `json:"support_high"`
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		rules = append(rules, Rule{Pair{r.Alpha, r.Beta, r.AtStart, r.AtEnd}, Count{r.Support, r.High}})
	}
	return rules
}

// readList reads a list of URL, status, size, separated by tabs.
func readList(t *testing.T, file string) []evidence.Page {
	var l pageList
	for line := range lines(t, file) {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			t.Fatalf("%s: %q", file, line)
		}
		if countsStatus(fields[1]) {
			l.add(fields[0], fields[2])
		}
	}
	return l.pages
}

// pageList folds hits into pages.
type pageList struct {
	pages []evidence.Page
	at    map[string]int
}

// add folds one hit. A size that is not a number above zero is no evidence.
func (l *pageList) add(url, size string) {
	if l.at == nil {
		l.at = map[string]int{}
	}
	i, ok := l.at[url]
	if !ok {
		i = len(l.pages)
		l.at[url] = i
		l.pages = append(l.pages, evidence.Page{URL: url})
	}
	n, err := strconv.ParseInt(size, 10, 64)
	if err != nil || n <= 0 {
		return
	}
	l.pages[i].Evidence = widen(l.pages[i].Evidence, evidence.Span{Min: n, Max: n})
}

// lines yields the lines of a file, which may be compressed.
func lines(t *testing.T, file string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		s := bufio.NewScanner(text(t, f))
		s.Buffer(nil, 1<<24)
		for s.Scan() {
			if !yield(s.Text()) {
				return
			}
		}
		if err := s.Err(); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
}
