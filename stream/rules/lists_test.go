package rules

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf8"

	"dustbuster/internal/oracle/lists"
)

// formsOf returns the forms of the URLs of a list, or nil if it is refused.
func formsOf(l *lists.List) []string {
	list, err := Read(bytes.NewReader(l.Text))
	if err != nil {
		return nil
	}
	sites, err := list.Compile()
	if err != nil {
		return nil
	}
	forms := []string{}
	for _, url := range l.URLs {
		form, _ := sites.Canonical(url)
		forms = append(forms, form)
	}
	return forms
}

// Bad lists and lists to come are refused, switch off a site, or are applied, as docs/rules.md
// says.
func TestBadLists(t *testing.T) {
	outcomes := map[string]int{}
	for seed := range uint64(4000) {
		l := lists.Make(seed)
		got := formsOf(&l)
		if !slices.Equal(got, l.Forms) || (got == nil) != (l.Forms == nil) {
			t.Errorf("%d: %s: %q, want %q", seed, l.Name, got, l.Forms)
		}
		switch {
		case got == nil:
			outcomes["refused"]++
		case slices.ContainsFunc(l.URLs, func(url string) bool { return slices.Contains(got, url) }):
			outcomes["switched off"]++
		default:
			outcomes["applied"]++
		}
	}
	if len(outcomes) != 3 || outcomes["switched off"] < 300 || outcomes["applied"] < 300 || outcomes["refused"] < 300 {
		t.Errorf("outcomes: %v", outcomes)
	}
	t.Log(outcomes)
}

// sample is a line of docs/conformance/lists.jsonl, whose README says what the members mean.
type sample struct {
	Case    string   `json:"case"`
	List    string   `json:"list,omitempty"`
	Base64  []byte   `json:"base64,omitempty"`
	URLs    []string `json:"urls"`
	Forms   []string `json:"forms,omitempty"`
	Refused bool     `json:"refused,omitempty"`
}

// The sample of lists is what the generator makes, and this package reads each as it says.
func TestSampleOfLists(t *testing.T) {
	var lines bytes.Buffer
	out := json.NewEncoder(&lines)
	out.SetEscapeHTML(false)
	for seed := range uint64(60) {
		l := lists.Make(seed)
		if len(l.Text) > 1<<13 {
			continue
		}
		c := sample{Case: l.Name, URLs: l.URLs, Forms: l.Forms, Refused: l.Forms == nil}
		if c.List = string(l.Text); !utf8.Valid(l.Text) {
			c.List, c.Base64 = "", l.Text
		}
		must(t, out.Encode(c))
	}
	path := filepath.Join("..", "..", "docs", "conformance", "lists.jsonl")
	if *rewriteConformance {
		must(t, os.WriteFile(path, lines.Bytes(), 0o644))
	}
	written, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(written, lines.Bytes()) {
		t.Errorf("docs/conformance/lists.jsonl is not what the generator makes: go test ./stream/rules -run Sample -rewrite-conformance (%v)", err)
	}
	for line := range bytes.Lines(written) {
		var c sample
		must(t, json.Unmarshal(line, &c))
		text := c.Base64
		if text == nil {
			text = []byte(c.List)
		}
		if got := formsOf(&lists.List{Text: text, URLs: c.URLs}); !slices.Equal(got, c.Forms) || (got == nil) != c.Refused {
			t.Errorf("%s: %q, want %q", c.Case, got, c.Forms)
		}
	}
}
