package offline

import (
	"errors"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"

	"github.com/spf13/cobra"
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

// sections makes the flags, as they are shown.
func (f *mineFlags) sections() []config.Section {
	f.shared = config.NewFlags(config.MineDefaults())
	printed := config.NewSection("What is printed")
	to := printed.Flags
	cli.OutputFlag(to, &f.output, "json is one object a line. html is a report for a browser", "text", "json", "html")
	to.IntVar(&f.top, "top", 50, "most rules printed of a site, best first. 0 prints all, and is the default for json")
	to.BoolVar(&f.all, "all", false, "in text and html, also show rules that chance may explain: rules of a weight below 3")
	to.BoolVar(&f.expand, "expand", false, "in text and html, also show rules that differ from another rule only in the text around the change")
	to.BoolVar(&f.stats, "stats", false, "print statistics on standard error: lines read, lines left out, URLs kept")
	to.BoolVar(&f.debug, "debug", false, "print malformed lines on standard error: some of each file, with addresses masked")
	f.shared.Register(to, "write.withhold")
	return append(f.shared.Sections("read -inputs -olddir", "site", "rule", "keep -state"), printed)
}

// options checks the flags and puts them where they belong.
func (f *mineFlags) options(cmd *cobra.Command) (mineOptions, error) {
	c, err := f.shared.Config()
	if err != nil {
		return mineOptions{}, err
	}
	if f.top < 0 {
		return mineOptions{}, errors.New("read flags: --top must be 0 or more")
	}
	o := mineOptions{ReadOptions: OptionsOf(&c, cmd.InOrStdin()), output: f.output, top: f.top, all: f.all, expand: f.expand, stats: f.stats, veil: c.Veil()}
	o.Memory, o.Miner.Tally = cli.TableBytes(cli.LimitMemory(c.Keep.Memory), false), true
	if o.output == "json" && !cmd.Flags().Changed("top") {
		o.top = 0
	}
	if f.debug {
		o.Records.Malformed = cli.MalformedLog(cmd.ErrOrStderr(), c.Veil())
	}
	return o, nil
}
