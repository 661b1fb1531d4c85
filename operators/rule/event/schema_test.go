package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schema compiles one of the documented schemas.
func schema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile("../../../docs/schema/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// machine returns a machine that has mined a site with rules of all kinds and several
// scopes.
func machine() *miner.Machine {
	phase1 := envelope.Defaults()
	m := miner.New(site, miner.Options{Table: table.Options{Window: 86400, Pane: 7200, MaxURLs: 10_000}, Envelope: phase1,
		Params: params.Options{MinSupport: phase1.MinSupport, Similarity: phase1.Similarity}})
	fold := func(size int, form string, args ...any) {
		m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, form, args...), Time: pane, Min: int64(size), Max: int64(size)})
	}
	for i := range 8 {
		size := 1000 << i
		for _, form := range []string{"/story?id=%d", "/story_%d", "/print/%d/story", "/%d/story"} {
			fold(size, form, i)
		}
		for sid := range 3 {
			fold(size+1, "/shop?item=%d&sid=%d", i, sid)
			fold(size+2, "/list?show=%d&back=%d&a=x", i, sid)
			fold(size<<sid, "/list?show=%d&back=%d&a=y", i, sid)
		}
	}
	return m
}

func lines(t *testing.T, text []byte) (all []map[string]any) {
	t.Helper()
	for line := range bytes.Lines(text) {
		var o map[string]any
		if err := json.Unmarshal(line, &o); err != nil {
			t.Fatal(err)
		}
		all = append(all, o)
	}
	return all
}

// realLines returns written rules and events of all kinds.
func realLines(t *testing.T) (rules, events []map[string]any) {
	t.Helper()
	m := machine()
	list := m.AllRules()
	var b bytes.Buffer
	if err := jsonl.Write(&b, list); err != nil {
		t.Fatal(err)
	}
	rules = lines(t, b.Bytes())
	told := []Event{{Kind: Snapshot, Site: site, Pane: pane, Rules: m.Likely()}, {Kind: Snapshot, Site: ""}}
	for i := range list {
		told = append(told, Event{Kind: Likely, Site: site, Pane: pane, Rule: list[i]}, Event{Kind: Faded, Site: site, Rule: list[i]})
	}
	var text []byte
	for i := range told {
		var err error
		if text, err = Append(text, &told[i]); err != nil {
			t.Fatal(err)
		}
	}
	return rules, lines(t, text)
}

// The written lines match the schemas, which cover every member: a line that lacks a
// member or has another type in its place is refused.
func TestSchemas(t *testing.T) {
	rules, events := realLines(t)
	kinds := map[any]int{}
	for _, c := range []struct {
		name string
		all  []map[string]any
	}{{"rule.schema.json", rules}, {"event.schema.json", events}} {
		s := schema(t, c.name)
		for _, o := range c.all {
			kinds[o["kind"]]++
			kinds[o["event"]]++
			if err := s.Validate(o); err != nil {
				t.Errorf("%v\n%v", o, err)
			}
			for _, member := range slices.Sorted(maps.Keys(o)) {
				without := maps.Clone(o)
				delete(without, member)
				other := maps.Clone(o)
				other[member] = []any{7.0}
				if s.Validate(without) == nil || s.Validate(other) == nil {
					t.Errorf("%s says nothing of %q", c.name, member)
				}
			}
		}
	}
	for _, kind := range []any{"substring", "parameter", "likely", "faded", "snapshot"} {
		if kinds[kind] == 0 {
			t.Errorf("no %v among what was written", kind)
		}
	}
}

func TestSchemaOfScope(t *testing.T) {
	s := schema(t, "rule.schema.json")
	for _, c := range []struct {
		scope string
		ok    bool
	}{
		{`{}`, true},
		{`{"path":""}`, true},
		{`{"path":"/","where":[{"param":"a"}]}`, true},
		{`{"where":[{"param":"a","value":""}]}`, true},
		{`{"value":"a"}`, false},
		{`{"param":"a"}`, false},
		{`{"where":[{"param":""}]}`, false},
		{`{"path":null}`, false},
		{`[]`, false},
	} {
		o := lines(t, []byte(`{"schema":2,"site":"","kind":"parameter","op":"drop","params":["p"],"scope":`+c.scope+`,"support":3,"comparable":3}`))[0]
		if err := s.Validate(o); (err == nil) != c.ok {
			t.Errorf("scope %s: %v", c.scope, err)
		}
	}
}
