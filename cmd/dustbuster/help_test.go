package main

import (
	"bytes"
	"dustbuster/stream/journal"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// everyCommand calls f with each command of the tree, hidden ones too.
func everyCommand(f func(*cobra.Command)) {
	root := commands(journal.Options{}, nil)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		f(cmd)
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// helpFor is what a command prints for a flag of help.
func helpFor(t *testing.T, cmd *cobra.Command, flag string) string {
	t.Helper()
	var out, errs bytes.Buffer
	args := append(strings.Fields(cmd.CommandPath())[1:], flag)
	if code := run(t.Context(), args, nil, &out, &errs); code != 0 || errs.Len() > 0 {
		t.Errorf("%v: ended with %d\n%s", args, code, &errs)
	}
	return out.String()
}

// The help of every command fits into 80 columns, and a long command has a short help of at
// most one screen, here 40 lines, and all of its flags in the long help.
func TestHelpFits(t *testing.T) {
	commands, long := 0, 0
	everyCommand(func(cmd *cobra.Command) {
		if commands++; cmd.Name() == "help" {
			return
		}
		helps := []string{helpFor(t, cmd, "--help")}
		all := helpFor(t, cmd, "--help-all")
		if cmd.Flags().Lookup("help-all") != nil {
			long++
			helps = append(helps, all)
			if n := strings.Count(helps[0], "\n"); n > 40 || cmd.Name() == "run" && n < 24 {
				t.Errorf("%s --help has %d lines", cmd.CommandPath(), n)
			}
		} else if n := strings.Count(helps[0], "\n"); n > 70 {
			t.Errorf("%s --help has %d lines, and there is no --help-all", cmd.CommandPath(), n)
		} else if all != helps[0] {
			t.Errorf("%s --help-all is not --help", cmd.CommandPath())
		}
		for _, text := range helps {
			for line := range strings.Lines(text) {
				if strings.Contains(cmd.CommandPath(), " completion ") && strings.HasPrefix(line, "\t") {
					continue // a command line of cobra's
				}
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
					t.Errorf("%s: %d columns: %s", cmd.CommandPath(), n, line)
				}
			}
		}
		last := helps[len(helps)-1]
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if name := " --" + f.Name; f.Name != "help-all" && f.Name != "help" && !f.Hidden && !strings.Contains(last, name+" ") && !strings.Contains(last, name+"\n") && !strings.Contains(last, name+"[") {
				t.Errorf("%s: --%s is not in the help", cmd.CommandPath(), f.Name)
			}
			if value, text := pflag.UnquoteUsage(f); strings.Contains(value, "|") && strings.Contains(text, value) {
				t.Errorf("%s: the values of --%s stand twice", cmd.CommandPath(), f.Name)
			}
		})
	})
	if commands < 20 || long < 5 {
		t.Errorf("%d commands, %d with a short help", commands, long)
	}
}

// A command is found by the name that it has, and is then as it is beside all others.
func TestCommandsByName(t *testing.T) {
	for _, all := range commands(journal.Options{}, nil).Commands() {
		only := commands(journal.Options{}, []string{all.Name(), "--help"}).Commands()
		if len(only) != 1 || only[0].Name() != all.Name() {
			t.Errorf("%s: %d commands are made", all.Name(), len(only))
		}
	}
	if n := len(commands(journal.Options{}, []string{"--help", "mine"}).Commands()); n < 10 {
		t.Errorf("help has %d commands", n)
	}
}
