// Command dustbuster finds the rules by which a site's pages are reachable under
// many URLs, from the site's access log alone.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"slices"

	"dustbuster/cmd/dustbuster/internal/apply"
	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/cmd/dustbuster/internal/daemon"
	"dustbuster/cmd/dustbuster/internal/demo"
	"dustbuster/cmd/dustbuster/internal/offline"
	"dustbuster/cmd/dustbuster/internal/trials"
	"dustbuster/stream/journal"

	"github.com/spf13/cobra"
)

func main() {
	log.SetOutput(io.Discard) // net/http logs unsolicited responses of servers there
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program. Data goes to stdout, everything else to stderr.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Execute(ctx, commands(journal.Options{}, args), args, stdin, stdout, stderr)
}

// commands returns the tree of the commands that arguments need, all without arguments. disk is how the daemon's
// journal is kept: tests give one that fails.
func commands(disk journal.Options, args []string) *cobra.Command {
	return cli.NewRoot(args, slices.Concat(demo.Commands(), offline.Commands(), trials.Commands(), apply.Commands(), daemon.Commands(disk))...)
}
