package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// conformance is one case of docs/conformance, whose README says what the members mean.
type conformance struct {
	Case      string            `json:"case"`
	Rules     []json.RawMessage `json:"rules"`
	Host      string            `json:"host,omitempty"`
	URL       string            `json:"url"`
	Canonical string            `json:"canonical"`
	Steps     []string          `json:"steps"`
	Refused   bool              `json:"refused,omitempty"`
}

func conformanceCases(t *testing.T, name string) (cases []conformance) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "conformance", name))
	must(t, err)
	for line := range bytes.Lines(data) {
		var c conformance
		must(t, json.Unmarshal(line, &c))
		cases = append(cases, c)
	}
	return cases
}

// run returns the canonical form and the steps, or an error if the list is refused.
func (c *conformance) run() (canonical string, steps []string, err error) {
	list, err := c.list()
	if err != nil {
		return "", nil, err
	}
	sites, err := list.Compile()
	if err == nil && c.Host != "" {
		sites, err = sites.For(c.Host)
	}
	if err != nil {
		return "", nil, err
	}
	canonical, _ = sites.Canonical(c.URL)
	for step := range sites.Steps(c.URL) {
		for _, s := range list.Sites {
			if s.Name == step.Site {
				steps = append(steps, s.Records[step.Rank].ID)
			}
		}
	}
	return canonical, steps, nil
}

// written returns what is written of the case.
func (c *conformance) written() any {
	if !c.Refused {
		return c
	}
	return struct {
		Case    string            `json:"case"`
		Rules   []json.RawMessage `json:"rules"`
		Refused bool              `json:"refused"`
	}{c.Case, c.Rules, true}
}

func TestConformance(t *testing.T) {
	for _, name := range []string{"by-hand.jsonl", "cases.jsonl"} {
		for _, c := range conformanceCases(t, name) {
			canonical, steps, err := c.run()
			if (err != nil) != c.Refused || canonical != c.Canonical || !slices.Equal(steps, c.Steps) {
				t.Errorf("%s: %s, steps %q, %v; want %s, steps %q, refused %v", c.Case, canonical, steps, err, c.Canonical, c.Steps, c.Refused)
			}
		}
	}
}

var rewriteConformance = flag.Bool("rewrite-conformance", false, "write docs/conformance/cases.jsonl and the table of its README anew")

// The file of cases is what the generator makes, and the README counts the cases.
func TestConformanceIsGenerated(t *testing.T) {
	cases, table := generate(t)
	var lines bytes.Buffer
	out := json.NewEncoder(&lines)
	out.SetEscapeHTML(false)
	for _, c := range cases {
		must(t, out.Encode(c.written()))
	}
	path, readme := filepath.Join("..", "..", "docs", "conformance", "cases.jsonl"), filepath.Join("..", "..", "docs", "conformance", "README.md")
	text, err := os.ReadFile(readme)
	must(t, err)
	const begin, end = "<!-- the table is made by the generator -->\n", "<!-- end of the table -->"
	before, rest, _ := strings.Cut(string(text), begin)
	_, after, found := strings.Cut(rest, end)
	if !found {
		t.Fatal("the README has no place for the table")
	}
	whole := before + begin + table + end + after
	if *rewriteConformance {
		must(t, errors.Join(os.WriteFile(path, lines.Bytes(), 0o644), os.WriteFile(readme, []byte(whole), 0o644)))
	}
	if old, err := os.ReadFile(path); err != nil || !bytes.Equal(old, lines.Bytes()) || whole != string(text) && !*rewriteConformance {
		t.Errorf("docs/conformance is not what the generator makes: go test ./stream/rules -run Conformance -rewrite-conformance (%v)", err)
	}
}

// each is the number of cases of a group that change, and of those that stay.
const each = 22

// generate makes all cases, and the table that counts them.
func generate(t *testing.T) (cases []conformance, table string) {
	t.Helper()
	var rows strings.Builder
	rows.WriteString("| cases | change | stay | refused |\n|---|---|---|---|\n")
	for i, g := range groups {
		made := g.cases(uint64(i))
		if changed, stay, _ := count(made); changed < 20 || stay < 20 {
			t.Errorf("%s: %d cases change, %d stay", g.name, changed, stay)
		}
		row(&rows, g.name, made)
		cases = append(cases, made...)
	}
	lists := listCases()
	row(&rows, "lists of several kinds", lists)
	var odd []conformance
	for _, c := range readings() {
		made := caseFor("corner, "+c.name, c.rules, c.host, c.url)
		odd = append(odd, made)
		unknown := (strings.HasPrefix(c.name, "unknown") || strings.Contains(c.name, "unknown one") || strings.HasSuffix(c.name, "is unknown")) && !strings.HasSuffix(c.name, "not valid") || strings.HasPrefix(c.name, "precedence")
		if made.Refused != strings.HasPrefix(c.name, "refused") || made.isUnknown() != unknown {
			t.Errorf("%s: refused %v, unknown %v", c.name, made.Refused, made.isUnknown())
		}
	}
	row(&rows, "corners", odd)
	cases = append(append(cases, lists...), odd...)
	row(&rows, "all", cases)
	return cases, rows.String()
}

func row(out io.Writer, name string, cases []conformance) {
	changed, stay, refused := count(cases)
	fmt.Fprintf(out, "| %s | %d | %d | %d |\n", name, changed, stay, refused)
}

func count(cases []conformance) (changed, stay, refused int) {
	for _, c := range cases {
		switch {
		case c.Refused:
			refused++
		case len(c.Steps) > 0:
			changed++
		default:
			stay++
		}
	}
	return changed, stay, refused
}

// cases returns the cases of a group: as many that change as that stay.
func (g *group) cases(seed uint64) (all []conformance) {
	m := maker{rand.New(rand.NewPCG(seed, 17))}
	seen, changed, stay := map[string]bool{}, 0, 0
	for tries := 0; tries < 20000 && (changed < each || stay < each); tries++ {
		r, text := g.make(m)
		c := caseOf(fmt.Sprintf("%s %d", g.name, len(all)+1), []object{r}, host+text)
		key := string(c.Rules[0]) + c.URL
		if c.Refused || seen[key] || c.isUnknown() {
			continue
		}
		switch {
		case len(c.Steps) > 0 && changed < each:
			changed++
		case len(c.Steps) == 0 && stay < each && (g.near == nil || g.near(r, text)):
			stay++
		default:
			continue
		}
		seen[key] = true
		all = append(all, c)
	}
	return all
}

// listCases are lists of several rules of all kinds. All change their URL, nearly all in
// several steps.
func listCases() (all []conformance) {
	m := maker{rand.New(rand.NewPCG(99, 17))}
	for len(all) < 60 {
		rules, text := m.list()
		c := caseOf(fmt.Sprintf("list %d", len(all)+1), rules, host+text)
		if len(c.Steps) > len(all)/20 && !c.isUnknown() {
			all = append(all, c)
		}
	}
	return all
}

// isUnknown reports whether the list has a rule that this version does not know.
func (c *conformance) isUnknown() bool {
	list, err := c.list()
	return err == nil && list.Unknown > 0
}

func (c *conformance) list() (*List, error) {
	var text []byte
	for _, r := range c.Rules {
		text = append(append(text, r...), '\n')
	}
	return Read(bytes.NewReader(text))
}
