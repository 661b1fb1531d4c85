package rules

import (
	"bytes"
	"encoding/json"
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
	URL       string            `json:"url"`
	Canonical string            `json:"canonical"`
	Steps     []string          `json:"steps"`
	Refused   bool              `json:"refused"`
}

func conformanceCases(t *testing.T, name string) (cases []conformance) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "conformance", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var c conformance
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

// run returns the canonical form and the steps, or an error if the list is refused.
func (c *conformance) run() (canonical string, steps []string, err error) {
	list, err := Read(bytes.NewReader(bytes.Join(rawLines(c.Rules), []byte("\n"))))
	if err != nil {
		return "", nil, err
	}
	sites, err := list.Compile()
	if err != nil {
		return "", nil, err
	}
	canonical, _ = sites.Canonical(c.URL)
	for step := range sites.Steps(c.URL) {
		for _, s := range list.Sites {
			for i := range s.Rules {
				if s.Rules[i] == step.Rule {
					steps = append(steps, s.Records[i].ID)
				}
			}
		}
	}
	return canonical, steps, nil
}

// isComing reports whether the case needs a rule that docs/rules.md does not yet define.
func (c *conformance) isComing() bool {
	list, err := Read(bytes.NewReader(bytes.Join(rawLines(c.Rules), []byte("\n"))))
	return err == nil && list.Unknown > 0 && (strings.Contains(list.Why.Error(), `"except"`) || strings.Contains(list.Why.Error(), `"template"`))
}

func rawLines(messages []json.RawMessage) (lines [][]byte) {
	for _, m := range messages {
		lines = append(lines, m)
	}
	return lines
}

func TestConformance(t *testing.T) {
	for _, name := range []string{"by-hand.jsonl"} {
		for _, c := range conformanceCases(t, name) {
			if c.isComing() {
				continue
			}
			canonical, steps, err := c.run()
			if (err != nil) != c.Refused || canonical != c.Canonical || !slices.Equal(steps, c.Steps) {
				t.Errorf("%s: %s, steps %q, %v; want %s, steps %q, refused %v", c.Case, canonical, steps, err, c.Canonical, c.Steps, c.Refused)
			}
		}
	}
}
