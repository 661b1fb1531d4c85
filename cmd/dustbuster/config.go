package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"dustbuster/config"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const configLong = `config checks and shows the configuration of run and agent. A setting comes from a
flag, else from an environment variable, else from the YAML file, else it has its
default. The setting pane below mining is DUSTBUSTER_MINING_PANE in the environment.

docs/config.example.yml describes all settings and has their defaults.`

// newConfigCommand returns the command for checking and showing configurations.
func newConfigCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "check a configuration file, or print the settings in effect",
		Long:  configLong,
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		SuggestionsMinimumDistance: 2,
	}
	cmd.AddCommand(newConfigCheckCommand(), newConfigPrintCommand())
	return cmd
}

func newConfigCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE",
		Short: "report mistakes in a configuration file, with exit code 78 if there are any",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(cmd, errors.New("no FILE given: a configuration file"))
			}
			return oneFile(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := config.Load(args[0], os.Environ(), nil)
			if err != nil {
				return err
			}
			sayStrangers(cmd.ErrOrStderr(), &c)
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
	sections := daemonSections(flags)
	var sources bool
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	own.BoolVar(&sources, "sources", false, "also print where each value comes from: file, environment or flag")
	sections = append(sections, section{"What is printed", own})
	cmd := &cobra.Command{
		Use:     "print [FILE]",
		Short:   "print the settings in effect, from flags, environment, FILE and defaults",
		Example: configPrintExamples,
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := loadConfig(cmd, append(args, "")[0], flags)
			if err != nil {
				return err
			}
			sayStrangers(cmd.ErrOrStderr(), &c)
			return c.Print(cmd.OutOrStdout(), sources)
		},
	}
	useSections(cmd, sections, fewOfRun...)
	return cmd
}

// loadConfig reads the configuration of a command with configuration flags. A mistake in
// the flags is a usage error.
func loadConfig(cmd *cobra.Command, path string, flags *config.Flags) (config.Config, error) {
	c, err := config.Load(path, os.Environ(), flags)
	var flag *config.FlagError
	if errors.As(err, &flag) {
		err = usage(cmd, err)
	}
	return c, err
}

// noSettings is the warning of environment variables that set nothing.
const noSettings = "environment variables are no settings, and change nothing"

// sayStrangers names the environment variables that seem to be settings and are none.
func sayStrangers(stderr io.Writer, c *config.Config) {
	if names := c.Strangers(); len(names) > 0 {
		fmt.Fprintf(stderr, "dustbuster: %s: %s\n", noSettings, strings.Join(names, ", "))
	}
}

// oneFile accepts one argument or none.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usage(cmd, fmt.Errorf("%s takes one FILE, got %q as well", cmd.CommandPath(), args[1]))
	}
	return nil
}

// daemonSections are the sections of the daemon's flags, as shown.
func daemonSections(flags *config.Flags) []section {
	var all []section
	add := func(name string, keys ...string) {
		flags.Register(newSection(&all, name), keys...)
	}
	add("What is read", "inputs", "olddir", "format", "mining.hosts", "mining.ignore_clients", "mining.window", "mining.pane")
	add("What is one site", "site", "mining.site_by", "mining.groups")
	add("What is a rule", ruleKeys...)
	add("How rules are tried", append([]string{"validate.on", "validate.publish_interval", "validate.level_interval", "validate.recheck_interval", "validate.hold_share"}, trialKeys...)...)
	add("What is kept", append([]string{"state"}, boundKeys...)...)
	add("What is written", "rules", "events.file", "events.max_size", "events.keep", "withhold", "log.level", "log.format")
	add("The admin listener", append(slices.Clone(adminKeys), "admin.report_token_file", "admin.allow_origin", "admin.pages_from")...)
	add("Kafka", append(slices.Clone(clusterKeys), "kafka.group", "kafka.session_timeout", "kafka.observations", "kafka.rules", "kafka.events", "kafka.reports")...)
	add("How often", "refine_interval", "learn_interval", "checkpoint_interval", "shutdown_timeout")
	return all
}

// Sections shared by several commands.
var (
	adminKeys = []string{"admin.listen", "admin.hosts", "admin.token_file", "admin.read_token_file",
		"admin.connections", "admin.peer_connections", "admin.trusted_proxies", "admin.header_timeout"}
	clusterKeys = []string{"kafka.brokers", "kafka.tls", "kafka.tls_ca", "kafka.tls_cert", "kafka.tls_key", "kafka.tls_server_name",
		"kafka.sasl", "kafka.sasl_user"}
	trialKeys = []string{"validate.origin", "validate.origins", "validate.private", "validate.scheme", "validate.contact",
		"validate.actions", "validate.never_fetch_path", "validate.fetch_kinds", "validate.veto", "validate.pin", "validate.prefer", "validate.delay", "validate.budget", "validate.total",
		"validate.sites", "validate.hosts", "validate.seed",
		"validate.dry_run", "validate.audit"}
	ruleKeys = []string{"mining.min_support", "mining.max_tokens", "mining.bucket_low", "mining.bucket_high",
		"mining.size_tolerance", "mining.size_match", "mining.params", "mining.refine", "mining.learners", "mining.learner_rules"}
	boundKeys = []string{"memory", "mining.max_urls", "mining.max_sites", "mining.max_line", "mining.max_url_bytes", "mining.max_url_tokens"}
)
