package offline

import (
	"context"
	"io"

	"dustbuster/cmd/dustbuster/internal/cli"
)

// run runs a command line of the package's commands.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Execute(ctx, cli.NewRoot(args, Commands()...), args, stdin, stdout, stderr)
}
