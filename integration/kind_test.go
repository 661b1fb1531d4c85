package integration

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/window/evidence"
	"dustbuster/sinks/export"
	"dustbuster/sinks/text"
	"dustbuster/stream/rules"
)

// A kind that only the table of kinds knows is read, applied, tried, published, read again
// and spelled, and an export refuses the kind by its name.
func TestNewKind(t *testing.T) {
	kind, remove := rule.Extend("tilde", func(url []byte) []byte {
		return bytes.Replace(url, []byte("/~"), []byte("/home/"), 1)
	})
	defer remove()
	var r rule.Rule
	if err := json.Unmarshal([]byte(`{"kind":"tilde","scope":{"where":[{"param":"a"}]}}`), &r); err != nil || r.Kind != kind {
		t.Fatal(r, err)
	}
	c, err := canon.Compile([]rule.Rule{r})
	if err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{"/~ann/?a=1": "/home/ann/?a=1", "/~ann/": "/~ann/"} {
		if got, _ := c.Canon(nil, []byte(url)); string(got) != want {
			t.Errorf("%s becomes %s, want %s", url, got, want)
		}
	}

	records := tryKind(t, r)
	if len(records) != 1 || records[0].Kind != "tilde" || records[0].State != rule.Valid {
		t.Fatalf("published %+v", records)
	}
	line, err := json.Marshal(records[0])
	if err != nil {
		t.Fatal(err)
	}
	list, err := rules.Read(bytes.NewReader(line))
	if err != nil || list.Len() != 1 || list.Sites[0].Rules[0] != r {
		t.Fatalf("read %+v, %v", list, err)
	}
	if got, want := text.Edit(&r), "tilde with a"; got != want {
		t.Errorf("spelled %q, want %q", got, want)
	}
	for _, f := range export.Formats() {
		skipped, err := export.Write(&bytes.Buffer{}, f.Name, []export.Site{{Host: "a.example", Rules: list.Sites[0].Rules}}, export.Options{})
		if err != nil || len(skipped) != 1 || !strings.Contains(skipped[0].Reason, "kind tilde") {
			t.Errorf("%s: skipped %+v, %v", f.Name, skipped, err)
		}
	}
}

// tryKind tries a rule on a site where the rule holds, and returns the published records.
func tryKind(t *testing.T, r rule.Rule) []rule.Record {
	t.Helper()
	var pages []evidence.Page
	contents := map[string]uint64{}
	for i := range 100 {
		size := int64(1000 + 100*i)
		for _, form := range []string{"/~u%d/?a=1", "/home/u%d/?a=1"} {
			url := fmt.Sprintf(form, i)
			contents[url] = uint64(i + 1)
			pages = append(pages, evidence.Page{URL: url, Evidence: evidence.Spans{{Min: size, Max: size}}})
		}
	}
	o := lifecycle.Defaults()
	o.HoldShare = 1
	m := lifecycle.New("a.example", o)
	m.Load(lifecycle.NewWindow(pages), []rule.Candidate{{Rule: r, Support: 100}})
	shown := func(u string) trial.Shown {
		size := int64(900 + 100*contents[u])
		return trial.Shown{HTML: true, Words: 100, Text: contents[u], Sent: size, Length: size}
	}
	document := func(u string) trial.Document {
		if contents[u] == 0 {
			return trial.Document{Status: 404}
		}
		return trial.Document{Status: 200}
	}
	now := int64(1_800_000_000)
	for idle := 0; len(m.Published().Records) == 0 && idle < 3; now++ {
		test, ok := m.Next(now)
		if !ok {
			idle++
			now += o.LevelEvery
			continue
		}
		seen := m.Look(test, document(test.U), document(test.V), func() trial.Compared {
			c := trial.Compared{U: shown(test.U), V: shown(test.V)}
			if c.U.Text == c.V.Text {
				c.Alike, c.SameText = 1, true
			}
			return c
		})
		m.Outcome(test, seen, 1, now)
	}
	return m.Published().Records
}

// Rules of all kinds, with exceptions, are as the schema of published rules says.
func TestKindsDocumented(t *testing.T) {
	var list bytes.Buffer
	for _, text := range []string{
		`{"kind":"substring","alpha":"/a/","beta":"/","at_start":true,"at_end":false,"direction":"alpha_to_beta"}`,
		`{"kind":"parameter","op":"drop","params":["a","b"]}`,
		`{"kind":"parameter","op":"drop","params":["a"],"value":"1"}`,
		`{"kind":"parameter","op":"drop","pattern":{"prefix":"v","class":"hex"},"in":"path"}`,
		`{"kind":"parameter","op":"set","params":["a"],"to":"1"}`,
		`{"kind":"parameter","op":"order"}`,
		`{"kind":"form","form":"escapes"}`,
		`{"kind":"template","where":{"/0":"show","id":"*"},"edit":{"/0":{"set":"see"},"id":"drop","v":{"copy":"id"}}}`,
	} {
		var r rule.Rule
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for _, scopes := range [][]rule.Scope{nil, {{HasPath: true, Path: "/"}, {Prefix: "/x", Where: rule.Where("m", "1")}}} {
			except, err := rule.NewExcept(scopes, []string{"/a?b=1"}[:min(len(scopes), 1)])
			if err != nil {
				t.Fatal(err)
			}
			r.Except = except
			line, err := json.Marshal(rule.Record{Schema: rule.Schema, Site: "a.example", ID: rule.ID("a.example", &r), Wire: *rule.NewWire(&r), Rank: 1, State: rule.Valid})
			if err != nil {
				t.Fatal(err)
			}
			list.Write(append(line, '\n'))
		}
	}
	asDocumented(t, list.Bytes())
}
