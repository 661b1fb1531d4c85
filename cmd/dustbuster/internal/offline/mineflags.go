package offline

import (
	"errors"
	"slices"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// mineFlags are the flags of mine: the flags shared with the daemon, and mine's own.
type mineFlags struct {
	shared *config.Flags
	output string
	top    int
	all    bool
	expand bool
	stats  bool
	debug  bool
}

// Outputs are the values of --output.
var Outputs = []string{"text", "json", "html"}

var ErrOutput = errors.New("read flags: --output must be text, json or html")

// sections makes the flags, as they are shown.
func (f *mineFlags) sections() []cli.Section {
	var all []cli.Section
	add := func(name string) *pflag.FlagSet { return cli.NewSection(&all, name) }
	f.shared = config.NewFlags(config.MineDefaults())
	f.shared.Register(add("What is read"), "format", "mining.hosts", "mining.ignore_clients", "mining.window", "mining.pane")
	f.shared.Register(add("What is one site"), "site", "mining.site_by", "mining.groups")
	f.shared.Register(add("What is a rule"), cli.RuleKeys...)
	f.shared.Register(add("What is kept"), cli.BoundKeys...)
	printed := add("What is printed")
	f.registerOutput(printed)
	f.shared.Register(printed, "withhold")
	return all
}

func (f *mineFlags) registerOutput(to *pflag.FlagSet) {
	to.StringVarP(&f.output, "output", "o", "text", "`text|json|html`; output format. json is one object a line. html is a report for a browser")
	to.IntVar(&f.top, "top", 50, "most rules printed of a site, best first. 0 prints all, and is the default for json")
	to.BoolVar(&f.all, "all", false, "in text and html, also show rules that chance may explain: rules of a weight below 3")
	to.BoolVar(&f.expand, "expand", false, "in text and html, also show rules that differ from another rule only in the text around the change")
	to.BoolVar(&f.stats, "stats", false, "print statistics on standard error: lines read, lines left out, URLs kept")
	to.BoolVar(&f.debug, "debug", false, "print malformed lines on standard error: some of each file, with addresses masked")
}

// options checks the flags and puts them where they belong.
func (f *mineFlags) options(cmd *cobra.Command) (mineOptions, error) {
	c, err := f.shared.Config()
	if err != nil {
		return mineOptions{}, err
	}
	if err := f.check(); err != nil {
		return mineOptions{}, err
	}
	o := mineOptions{ReadOptions: OptionsOf(&c, cmd.InOrStdin()), output: f.output, top: f.top, all: f.all, expand: f.expand, stats: f.stats, veil: c.Veil()}
	o.Memory, o.Miner.Tally = cli.TableBytes(cli.LimitMemory(c.Memory), false), true
	if o.output == "json" && !cmd.Flags().Changed("top") {
		o.top = 0
	}
	if f.debug {
		o.Records.Malformed = cli.MalformedLog(cmd.ErrOrStderr(), c.Veil())
	}
	return o, nil
}

// check returns an error for invalid values of mine's own flags.
func (f *mineFlags) check() error {
	if !slices.Contains(Outputs, f.output) {
		return ErrOutput
	}
	if f.top < 0 {
		return errors.New("read flags: --top must be 0 or more")
	}
	return nil
}
