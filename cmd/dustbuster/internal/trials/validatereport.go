package trials

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/cmd/dustbuster/internal/offline"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/shown"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/action"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/html"
	"dustbuster/sinks/page"
	"dustbuster/sinks/text"
)

// mostTried is the number of tried rules of a site that a report shows.
const mostTried = 500

// printReport prints the verdicts as a page.
func (t *trying) printReport(w io.Writer, run *offline.Reading, paths []string, next *following) error {
	r := html.New(html.Options{Veil: t.config.Veil(), Version: cli.Version(), Time: time.Now().UTC().Format(time.RFC3339), Inputs: paths, Hosts: offline.HostsOf(t.config.Site.By == "domain", t.config.Site.Groups), Tried: true, Export: next.with().Export})
	actions, err := action.New(t.config.Validate.Actions)
	if err != nil {
		return err
	}
	bySite, published := map[string][]tried{}, t.worker.Published()
	for _, v := range t.ordered() {
		bySite[v.site] = append(bySite[v.site], v)
	}
	for site := range run.Sites.All() {
		all := bySite[site.Site()]
		s := &html.Site{Machine: site, All: len(all)}
		likely := likelyRules(site, len(all))
		for i := range all[:min(len(all), mostTried)] {
			e := &all[i].Entry
			s.Findings = append(s.Findings, html.Finding{Row: shown.Row{Rule: likely[undirected(e.Rule)]}, Entry: e, Opened: t.worker.Opened(site.Site(), e)})
		}
		s.Holding, s.Reach = t.holdingRules(site.Site(), published), site.Reach()
		if s.Waste, s.Days, err = wasteOf(site, s.Reach, s.Holding); err != nil {
			return err
		}
		s.Beside = s.Reach.Beside(s.Holding, actions.In)
		r.Add(s)
	}
	r.Say(t.unsaid()...)
	return r.Write(w, run.Report(), next.commands()...)
}

// printText prints what duplicates cost crawlers by the rules that hold, what became of the rules, and what to do. With
// --explain a table has the figures of each rule.
func (t *trying) printText(w io.Writer, run *offline.Reading, next *following) error {
	var all page.Waste
	var told bytes.Buffer
	published, bySite := t.worker.Published(), map[string][]*book.Entry{}
	verdicts := t.ordered()
	for i := range verdicts {
		bySite[verdicts[i].site] = append(bySite[verdicts[i].site], &verdicts[i].Entry)
	}
	for site := range run.Sites.All() {
		reach := site.Reach()
		wasted, _, err := wasteOf(site, reach, t.holdingRules(site.Site(), published))
		if err != nil {
			return err
		}
		all.Add(wasted)
		who, _ := (*waste.Told)(wasted).Who()
		savings := reach.Savings(who.Mask())
		o := text.Outcome{Site: site.Site(), Entries: bySite[site.Site()], Saving: savings.Add, Left: requestsLeft, More: "--explain shows all"}
		if len(o.Entries) == 0 || next.o.Explain {
			continue
		}
		if told.Len() > 0 {
			told.WriteByte('\n')
		}
		if err := o.Write(&told, len(bySite) > 1); err != nil {
			return err
		}
	}
	if next.o.Explain {
		if err := text.Verdicts(&told, len(verdicts), func(i int) (string, *book.Entry) { return verdicts[i].site, &verdicts[i].Entry }); err != nil {
			return err
		}
	}
	if commands := next.commands(); (next.holding > 0 || next.early) && len(commands) > 0 {
		fmt.Fprintf(&told, "\nNext: %s\n  %s\n", uncapital(commands[0].Purpose), commands[0].Line)
	}
	apart := ""
	if told.Len() > 0 {
		apart = "\n"
	}
	if _, err := fmt.Fprintf(w, "%s\n%s%s", strings.Join(all.Lines(), "\n"), apart, &told); err != nil {
		return fmt.Errorf("write verdicts: %w", err)
	}
	return nil
}

func uncapital(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// holdingRules returns the rules of a site that hold together, in their order.
func (t *trying) holdingRules(site string, published map[string]*book.Publication) []rule.Rule {
	p := published[site]
	if p == nil {
		return nil
	}
	return rulesOf(t.holding(site, p))
}

// wasteOf returns the waste of a site by rules that hold, and the same by day.
func wasteOf(site *miner.Machine, reach *miner.Reach, holding []rule.Rule) (*page.Waste, []waste.Day, error) {
	wasted, days, err := reach.Waste(holding)
	if err != nil {
		return nil, nil, err
	}
	wasted.Valid, wasted.Sample = len(holding), site.Sampled()
	return (*page.Waste)(&wasted), days, nil
}

// likelyRules returns the likely rules of a site by their edits, if rules were tried.
func likelyRules(site *miner.Machine, tried int) map[rule.Rule]rule.Likely {
	if tried == 0 {
		return nil
	}
	all := map[rule.Rule]rule.Likely{}
	for _, l := range site.AllRules() {
		all[undirected(l.Rule)] = l
	}
	return all
}

// undirected returns a rule without its direction and exceptions.
func undirected(r rule.Rule) rule.Rule {
	r.Except = rule.Except{}
	return r.Shrinking()
}

func rulesOf(records []rule.Record) (all []rule.Rule) {
	for i := range records {
		if r, err := records[i].Rule(); err == nil {
			all = append(all, r)
		}
	}
	return all
}

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
		left := "This run ended early. Test the rest"
		if f.unproved > 0 {
			left += fmt.Sprintf(", and complete the test of %s (about %s)", text.Count(f.unproved, "rule"), text.Count(f.requests, "more request"))
		}
		all = append(all, html.Command{Purpose: left + ":", Line: f.validate("-o json=" + offline.ShellWord(f.with().Rules) + " -o html=report.html")})
	}
	if f.holding > 0 {
		if !f.early && f.o.Outputs.In("json") == nil {
			all = append(all, html.Command{Purpose: "Save the confirmed rules for other programs (this tests them again):", Line: f.validate("-o json=" + offline.RulesFile)})
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
