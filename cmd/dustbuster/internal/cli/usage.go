package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"dustbuster/config"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usageError is a mistake in the command line.
type usageError struct{ error }

// WrongUsage turns an error into a mistake in the command line.
func WrongUsage(err error) error { return &usageError{err} }

func (e *usageError) Unwrap() error { return e.error }

// Usage turns an error into a mistake in the command line, with a hint to --help.
func Usage(cmd *cobra.Command, err error) error {
	return &usageError{fmt.Errorf("%w\nsee %s --help", err, cmd.CommandPath())}
}

// Mistake is Usage for some errors, and leaves others as they are.
func Mistake(cmd *cobra.Command, err error, mistakes ...error) error {
	if slices.ContainsFunc(mistakes, func(mistake error) bool { return errors.Is(err, mistake) }) {
		return Usage(cmd, err)
	}
	return err
}

// NoArgs refuses arguments. For a command with subcommands, an argument may be a misspelled
// subcommand.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasSubCommands() {
		return Usage(cmd, fmt.Errorf("%s takes no argument, got %q", cmd.CommandPath(), args[0]))
	}
	text := fmt.Sprintf("unknown command %q", cmd.CommandPath()+" "+args[0])
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		text += "; meant " + strings.Join(near, " or ") + "?"
	}
	return Usage(cmd, errors.New(text))
}

// SomeFiles requires at least one argument: a log.
var SomeFiles = FilesOf("a log, a directory of logs, or - for standard input")

// FilesOf requires at least one argument, of a kind that the error names.
func FilesOf(kind string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return nil
		}
		return Usage(cmd, errors.New("no FILE given: "+kind))
	}
}

// flagError describes the expected value of a flag, in the user's words. For an unknown flag
// it suggests what the user may have meant.
func flagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if hint := meant(cmd, unknown.GetSpecifiedName()); hint != "" {
			return fmt.Errorf("%w; %s", err, hint)
		}
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		flag, want := invalid.GetFlag(), ""
		switch v := flag.Value.(type) {
		case interface{ Expects() string }:
			want = v.Expects()
		default:
			want = map[string]string{"int": "a whole number", "float64": "a number"}[v.Type()]
		}
		if want != "" {
			return fmt.Errorf("read flags: --%s must be %s, got %q", flag.Name, want, invalid.GetValue())
		}
	}
	return err
}

// meant suggests what an unknown flag of a command stands for: an argument, or a flag with nearly that
// name, or with that name as one of its words. It returns "" if nothing is likely.
func meant(cmd *cobra.Command, unknown string) string {
	for argument := range strings.FieldsFuncSeq(cmd.Use, func(c rune) bool { return !unicode.IsUpper(c) }) {
		if strings.EqualFold(argument, unknown) {
			return "usage: " + cmd.UseLine()
		}
	}
	names := flagNames(cmd)
	if near := config.Nearest(unknown, names); near != "" {
		return "meant --" + near + "?"
	}
	with := slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(strings.Split(name, "-"), unknown) })
	if len(with) == 0 || len(with) > mostMeant {
		return ""
	}
	return "meant --" + strings.Join(with, " or --") + "?"
}

// mostMeant is the number of flags that a message names. A word of more flags is a group in help.
const mostMeant = 4

// flagNames are the names of the flags that the help of a command shows.
func flagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	return names
}

// OutputFlag adds the flag for the format of the output, by default the first.
func OutputFlag(to *pflag.FlagSet, at *string, usage string, formats ...string) {
	*at = formats[0]
	to.VarP(config.ChoiceFlag(at, formats...), "output", "o", "output format. "+usage)
}
