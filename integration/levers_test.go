package integration

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var off = flag.String("off", "", "build the program with this lever of the trials switched off, a field of book.Levers; its tests may then fail")

// build runs go build. If a lever is named, the default options of the trials switch it off, by an overlay.
func build(dir, lever string, args ...string) (out []byte, err error) {
	if lever != "" {
		overlay, err := withoutLever(dir, lever)
		if err != nil {
			return nil, err
		}
		args = append([]string{"-overlay", overlay}, args...)
	}
	return exec.Command("go", append([]string{"build"}, args...)...).CombinedOutput()
}

// withoutLever writes an overlay for go build that switches a lever off, and returns its name.
func withoutLever(dir, lever string) (name string, err error) {
	options, err := filepath.Abs("../operators/judge/lifecycle/book/options.go")
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(options)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(dir, "options.go")
	text = bytes.Replace(text, []byte("return Options{"), []byte("return Options{Off: Levers{"+lever+": true},"), 1)
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{options: changed}})
	if err != nil {
		return "", err
	}
	name = filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(changed, text, 0o600); err != nil {
		return "", err
	}
	return name, os.WriteFile(name, overlay, 0o600)
}

// A lever can be switched off, and what is no lever cannot.
func TestWithoutLever(t *testing.T) {
	for _, c := range []struct {
		lever string
		ok    bool
	}{{"OtherPages", true}, {"OtherSites", false}} {
		if out, err := build(t.TempDir(), c.lever, "dustbuster/operators/judge/lifecycle/book"); (err == nil) != c.ok {
			t.Errorf("%s: %v\n%s", c.lever, err, out)
		}
	}
}
