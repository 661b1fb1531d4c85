package integration

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"dustbuster/operators/rule"
)

// newKind is a kind of rule with members.
var newKind = addition{
	files: map[string]string{"operators/rule/tilde.go": "kind/tilde.go"},
	rows: map[string][][2]string{
		"operators/rule/kind.go": {
			{"\tKindRewrite               // the parts of URLs of one shape are edited\n", "\tKindTilde\n"},
			{"\tKindRewrite:   rewriteKind,\n", "\tKindTilde: tildeKind,\n"},
			{"\tcase Rewrite:\n\t\treturn e.apply(dst, url)\n", "\tcase Tilde:\n\t\treturn e.apply(dst, url)\n"},
		},
		"operators/rule/wire.go": {{"\tWireRewrite\n", "\tWireTilde\n"}},
	},
	walk: [2]string{"operators/rule/walk_test.go", "kind/walk.go"},
}

// A kind of rule with members is its file and a few rows. The walk follows the kind through
// the program, and the schema of published rules describes its records.
func TestNewKind(t *testing.T) {
	t.Parallel()
	if n := newKind.touches(); n > 4 {
		t.Errorf("a new kind touches %d files, at most 4", n)
	}
	dir := t.TempDir()
	schema, record := filepath.Join(dir, "schema.json"), filepath.Join(dir, "record.jsonl")
	writeFile(t, schema, readFile(t, publishedSchema))
	newKind.try(t, "-record", record, "-schema", schema, "-rewrite-docs")
	asDocumented(t, schema, readFile(t, record))
}

// Rules of all kinds, with exceptions, are as the schema of published rules says.
func TestKindsDocumented(t *testing.T) {
	var list bytes.Buffer
	for _, text := range []string{
		`{"kind":"substring","alpha":"/a/","beta":"/","at_start":true,"at_end":false,"direction":"alpha_to_beta"}`,
		`{"kind":"parameter","op":"drop","params":["a","b"]}`,
		`{"kind":"parameter","op":"drop","params":["a","b","c","d","e","f"]}`,
		`{"kind":"parameter","op":"drop","params":["a"],"value":"1"}`,
		`{"kind":"parameter","op":"drop","pattern":{"prefix":"v","class":"hex"},"in":"path"}`,
		`{"kind":"parameter","op":"set","params":["a"],"to":"1"}`,
		`{"kind":"parameter","op":"order"}`,
		`{"kind":"form","form":"escapes"}`,
		`{"kind":"segment","after":"/s/","class":"hex","to":"/"}`,
		`{"kind":"template","where":{"/0":"show","id":"*"},"edit":{"/0":{"set":"see"},"id":"drop","v":{"copy":"id"}}}`,
	} {
		var r rule.Rule
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for _, scopes := range [][]rule.Scope{nil, {{HasPath: true, Path: "/"}, {Prefix: "/x", Where: rule.Where("m", "1")}}} {
			except, err := rule.NewExcept(scopes, []string{"/a?b=1"}[:min(len(scopes), 1)])
			must(t, err)
			r.Except = except
			line, err := json.Marshal(rule.Record{Schema: rule.Schema, Site: "a.example", ID: rule.ID("a.example", &r), Wire: *rule.NewWire(&r), Rank: 1, State: rule.Valid})
			must(t, err)
			list.Write(append(line, '\n'))
		}
	}
	asDocumented(t, publishedSchema, list.Bytes())
}
