package config

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// FuzzLoad: no input makes Load panic. An accepted configuration prints as a file that Load
// accepts as the same.
func FuzzLoad(f *testing.F) {
	paths, _ := filepath.Glob("testdata/*.yml")
	for _, path := range append(paths, example) {
		data, err := os.ReadFile(path)
		must(f, err)
		f.Add(data)
	}
	env := environment(testEnv)
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := load("x.yml", data, env, nil)
		if err != nil {
			return
		}
		const sources, secrets = true, true
		var first, second bytes.Buffer
		must(t, c.print(&first, sources, secrets))
		again, err := load("x.yml", first.Bytes(), nil, nil)
		if err != nil {
			t.Fatalf("%v in\n%s", err, &first)
		}
		must(t, again.print(&second, !sources, secrets))
		if !same(&c, &again) {
			t.Errorf("printed\n%s\nread again\n%s", &first, &second)
		}
	})
}
