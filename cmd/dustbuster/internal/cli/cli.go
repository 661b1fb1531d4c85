// Package cli is what the commands share: how a command line becomes a run with an exit code, the
// layout of help, mistakes with advice, the log, progress on a terminal, the memory limit, and the
// way to the settings and to Kafka.
package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"dustbuster/config"
	"dustbuster/stream/agent"
	"dustbuster/stream/fetch"
	"dustbuster/stream/topics"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	ExitFailure = 1
	ExitUsage   = 2
	ExitPartial = 3  // validate ended before all rules were tried; the printed rules hold
	exitConfig  = 78 // EX_CONFIG of sysexits.h
)

// oneSignal is the time within which several signals are one: GNU timeout signals the program, and
// at once its process group.
const oneSignal = time.Second

// Execute runs a command of a root, and returns the exit code. Data goes to stdout, everything else
// to stderr. The first signal to end cancels the context of the command.
func Execute(ctx context.Context, root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, func() { time.AfterFunc(oneSignal, stop) }) // then a further signal ends at once
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.InitDefaultHelpCmd() // these print to the output set above
	root.InitDefaultCompletionCmd(args...)
	useHelpAll(root)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintln(stderr, "dustbuster:", Advised(err))
	return exitCode(err)
}

func exitCode(err error) int {
	var wrong *usageError
	var bad *config.Error
	var fewer *agent.PartitionsError // restarted by a supervisor, the agent would continue with the new number
	var unlike *topics.Error
	var partial *partialError
	switch {
	case errors.As(err, &wrong):
		return ExitUsage
	case errors.As(err, &bad), errors.As(err, &fewer), errors.As(err, &unlike) && unlike.Unlike():
		return exitConfig
	case errors.As(err, &partial):
		return ExitPartial
	}
	return ExitFailure
}

// partialError is the reason for which some rules were not tried. The printed rules hold.
type partialError struct{ error }

// NewPartialError returns an error with which the program ends with exitPartial.
func NewPartialError(err error) error { return &partialError{err} }

func (e *partialError) Unwrap() error { return e.error }

const rootLong = `dustbuster reads access logs and finds out which URLs of a site show the same page:
duplicates by session ids, tracking parameters, print views, old and new paths. It
tests these rules on the site. Crawlers, caches and web servers apply them.

Begin with: dustbuster mine access.log`

// Command is a command of the program. To make all of them takes a quarter of the time of a start, so NewRoot calls New
// only where it must.
type Command struct {
	Name string
	New  func() *cobra.Command
}

// NewRoot returns the program with its version and, of the given commands, the one that the arguments
// begin with. If they begin with none of them, as for help, the program has all.
func NewRoot(args []string, commands ...Command) *cobra.Command {
	commands = append(commands, Command{"version", newVersionCommand})
	if i := slices.IndexFunc(commands, func(c Command) bool { return len(args) > 0 && c.Name == args[0] }); i >= 0 {
		commands = commands[i : i+1]
	}
	root := Parent("dustbuster", "find duplicate URLs in access logs", rootLong)
	for _, c := range commands {
		root.AddCommand(c.New())
	}
	root.Version, root.SilenceErrors, root.SilenceUsage = Version(), true, true
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return Usage(cmd, flagError(cmd, err)) })
	root.SetUsageTemplate(usageTemplate)
	root.SetHelpTemplate(helpTemplate)
	useCompletions(root)
	return root
}

// Parent returns a command that has only subcommands.
func Parent(use, short, long string, subcommands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Long: long, Args: NoArgs, SuggestionsMinimumDistance: 2,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(subcommands...)
	return cmd
}

// WriteJSON writes an object as a line.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Args:  NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "dustbuster", Version())
			return err
		},
	}
}

// release is the number in VERSION, set by the linker (Makefile); "" in a program that the Go tool
// alone has built.
var release string

// Version returns the version of the program: a token that a user agent may hold.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return versionOf(release, info.Main.Version)
}

// versionOf returns the release, or the version that the Go tool recorded, or "devel" if the tool
// knew none.
func versionOf(release, recorded string) string {
	if v := cmp.Or(release, strings.TrimPrefix(recorded, "v")); fetch.IsToken(v) {
		return v
	}
	return "devel" // the Go tool records "(devel)"
}

// StandardOutput is the name of standard output, where a file may be named.
const StandardOutput = "-"

// LoadConfig reads the configuration of a command with configuration flags. A mistake in
// the flags is a usage error.
func LoadConfig(cmd *cobra.Command, path string, flags *config.Flags) (config.Config, error) {
	c, err := config.Load(path, os.Environ(), flags)
	if _, ok := errors.AsType[*config.FlagError](err); ok {
		err = Usage(cmd, err)
	}
	return c, err
}

// noSettings is the warning of environment variables that set nothing.
const noSettings = "these environment variables are no settings, and have no effect"

// SayStrangers names the environment variables that seem to be settings and are none.
func SayStrangers(stderr io.Writer, c *config.Config) {
	if names := c.Strangers(); len(names) > 0 {
		fmt.Fprintf(stderr, "dustbuster: %s: %s\n", noSettings, strings.Join(names, ", "))
	}
}

// OneFile accepts one argument or none.
func OneFile(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return Usage(cmd, fmt.Errorf("%s takes one FILE, got %q as well", cmd.CommandPath(), args[1]))
	}
	return nil
}
