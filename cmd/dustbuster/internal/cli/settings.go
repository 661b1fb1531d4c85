package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"dustbuster/config"

	"github.com/spf13/cobra"
)

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
const noSettings = "environment variables are no settings, and change nothing"

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
