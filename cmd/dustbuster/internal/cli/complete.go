package cli

import (
	"strings"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/read/weblog"
	"dustbuster/operators/read/wrap"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// useCompletions makes shells complete the values of flags, of a command and its subcommands:
// those that stand in the type of the value, as in text|json, and those of known flags. Functions
// that commands have registered stay.
func useCompletions(cmd *cobra.Command) {
	known := map[string]cobra.CompletionFunc{
		"format": Completing(formatWords(), "/"), "learners": Completing(miner.Learners(), ","),
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		values, function := f.Value.Type(), known[f.Name]
		if strings.Contains(values, "|") {
			function = Completing(strings.Split(values, "|"), "")
		}
		if _, registered := cmd.GetFlagCompletionFunc(f.Name); function != nil && !registered {
			Register(cmd, f.Name, function)
		}
	})
	for _, sub := range cmd.Commands() {
		useCompletions(sub)
	}
}

// Register makes shells complete the values of a flag of a command.
func Register(cmd *cobra.Command, flag string, function cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, function); err != nil {
		panic(err) // the command has no such flag
	}
}

// Completing returns a function that completes one of several words. With a separator, words may
// follow each other.
func Completing(words []string, separator string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) (all []string, _ cobra.ShellCompDirective) {
		if separator == "" {
			return words, cobra.ShellCompDirectiveNoFileComp
		}
		before := typed[:strings.LastIndex(typed, separator)+1]
		for _, word := range words {
			all = append(all, before+word)
		}
		return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// formatWords are the names of formats of lines and of wrappers.
func formatWords() (names []string) {
	names = weblog.Names() // Formats would compile them, a third of the time of a start
	for _, w := range wrap.Wrappers() {
		names = append(names, w.Name)
	}
	return names
}
