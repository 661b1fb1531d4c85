package integration

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/internal/expect"
	_ "dustbuster/internal/fewgc"
)

// program is the built command; TestMain makes it.
var program string

func TestMain(m *testing.M) {
	if told := os.Getenv(memberVariable); told != "" { // we are a process that a test has started
		if err := groupMember(told); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(testMain(m))
}

// together is how many tests run at a time that are parallel: they wait for servers and
// brokers more than they compute. The flag -parallel names another number.
const together = "8"

func testMain(m *testing.M) int {
	if err := flag.Set("test.parallel", together); err != nil { // before the command line is parsed
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	dir, err := os.MkdirTemp("", "dustbuster")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "dustbuster")
	flag.Parse()
	if out, err := build(dir, *off, "-o", program, "dustbuster/cmd/dustbuster"); err != nil {
		fmt.Fprintf(os.Stderr, "build dustbuster: %v\n%s", err, out)
		return 1
	}
	code := m.Run()
	if err := stopSites(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	return code
}

// must ends a test at an error.
var must = expect.NoError

// dataFolder is where the real logs are that cannot be shipped.
func dataFolder(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("DUSTBUSTER_DATA")
	if dir == "" {
		t.Skip("SKIPPED: needs real logs; set DUSTBUSTER_DATA to their folder")
	}
	return dir
}

// mine runs the program and returns what it printed, with the values of single clients.
func mine(t testing.TB, args ...string) []byte {
	t.Helper()
	return outputOf(t, append([]string{"mine", "--output", "json", "--no-withhold"}, args...)...)
}

// mineOnline is mine with the learners that are exact at every moment alone.
func mineOnline(t testing.TB, args ...string) []byte {
	t.Helper()
	return mine(t, append([]string{"--learners", "envelope,params"}, args...)...)
}

// The fields of a rule that an expected list names.
var (
	substringFields = []string{"schema", "alpha", "beta", "at_start", "at_end", "scope", "support", "support_high"}
	parameterFields = []string{"schema", "op", "params", "value", "scope", "support", "comparable"}
)

// ruleLines returns the rules of one kind, of each the named fields, in order.
// An empty kind is every line.
func ruleLines(t testing.TB, list []byte, kind string, fields []string) (lines []string) {
	t.Helper()
	for line := range bytes.Lines(list) {
		var rule map[string]json.RawMessage
		if err := json.Unmarshal(line, &rule); err != nil {
			t.Fatalf("rule %q: %v", line, err)
		}
		if kind != "" && string(rule["kind"]) != `"`+kind+`"` {
			continue
		}
		sayAsMine(t, line, rule)
		lines = append(lines, fieldsOf(t, rule, fields))
	}
	return lines
}

// sayAsMine turns a line of an expected list into the words of mine. The independent programs
// write one name as param, a condition as members of the scope, or path and conditions outside a
// scope; a condition without a value then asks for a parameter with one.
func sayAsMine(t testing.TB, line []byte, rule map[string]json.RawMessage) {
	t.Helper()
	type condition struct {
		Param  string  `json:"param"`
		Value  *string `json:"value,omitempty"`
		Valued bool    `json:"valued,omitempty"`
	}
	var said struct {
		Param string
		Path  *string
		Where []condition
		Scope struct {
			condition
			Path *string
		}
	}
	must(t, json.Unmarshal(line, &said))
	if rule["schema"] != nil {
		return
	}
	scope := struct {
		Path  *string     `json:"path,omitempty"`
		Where []condition `json:"where,omitempty"`
	}{cmp.Or(said.Path, said.Scope.Path), said.Where}
	for i := range scope.Where {
		scope.Where[i].Valued = scope.Where[i].Value == nil
	}
	if said.Scope.Param != "" {
		scope.Where = []condition{said.Scope.condition}
	}
	if said.Param != "" {
		rule["params"], rule["to"] = toJSON(t, []string{said.Param}), rule["value"]
		delete(rule, "value")
	}
	rule["schema"], rule["scope"] = json.RawMessage("2"), toJSON(t, scope)
}

func toJSON(t testing.TB, v any) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(v)
	must(t, err)
	return text
}

func fieldsOf(t testing.TB, rule map[string]json.RawMessage, fields []string) string {
	t.Helper()
	var b strings.Builder
	for _, name := range fields {
		value := rule[name]
		if name == "scope" { // key order aside
			var scope any
			if err := json.Unmarshal(value, &scope); err != nil {
				t.Fatalf("scope %q: %v", value, err)
			}
			value, _ = json.Marshal(scope)
		}
		fmt.Fprintf(&b, "%s=%s ", name, value)
	}
	return b.String()
}

// expectRules compares a mined list with two expected files.
func expectRules(t *testing.T, got []byte, rules, params string) {
	t.Helper()
	compare(t, ruleLines(t, got, "substring", substringFields), expectedLines(t, rules, substringFields))
	compare(t, ruleLines(t, got, "parameter", parameterFields), expectedLines(t, params, parameterFields))
}

// expectedLines returns the rules of an expected list, of each the named fields in the words of mine.
func expectedLines(t testing.TB, path string, fields []string) []string {
	t.Helper()
	return ruleLines(t, readFile(t, path), "", fields)
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return b
}

func compare(t *testing.T, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("rule %d of %d, want %d:\ngot  %s\nwant %s", i+1, len(got), len(want), at(got, i), at(want, i))
		}
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "none"
}

