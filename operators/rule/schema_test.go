package rule

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	schemaFile  = flag.String("schema", "../../docs/schema/published-rule.schema.json", "the schema of published rules")
	rewriteDocs = flag.Bool("rewrite-docs", false, "write the kinds of rules in the schema anew")
)

// The schema of published rules says of each kind what it declares.
func TestSchemaDocs(t *testing.T) {
	was, err := os.ReadFile(*schemaFile)
	must(t, err)
	want := schemaOf(string(was))
	if *rewriteDocs {
		must(t, os.WriteFile(*schemaFile, []byte(want), 0o644))
		return
	}
	lines := strings.Split(string(was), "\n")
	for i, line := range strings.Split(want, "\n") {
		if i >= len(lines) || lines[i] != line {
			t.Fatalf("%s is not what the program says at line %d:\n%s\n(go test ./operators/rule -run Docs -rewrite-docs writes it anew)", *schemaFile, i+1, line)
		}
	}
}

var (
	schemaKinds = regexp.MustCompile(`(?m)^(    "kind": .*"enum": \[).*(\] \},)$`)
	schemaOneOf = regexp.MustCompile(`(?m)^(  "oneOf": \[).*(\],)$`)
	schemaDefs  = regexp.MustCompile(`(?s)(\n    "substring": ).*`)
)

// schemaOf returns a schema with the kinds as they are declared.
func schemaOf(schema string) string {
	var names, refs, definitions []string
	for i := range kinds {
		k := &kinds[i]
		if name := strconv.Quote(k.nameInJSON()); !slices.Contains(names, name) {
			names = append(names, name)
		}
		refs = append(refs, fmt.Sprintf(`{ "$ref": "#/$defs/%s" }`, k.name))
		definitions = append(definitions, k.definition())
	}
	schema = schemaKinds.ReplaceAllString(schema, "${1}"+strings.Join(names, ", ")+"${2}")
	schema = schemaOneOf.ReplaceAllString(schema, "${1}"+strings.ReplaceAll(strings.Join(refs, ", "), "$", "$$")+"${2}")
	return schemaDefs.ReplaceAllLiteralString(schema, "\n"+strings.Join(definitions, ",\n")+"\n  }\n}\n")
}

func (k *kind) nameInJSON() string {
	if k.isOp {
		return parameter
	}
	return k.name
}

// definition returns the definition of a kind.
func (k *kind) definition() string {
	required, properties := []string{}, []string{fmt.Sprintf(`"kind": { "const": %q }`, k.nameInJSON())}
	for i := range k.members {
		m := &k.members[i]
		if m.need != optional {
			required = append(required, strconv.Quote(m.name))
		}
		definition := m.definition()
		if m.name == op.name {
			definition = fmt.Sprintf(`{ "const": %q }`, k.name)
		}
		properties = append(properties, fmt.Sprintf(`%q: %s`, m.name, definition))
	}
	parts := []string{fmt.Sprintf(`"description": %q`, k.about)}
	if len(required) > 0 {
		parts = append(parts, `"required": [`+strings.Join(required, ", ")+`]`)
	}
	if len(k.either) > 0 {
		parts = append(parts, fmt.Sprintf(`"oneOf": [{ "required": [%q] }, { "required": [%q] }]`, k.either[0], k.either[1]))
	}
	parts = append(parts, "\"properties\": {\n        "+strings.Join(properties, ",\n        ")+"\n      }")
	return fmt.Sprintf("    %q: {\n      %s\n    }", k.name, strings.Join(parts, ",\n      "))
}

// definition returns the definition of a member.
func (m *member) definition() string {
	var parts []string
	if m.about != "" {
		parts = append(parts, fmt.Sprintf(`"description": %q`, m.about))
	}
	switch m.of(&Wire{}).(type) {
	case **string:
		parts = append(parts, `"type": "string"`)
	case **bool:
		parts = append(parts, `"type": "boolean"`)
	}
	if m.words != nil {
		parts = append(parts, `"enum": [`+strings.ReplaceAll(fmt.Sprintf("%q", m.words), `" "`, `", "`)[1:])
	}
	if m.schema != "" {
		parts = append(parts, m.schema)
	}
	if strings.Contains(m.schema, "\n") {
		return "{\n          " + strings.Join(parts, ",\n          ") + "\n        }"
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}
