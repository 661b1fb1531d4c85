package trials

import (
	"io"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/cmd/dustbuster/internal/offline"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/shown"
	"dustbuster/operators/rule"
	"dustbuster/sinks/html"
	"dustbuster/sinks/page"
)

// mostTried is the number of tried rules of a site that a report shows.
const mostTried = 500

// printReport prints the verdicts as a page.
func (t *trying) printReport(w io.Writer, run *offline.Reading, paths []string, next *following) error {
	r := html.New(html.Options{Veil: t.config.Veil(), Version: cli.Version(), Inputs: paths, Hosts: offline.HostsOf(t.config.Site.By == "domain", t.config.Site.Groups), Tried: true, Export: next.with().Export})
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
			s.Findings = append(s.Findings, html.Finding{Row: shown.Row{Rule: likely[undirected(e.Rule)]}, Entry: e})
		}
		if p := published[site.Site()]; p != nil {
			s.Holding = rulesOf(t.holding(site.Site(), p))
		}
		s.Reach = site.Reach()
		wasted, err := s.Reach.Waste(s.Holding)
		if err != nil {
			return err
		}
		s.Waste = &page.Waste{Waste: *wasted, Valid: len(s.Holding), Sample: site.Sampled()}
		r.Add(s)
	}
	return r.Write(w, run.Report(), next.commands()...)
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

// rulesOf returns the rules of records.
func rulesOf(records []rule.Record) (all []rule.Rule) {
	for i := range records {
		if r, err := records[i].Rule(); err == nil {
			all = append(all, r)
		}
	}
	return all
}
