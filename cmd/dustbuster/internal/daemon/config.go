package daemon

import (
	"errors"
	"fmt"
	"os"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"

	"github.com/spf13/cobra"
)

const configLong = `config checks and shows the configuration of run and agent. A setting comes from a
flag, else from an environment variable, else from the YAML file, else it has its
default. The setting pane below read is DUSTBUSTER_READ_PANE in the environment.

docs/config.example.yml describes all settings and has their defaults.`

// newConfigCommand returns the command for checking and showing configurations.
func newConfigCommand() *cobra.Command {
	return cli.Parent("config", "check a configuration file, or print the settings in effect", configLong, newConfigCheckCommand(), newConfigPrintCommand())
}

func newConfigCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE",
		Short: "report mistakes in a configuration file, with exit code 78 if there are any",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usage(cmd, errors.New("no FILE given: a configuration file"))
			}
			return cli.OneFile(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := config.Load(args[0], os.Environ(), nil)
			if err != nil {
				return err
			}
			cli.SayStrangers(cmd.ErrOrStderr(), &c)
			_, err = fmt.Fprintln(cmd.OutOrStdout(), args[0]+": ok")
			return err
		},
	}
}

const configPrintExamples = `  dustbuster config print
  dustbuster config print --sources /etc/dustbuster.yml
  dustbuster config print --bucket-low 4 /etc/dustbuster.yml`

func newConfigPrintCommand() *cobra.Command {
	flags := config.NewFlags(config.Defaults())
	var sources bool
	printed := config.NewSection("What is printed")
	printed.Flags.BoolVar(&sources, "sources", false, "also print where each value comes from: file, environment or flag")
	cmd := &cobra.Command{
		Use:     "print [FILE]",
		Short:   "print the settings in effect, from flags, environment, FILE and defaults",
		Example: configPrintExamples,
		Args:    cli.OneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := cli.LoadConfig(cmd, append(args, "")[0], flags)
			if err != nil {
				return err
			}
			cli.SayStrangers(cmd.ErrOrStderr(), &c)
			return c.Print(cmd.OutOrStdout(), sources)
		},
	}
	cli.UseSections(cmd, append(daemonSections(flags), printed), fewOfRun...)
	return cmd
}

// daemonSections are the sections of the daemon's flags, as shown.
func daemonSections(flags *config.Flags) []config.Section {
	return flags.Sections("read", "site", "rule", "validate", "keep", "write", "admin", "kafka -lines -dead_letters", "pace")
}
