// Package schema checks what the program writes against the schemas of docs/schema, for tests.
package schema

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Check returns an error if a text is not JSON that fits the schema of a name, such as audit.
func Check(name string, text []byte) error {
	schema, err := named(name)
	if err != nil {
		return err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err == nil {
		err = schema.Validate(document)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	return nil
}

// compiled are the schemas asked for before, by name.
var compiled sync.Map

func named(name string) (*jsonschema.Schema, error) {
	if schema, ok := compiled.Load(name); ok {
		return schema.(*jsonschema.Schema), nil
	}
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(root, "docs", "schema", name+".schema.json"))
	if err == nil {
		compiled.Store(name, schema)
	}
	return schema, err
}

// moduleRoot returns the directory of go.mod, at or above the directory in which a test runs.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir, nil
		}
	}
	return dir, err
}