// The shipped log gives the rules that two independent batch programs found.
func TestMineShippedLog(t *testing.T) {
	log := "testdata/semicomplete.log.gz"
	expectRules(t, mineOnline(t, log), "testdata/semicomplete.default.rules.jsonl", "testdata/semicomplete.default.params.jsonl")
	expectRules(t, mineOnline(t, "--size-tolerance", "0", log), "testdata/semicomplete.exact.rules.jsonl", "testdata/semicomplete.exact.params.jsonl")
}

// And so do the six real lists.
func TestMineRealLogs(t *testing.T) {
	t.Parallel()
	dir := dataFolder(t)
	for _, c := range []struct{ name, log string }{
		{"semicomplete", "logs/semicomplete.log.gz"}, {"nasa95", "logs/nasa95.log.gz"}, {"nspw", "logs/nspw.log.gz"},
		{"bplogs", "logs/bplogs.log.gz"}, {"docs", "sites/docs/access.log.gz"}, {"gitweb", "sites/gitweb/access.log.gz"},
	} {
		for _, test := range []struct{ folder, tolerance string }{{"default", "0.01"}, {"exact", "0"}} {
			t.Run(c.name+"/"+test.folder, func(t *testing.T) {
				expected := filepath.Join(dir, "expected", test.folder, c.name)
				expectRules(t, mineOnline(t, "--size-tolerance", test.tolerance, filepath.Join(dir, c.log)), expected+".rules.jsonl", expected+".params.jsonl")
			})
		}
	}
}

// The learner of equal pages gives the rules that two other programs found in five lists.
func TestMineEqual(t *testing.T) {
	t.Parallel()
	dir := dataFolder(t)
	for _, c := range []struct{ name, log string }{
		{"semicomplete", "logs/semicomplete.log.gz"}, {"nspw", "logs/nspw.log.gz"},
		{"bplogs", "logs/bplogs.log.gz"}, {"docs", "sites/docs/access.log.gz"}, {"gitweb", "sites/gitweb/access.log.gz"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mine(t, "--learners", "equal", "--learner-rules", "0", filepath.Join(dir, c.log))
			want := expectedLines(t, filepath.Join(dir, "expected", "equal", c.name+".rules.jsonl"), substringFields)
			compare(t, ruleLines(t, got, "", substringFields), want)
			if lines := bytes.Count(got, []byte("\n")); bytes.Count(got, []byte(`,"learner":"equal"`)) != lines {
				t.Errorf("not all of %d lines name the learner", lines)
			}
		})
	}
}

// The learner of drops gives the rules that two other programs found in two lists, in order.
func TestMineDrops(t *testing.T) {
	t.Parallel()
	dir := dataFolder(t)
	for _, site := range []string{"docs", "gitweb"} {
		t.Run(site, func(t *testing.T) {
			got := mine(t, "--learners", "drops", "--learner-rules", "0", filepath.Join(dir, "sites", site, "access.log.gz"))
			want := expectedLines(t, filepath.Join(dir, "expected", "drops", site+".rules.jsonl"), parameterFields)
			compare(t, ruleLines(t, got, "", parameterFields), want)
			if lines := bytes.Count(got, []byte("\n")); bytes.Count(got, []byte(`,"learner":"drops"`)) != lines {
				t.Errorf("not all of %d lines name the learner", lines)
			}
		})
	}
}

// With all learners, the rules of the online learners are the first lines, byte for byte.
// The other lines name their learner and repeat no rule.
func TestMineAllLearners(t *testing.T) {
	t.Parallel()
	log := "testdata/semicomplete.log.gz"
	online, all := mineOnline(t, log), mine(t, log)
	more, ok := bytes.CutPrefix(all, online)
	if !ok || len(more) == 0 {
		t.Fatalf("the online learners' %d bytes are not the first of %d", len(online), len(all))
	}
	seen := map[string]bool{}
	for line := range bytes.Lines(all) {
		if sides := fmt.Sprint(ruleLines(t, line, "", []string{"kind", "alpha", "beta", "at_start", "at_end", "params", "op"})); seen[sides] && bytes.Contains(line, []byte(`"substring"`)) {
			t.Errorf("%s twice", sides)
		} else {
			seen[sides] = true
		}
	}
	for line := range bytes.Lines(more) {
		if !bytes.Contains(line, []byte(`,"learner":"`)) {
			t.Errorf("no learner: %s", line)
		}
	}
}

// And 60 made-up lists full of corners, 20 of them of escapes.
func TestMineRandomLists(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(dataFolder(t), "expected", "random")
	lists, err := filepath.Glob(filepath.Join(dir, "*.urls.tsv"))
	if err != nil || len(lists) != 60 {
		t.Fatalf("%d lists, %v; want 60", len(lists), err)
	}
	for _, list := range lists {
		t.Run(filepath.Base(list), func(t *testing.T) {
			expected := strings.TrimSuffix(list, ".urls.tsv")
			expectRules(t, mineOnline(t, list), expected+".rules.jsonl", expected+".params.jsonl")
		})
	}
}
