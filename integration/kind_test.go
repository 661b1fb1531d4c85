package integration

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/operators/rule"
)

// kindRows are the rows of a new kind, each with the row that it follows.
var kindRows = map[string][][2]string{
	"operators/rule/kind.go": {
		{"\tRewrite               // the parts of URLs of one shape are edited\n", "\tTilde\n"},
		{"\tRewrite:   rewriteKind,\n", "\tTilde: tildeKind,\n"},
		{"\tcase Rewrite:\n\t\treturn r.rewrite(dst, url)\n", "\tcase Tilde:\n\t\treturn r.home(dst, url)\n"},
	},
	"operators/rule/rule.go": {{"\tTemplate Template // for Rewrite\n", "\tHome Home\n"}},
	"operators/rule/wire.go": {{"\tWireRewrite\n", "\tWireTilde\n"}},
}

// mostFiles is the greatest number of files that a new kind may touch.
const mostFiles = 5

// A kind of rule with members is its file and a few rows. testdata/kind/walk.go follows the
// kind through the program, and the schema of published rules describes its records.
func TestNewKind(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	replace := map[string]string{filepath.Join(root, "operators/rule/tilde.go"): filepath.Join(root, "integration/testdata/kind/tilde.go")}
	for name, rows := range kindRows {
		source := string(readFile(t, filepath.Join(root, name)))
		for _, row := range rows {
			if strings.Count(source, row[0]) != 1 {
				t.Fatalf("%s has no row %q", name, row[0])
			}
			source = strings.Replace(source, row[0], row[0]+row[1], 1)
		}
		replace[filepath.Join(root, name)] = filepath.Join(dir, filepath.Base(name))
		writeFile(t, filepath.Join(dir, filepath.Base(name)), []byte(source))
	}
	if len(replace) > mostFiles {
		t.Errorf("a new kind touches %d files, at most %d", len(replace), mostFiles)
	}
	replace[filepath.Join(root, "operators/rule/walk_test.go")] = filepath.Join(root, "integration/testdata/kind/walk.go")
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "overlay.json"), overlay)
	schema, record := filepath.Join(dir, "schema.json"), filepath.Join(dir, "record.jsonl")
	writeFile(t, schema, readFile(t, publishedSchema))
	walk := exec.Command("go", "test", "-overlay", filepath.Join(dir, "overlay.json"), "-run", "Walk|SchemaDocs", "./operators/rule",
		"-record", record, "-schema", schema, "-rewrite-docs")
	walk.Dir = root
	if out, err := walk.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	asDocumented(t, schema, readFile(t, record))
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
	asDocumented(t, publishedSchema, list.Bytes())
}
