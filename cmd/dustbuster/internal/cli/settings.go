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
	var flag *config.FlagError
	if errors.As(err, &flag) {
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

// Sections shared by several commands.
var (
	AdminKeys = []string{"admin.listen", "admin.hosts", "admin.token_file", "admin.read_token_file",
		"admin.connections", "admin.peer_connections", "admin.trusted_proxies", "admin.header_timeout"}
	ClusterKeys = []string{"kafka.brokers", "kafka.tls", "kafka.tls_ca", "kafka.tls_cert", "kafka.tls_key", "kafka.tls_server_name",
		"kafka.sasl", "kafka.sasl_user"}
	TrialKeys = []string{"validate.origin", "validate.origins", "validate.private", "validate.scheme", "validate.contact",
		"validate.actions", "validate.never_fetch_path", "validate.fetch_kinds", "validate.veto", "validate.pin", "validate.prefer", "validate.delay", "validate.budget", "validate.total",
		"validate.sites", "validate.hosts", "validate.seed",
		"validate.dry_run", "validate.audit"}
	RuleKeys = []string{"mining.min_support", "mining.max_tokens", "mining.bucket_low", "mining.bucket_high",
		"mining.size_tolerance", "mining.size_match", "mining.params", "mining.refine", "mining.learners", "mining.learner_rules"}
	BoundKeys = []string{"memory", "mining.max_urls", "mining.max_sites", "mining.max_line", "mining.max_url_bytes", "mining.max_url_tokens"}
)
