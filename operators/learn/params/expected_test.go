package params

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// TestExpected mines generated URL lists whose rules other programs have computed.
// DUSTBUSTER_DATA names the folder that holds expected/random.
func TestExpected(t *testing.T) {
	data := os.Getenv("DUSTBUSTER_DATA")
	if data == "" {
		t.Skip("SKIPPED: set DUSTBUSTER_DATA to the data folder to compare with expected/random/*.params.jsonl")
	}
	lists, err := filepath.Glob(filepath.Join(data, "expected/random/*.urls.tsv"))
	if err != nil || len(lists) == 0 {
		t.Fatalf("no lists in %s: %v", data, err)
	}
	total := 0
	for _, list := range lists {
		w := newWorld(Options{Similarity: evidence.Similarity{Tolerance: 0.01}})
		readList(t, w, list)
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

// readList admits the lines of a URL list and folds their sizes.
func readList(t *testing.T, w *world, file string) {
	for line := range strings.Lines(read(t, file)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 3 {
			t.Fatalf("%s: %q", file, line)
		}
		status, n := number(t, f[1]), int64(number(t, strings.Replace(f[2], "-", "0", 1)))
		if status < 200 || status > 299 || status == 204 || status == 206 || !strings.HasPrefix(f[0], "/") {
			continue
		}
		url := mined(f[0])
		e := slices.Clone(w.held[url])
		switch {
		case n <= 0:
		case len(e) == 0:
			e = size(n)
		default:
			e[0].Min, e[0].Max = min(e[0].Min, n), max(e[0].Max, n)
		}
		w.put(url, e)
	}
}

// mined returns the mined string of a request's target.
func mined(target string) string {
	target, _, _ = strings.Cut(target, "#")
	var b strings.Builder
	for _, c := range []byte(target) {
		if strings.IndexByte(" \"<>", c) >= 0 || c >= 0x80 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func readRules(t *testing.T, file string) []Rule {
	rules := []Rule{}
	d := json.NewDecoder(bytes.NewReader([]byte(read(t, file))))
	for d.More() {
		var o struct {
			Param               string
			Scope               struct{ Path, Param, Value *string }
			Support, Comparable int
		}
		if err := d.Decode(&o); err != nil {
			t.Fatal(err)
		}
		r := Rule{Param: o.Param, Support: o.Support, Comparable: o.Comparable}
		r.Scope.Path, r.Scope.HasPath = optional(o.Scope.Path)
		r.Scope.Where = where(o.Scope.Param, o.Scope.Value)
		rules = append(rules, r)
	}
	return rules
}

func where(param, value *string) (c [2]rule.Condition) {
	c[0].Param, _ = optional(param)
	c[0].Value, c[0].HasValue = optional(value)
	return c
}

func optional(s *string) (string, bool) {
	if s == nil {
		return "", false
	}
	return *s, true
}

func number(t *testing.T, s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func read(t *testing.T, file string) string {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
