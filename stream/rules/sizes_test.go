package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/operators/rule"
)

// sized is a line of docs/conformance/sizes.jsonl, whose README says what the members mean.
type sized struct {
	Case      string   `json:"case"`
	Rules     []object `json:"rules"`
	Times     int      `json:"times"` // that the last rule stands
	URL       string   `json:"url,omitempty"`
	Canonical string   `json:"canonical,omitempty"`
	Refused   bool     `json:"refused,omitempty"`
}

// text returns the list of a case.
func (c *sized) text(t *testing.T) []byte {
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	for _, r := range c.Rules[:len(c.Rules)-1] {
		must(t, out.Encode(r))
	}
	last := c.Rules[len(c.Rules)-1].with(nil)
	rank := int(last["rank"].(float64))
	delete(last, "rank")
	rest, err := json.Marshal(last)
	must(t, err)
	for i := range c.Times {
		fmt.Fprintf(&text, "{\"rank\":%d,%s\n", rank+i, rest[1:])
	}
	return text.Bytes()
}

// measure returns the size of a rule by the words of docs/rules.md.
func measure(t *testing.T, record object) int {
	var plain map[string]any
	text, err := json.Marshal(record)
	must(t, err)
	must(t, json.Unmarshal(text, &plain))
	for _, name := range []string{"schema", "site", "id", "rank", "state", "by_domain", "hosts", "support", "verdict", "first_seen", "validated_at", "separators"} {
		delete(plain, name)
	}
	size := 128 + lengthOf(plain)
	for _, name := range []string{"where", "edit"} {
		keys, _ := plain[name].(map[string]any)
		for key := range keys {
			size += len(key)
		}
	}
	return size
}

func lengthOf(value any) (n int) {
	switch value := value.(type) {
	case string:
		return len(value)
	case []any:
		for _, v := range value {
			n += lengthOf(v)
		}
	case map[string]any:
		for _, v := range value {
			n += lengthOf(v)
		}
	}
	return n
}

// filled returns a rule of a size: an exception has as many bytes as are missing.
func filled(t *testing.T, size int, r object) object {
	full := object{"schema": 2, "site": "a.example", "id": "1", "rank": 1, "state": "valid", "scope": object{}}.with(r)
	except, _ := full["except"].(object)
	missing := size - measure(t, full)
	var urls []string
	for ; missing > 0; missing -= min(missing, 2000) {
		urls = append(urls, "/"+strings.Repeat("-", min(missing, 2000)-1))
	}
	full["except"] = object{}.with(except).with(object{"urls": urls})
	return full
}

// measured are rules of all kinds, with members that count and members that do not.
func measured() []object {
	return []object{
		substring("/none", "/no", "at_end"),
		{"kind": "parameter", "op": "drop", "params": []string{"p", "q"}, "in": "query", "scope": object{"path": "/no/*/", "prefix": "/no", "where": []object{{"param": "a", "valued": true}, {"param": "b", "value": "12"}}}},
		{"kind": "parameter", "op": "drop", "params": []string{"p"}, "value": "1", "verdict": object{"samples": "many"}, "support": 7, "first_seen": "yesterday"},
		{"kind": "parameter", "op": "drop", "pattern": object{"prefix": "v", "class": "digits"}, "in": "path"},
		{"kind": "parameter", "op": "set", "params": []string{"n"}, "to": "1", "except": object{"scopes": []object{{"where": []object{{"param": "n", "own": true, "begins": "ab"}, {"param": "m"}}}, {"prefix": "/b"}, {"prefix": "/b"}}}},
		{"kind": "template", "where": object{"/0": "no", "/1": "*", "id": "*"}, "edit": object{"/1": object{"copy": "id"}, "id": "drop", "v": object{"set": "12"}}},
		{"kind": "segment", "after": "/no/", "class": "hex", "to": "/"},
	}
}

// sizes are lists at the bound of a site, and one byte above.
func sizes(t *testing.T) (all []sized) {
	const rest, each, times = 1024, 4064, 4128
	if rest+each*times != rule.MaxSite {
		t.Fatal("the lists are not at the bound")
	}
	filler := filled(t, each, dropX.with(object{"id": "x", "rank": 10}))
	add := func(name, canonical string, times int, rules ...object) {
		c := sized{Case: name, Rules: rules, Times: times, URL: "http://a.example/?x=1#f", Canonical: canonical, Refused: canonical == ""}
		if c.Refused {
			c.URL = ""
		}
		all = append(all, c)
	}
	const changed, same = "http://a.example/", "http://a.example/?x=1#f"
	for _, r := range measured() {
		name := nameOfKind(r)
		add(name+", the greatest size", changed, times, filled(t, rest, r), filler)
		add(name+", one byte more", "", times, filled(t, rest+1, r), filler)
	}
	more := filled(t, rest+1, substring("/none", "/no"))
	add("one byte more, of a rule that is not valid", changed, times, more.with(object{"state": "retired"}), filler)
	add("one byte more, of another site", changed, times, more.with(object{"site": "b.example"}), filler)
	add("one byte more, beside an unknown rule", same, times, more, filled(t, rest, unknown).with(object{"rank": 2}), filler)
	small := object{"schema": 2, "site": "a.example", "id": "1", "rank": -7, "state": "valid", "scope": object{}, "kind": "form", "form": "slashes"}
	most := rule.MaxSite / measure(t, small)
	add("as many small rules as may be", changed, most, small)
	all[len(all)-1].URL = "http://a.example//#f"
	add("one small rule more", "", most+1, small)
	return all
}

func nameOfKind(r object) string {
	if op, is := r["op"].(string); is {
		return op
	}
	return r["kind"].(string)
}

// The rules of a site have at most the size that docs/rules.md allows.
func TestConformanceOfSizes(t *testing.T) {
	var lines bytes.Buffer
	out := json.NewEncoder(&lines)
	out.SetEscapeHTML(false)
	for _, c := range sizes(t) {
		must(t, out.Encode(c))
	}
	path := filepath.Join("..", "..", "docs", "conformance", "sizes.jsonl")
	if *rewriteConformance {
		must(t, os.WriteFile(path, lines.Bytes(), 0o644))
	}
	written, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(written, lines.Bytes()) {
		t.Errorf("docs/conformance/sizes.jsonl is not what the generator makes: go test ./stream/rules -run Sizes -rewrite-conformance (%v)", err)
	}
	for line := range bytes.Lines(written) {
		var c sized
		must(t, json.Unmarshal(line, &c))
		text := c.text(t)
		for _, end := range []string{"", "\n"} { // read by blocks, or line by line
			if end != "" && len(c.Rules) > 1 && nameOfKind(c.Rules[0]) != "substring" {
				continue // one kind will do
			}
			list, err := Read(io.MultiReader(bytes.NewReader(text), strings.NewReader(end)))
			if (err != nil) != c.Refused || err != nil && !strings.Contains(err.Error(), "more than 16777216") {
				t.Fatalf("%s: error %v", c.Case, err)
			}
			if c.Refused {
				continue
			}
			sites, err := list.Compile()
			must(t, err)
			if got, _ := sites.Canonical(c.URL); got != c.Canonical {
				t.Errorf("%s: %s, want %s", c.Case, got, c.Canonical)
			}
		}
	}
}
