package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"
	"dustbuster/operators/window/admit"
)

func TestReadLabels(t *testing.T) {
	const table = "URL,Canonical\n/a?x=1,/a\n"
	for _, c := range []struct {
		name   string
		tables []string
		said   string // "": nothing
		fails  string // "": it is read
	}{
		{"one", []string{table}, "", ""},
		{"the same twice", []string{table, table}, "", ""},
		{"another canonical URL", []string{table, "URL,Canonical\n/a?x=1,/b\n"}, "another canonical URL above", ""},
		{"no canonical URL", []string{table, "URL,Canonical\n/c,\n"}, "", "no row names a canonical URL"},
		{"a hostile row", []string{"URL,Canonical\n\"x\x1b]0;evil\x07\ny\",/a\n/a?x=1,/a\n"}, `"x\x1b]0;evil\a\ny" is not the URL of a page`, ""},
		{"a row with a secret", []string{"URL,Canonical\n192.0.2.7 /b?token=9f3c1e77a2b4,/a\n/a?x=1,/a\n"}, `"ADDRESS /b?token=***" is not the URL of a page`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var paths []string
			for i, text := range c.tables {
				path := filepath.Join(t.TempDir(), "table"+string(rune('a'+i)))
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				paths = append(paths, path)
			}
			var said []string
			settings := config.Defaults()
			settings.Rule.Labels = paths
			read, err := cli.ReadLabels(&settings, admit.Defaults(), func(s string) { said = append(said, s) })
			if (err == nil) != (c.fails == "") || err == nil && read == nil || err != nil && !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%v, want %q", err, c.fails)
			}
			if got := strings.Join(said, "|"); !strings.Contains(got, c.said) || c.said == "" && got != "" || strings.ContainsAny(got, "\x1b\x07\n") {
				t.Errorf("said %q, want %q", got, c.said)
			}
		})
	}
}
