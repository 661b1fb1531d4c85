package trials

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"dustbuster/cmd/dustbuster/internal/offline"
	"dustbuster/sinks/html"
	"dustbuster/sinks/text"
)

// following is what a run leaves to do.
type following struct {
	o                  *Options
	logs               []string
	holding            int  // rules that hold
	early              bool // not everything was tried
	unproved, requests int  // of the rules that hold, and what their proofs take
}

// with returns the commands that use the rules of the run.
func (f *following) with() offline.Applying {
	file := ""
	if list := f.o.Outputs.In("json"); list != nil {
		file = list.Path
	}
	return offline.Applying{Rules: cmp.Or(file, offline.RulesFile), URLs: f.logs}
}

// commands returns what is to do, with the flags of the run.
func (f *following) commands() (all []html.Command) {
	if f.early {
		left := "This run ended early. Try what is left"
		if f.unproved > 0 {
			left += fmt.Sprintf(", and prove what holds so far (%s, about %s)", text.Count(f.unproved, "rule"), text.Count(f.requests, "request"))
		}
		all = append(all, html.Command{Purpose: left + ":", Line: f.validate("-o json=" + offline.ShellWord(f.with().Rules) + " -o html=report.html")})
	}
	if f.holding > 0 {
		if !f.early && f.o.Outputs.In("json") == nil {
			all = append(all, html.Command{Purpose: "Get the rules that hold, for the commands below:", Line: f.validate("-o json=" + offline.RulesFile)})
		}
		all = append(all, f.with().Canon())
	}
	if f.o.Pages == "" {
		all = append(all, html.Command{Purpose: "Keep the rules current as the log grows:", Line: f.run()})
	}
	return all
}

// validate is the command line of the run, without an end of its own.
func (f *following) validate(further string) string {
	for _, file := range [][2]string{{"--pages ", f.o.Pages}, {"--rules ", f.o.Rules}} {
		if file[1] != "" {
			further = file[0] + offline.ShellWord(file[1]) + " " + further
		}
	}
	return offline.Line("validate", f.o.given.Given("read -inputs", "site", "rule", "validate -total -dry_run -audit", "write.withhold"), further, f.logs)
}

// run is the command line of a daemon for the same site.
func (f *following) run() string {
	further := ""
	for _, log := range f.logs {
		if log != "-" && !slices.Contains([]string{".gz", ".zst", ".bz2"}, filepath.Ext(log)) { // such a log does not grow
			further += " --tail " + offline.ShellWord(log)
		}
	}
	if further == "" {
		further = " --tail access.log"
	}
	return offline.Line("run", f.o.given.Given("read -inputs", "site", "rule", "validate -total -dry_run -audit -seed", "write.withhold"), further[1:], nil)
}
