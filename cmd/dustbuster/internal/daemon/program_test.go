package daemon

import (
	"context"
	"io"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/internal/expect"
	"dustbuster/stream/journal"
)

// run runs a command line of the package's commands.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Execute(ctx, cli.NewRoot(args, Commands(journal.Options{})...), args, stdin, stdout, stderr)
}

// must ends a test at an error.
var must = expect.NoError
