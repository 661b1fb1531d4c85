// Command dustbuster finds the rules by which a site's pages are reachable under
// many URLs, from the site's access log alone.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"dustbuster/config"
	"dustbuster/stream/agent"
	"dustbuster/stream/topics"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitFailure = 1
	exitUsage   = 2
	exitPartial = 3  // validate ended before all rules were tried; the printed rules hold
	exitConfig  = 78 // EX_CONFIG of sysexits.h
)

// oneSignal is the time within which several signals are one: GNU timeout signals the program, and
// at once its process group.
const oneSignal = time.Second

func main() {
	log.SetOutput(io.Discard) // net/http logs unsolicited responses of servers there
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program. Data goes to stdout, everything else to stderr.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, func() { time.AfterFunc(oneSignal, stop) }) // then a further signal ends at once
	root := newRootCommand()
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
	fmt.Fprintln(stderr, "dustbuster:", advised(err))
	var usage *usageError
	if errors.As(err, &usage) {
		return exitUsage
	}
	var bad *config.Error
	var fewer *agent.PartitionsError // restarted by a supervisor, the agent would continue with the new number
	var unlike *topics.Error
	if errors.As(err, &bad) || errors.As(err, &fewer) || errors.As(err, &unlike) && unlike.Partitions() {
		return exitConfig
	}
	var partial *partialError
	if errors.As(err, &partial) {
		return exitPartial
	}
	return exitFailure
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:     "dustbuster",
		Short:   "find rules between URLs of the same page",
		Version: version(),
		Long: "dustbuster finds URLs of a site that show the same page. It reads access logs and\n" +
			"finds rules: parts of URLs that can be replaced or left out without reaching\n" +
			"another page. Crawlers, caches and servers apply the rules (Bar-Yossef, Keidar,\n" +
			"Schonfeld: Do Not Crawl in the DUST, WWW 2007).",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		SuggestionsMinimumDistance: 2,
	}
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage(cmd, flagError(cmd, err)) })
	root.AddCommand(newMineCommand(), newRunCommand(), newStatusCommand(), newAgentCommand(), newTopicsCommand(), newValidateCommand(), newSubscribeCommand(), newCanonCommand(),
		newCompareCommand(), newExportCommand(), newNearCommand(), newFormatsCommand(), newConfigCommand(), newVersionCommand())
	useHelp(root)
	useCompletions(root)
	return root
}
