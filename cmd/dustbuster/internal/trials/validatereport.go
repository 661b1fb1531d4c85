package trials

import (
	"fmt"
	"io"
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

// printText prints what duplicates cost crawlers, by the rules that hold, and the verdicts as a table.
func (t *trying) printText(w io.Writer, sites *miner.Sites) error {
	var all page.Waste
	published := t.worker.Published()
	for site := range sites.All() {
		waste, _, err := wasteOf(site, site.Reach(), t.holdingRules(site.Site(), published))
		if err != nil {
			return err
		}
		all.Add(waste)
	}
	verdicts, apart := t.ordered(), ""
	if len(verdicts) > 0 {
		apart = "\n"
	}
	if _, err := fmt.Fprintf(w, "%s\n%s", &all, apart); err != nil {
		return fmt.Errorf("write verdicts: %w", err)
	}
	return text.Verdicts(w, len(verdicts), func(i int) (string, *book.Entry) { return verdicts[i].site, &verdicts[i].Entry })
}

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
