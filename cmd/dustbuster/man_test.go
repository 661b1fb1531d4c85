package main

import (
	"bytes"
	"dustbuster/stream/journal"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

var manDir = flag.String("man", "", "`directory` in which TestMan writes the manual pages, as release/release.sh does")

// writeMan writes a manual page for each command, in section 1. The pages have the date of
// SOURCE_DATE_EPOCH, or of today. The program itself does without the library that writes
// them.
func writeMan(t *testing.T, dir string) {
	t.Helper()
	must(t, os.MkdirAll(dir, 0o755))
	root := commands(journal.Options{}, nil)
	root.InitDefaultCompletionCmd()
	root.DisableAutoGenTag = true // no time of generation
	must(t, doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "dustbuster", Manual: "dustbuster"}, dir))
}

// Each command has a manual page with its flags, twice the same. Hidden commands have none.
func TestMan(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir()}
	if *manDir != "" {
		dirs[0] = *manDir
	}
	for _, dir := range dirs {
		writeMan(t, dir)
	}
	pages := 0
	everyCommand(func(cmd *cobra.Command) {
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		page, err := os.ReadFile(filepath.Join(dirs[0], name))
		if cmd.Hidden || cmd.Name() == "help" {
			if err == nil {
				t.Errorf("%s is written", name)
			}
			return
		}
		if err != nil {
			t.Error(err)
			return
		}
		pages++
		again, err := os.ReadFile(filepath.Join(dirs[1], name))
		if err != nil || !bytes.Equal(page, again) {
			t.Errorf("%s is not the same twice: %v", name, err)
		}
		for _, want := range []string{".SH NAME\n", ".SH SYNOPSIS\n", ".SH DESCRIPTION\n"} {
			if !bytes.Contains(page, []byte(want)) {
				t.Errorf("%s has no %s", name, want)
			}
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !bytes.Contains(page, []byte("--"+f.Name)) && !bytes.Contains(page, []byte("--"+strings.ReplaceAll(f.Name, "-", `\-`))) {
				t.Errorf("%s does not have --%s", name, f.Name)
			}
		})
	})
	if files, err := os.ReadDir(dirs[0]); err != nil || len(files) != pages || pages < 20 {
		t.Errorf("%d files, %d pages, %v", len(files), pages, err)
	}
}
