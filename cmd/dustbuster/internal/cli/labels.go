package cli

import (
	"fmt"

	"dustbuster/config"
	"dustbuster/operators/learn/labelled"
	"dustbuster/operators/read/labels"
	"dustbuster/operators/window/admit"
	"dustbuster/sinks/text"
)

// ReadLabels reads tables of duplicates (--labels), and tells what it leaves out of them; nil if none is named. Their
// hosts belong to sites as those of the log's lines do. Secrets and addresses of clients are masked in what it tells.
func ReadLabels(c *config.Config, o admit.Options, say func(string)) (*labelled.Labels, error) {
	if len(c.Rule.Labels) == 0 {
		return nil, nil
	}
	gate, err := admit.New(o)
	if err != nil {
		return nil, err
	}
	all := &labels.File{}
	for _, path := range c.Rule.Labels {
		read, err := config.ReadAtMost(path, labels.MostBytes)
		if err == nil {
			err = all.Read(read)
		}
		if err != nil {
			return nil, fmt.Errorf("table of duplicates %q: %w", path, err)
		}
		for _, s := range all.Skips[:min(mostSkips, len(all.Skips))] {
			say(Masked(fmt.Sprintf("table of duplicates %q, %s", path, s), c.Veil()))
		}
		if n := all.Skipped - mostSkips; n > 0 {
			say(fmt.Sprintf("table of duplicates %q: %s are left out as well", path, text.Count(n, "more row")))
		}
		if all.Named == 0 {
			return nil, fmt.Errorf("table of duplicates %q: no row names a canonical URL", path)
		}
	}
	made := labelled.New(all.Rows, gate.Mined)
	if n := made.Lost(); n > 0 {
		say(fmt.Sprintf("%s of the tables of duplicates left out: your logs cannot have their URLs (--hosts, --max-url-bytes)", text.Count(n, "row")))
	}
	return made, nil
}
