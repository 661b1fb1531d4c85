package rulelog

import (
	"encoding/json"
	"maps"
	"testing"

	"dustbuster/operators/publish/ledger"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// documented are the schemas of the public records in dust.rules.
var documented = map[ledger.Kind]string{ledger.Claim: "owner", ledger.Rule: "published-rule", ledger.Set: "rule-set"}

// The records in dust.rules match the schemas. The schemas are strict for every member: a
// value without the member, or with another type in its place, is refused.
func TestSchemas(t *testing.T) {
	m := newMemory()
	a := own(t, m, 1)
	must(t, a.Save(changes("www.example.org", refuted("www.example.org", "q"), published("www.example.org", 1, "sid", "ref"))))
	must(t, a.Save(changes("www.example.org", published("www.example.org", 2))))
	seen := map[ledger.Kind]int{}
	for _, r := range m.records(rules) {
		k, err := ledger.ParseKey(string(r.Key))
		must(t, err)
		if documented[k.Kind] == "" || r.Value == nil {
			continue
		}
		seen[k.Kind]++
		schema, err := jsonschema.NewCompiler().Compile("../../docs/schema/" + documented[k.Kind] + ".schema.json")
		must(t, err)
		var o map[string]any
		must(t, json.Unmarshal(r.Value, &o))
		if err := schema.Validate(o); err != nil {
			t.Errorf("%s: %v", r.Value, err)
		}
		for member := range o {
			without, other := maps.Clone(o), maps.Clone(o)
			delete(without, member)
			other[member] = []any{7.0}
			optional := member == "separators" // older rules lack separators
			if (schema.Validate(without) == nil) != optional || schema.Validate(other) == nil {
				t.Errorf("the schema of %s says nothing of %q", documented[k.Kind], member)
			}
		}
	}
	for kind, name := range documented {
		if seen[kind] == 0 {
			t.Errorf("no record of %s", name)
		}
	}
}
