package trials

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"

	"dustbuster/config"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
	"dustbuster/sinks/plan"
	"dustbuster/stream/fetch"
	"dustbuster/stream/prober"
)

// pairsShown is how many pairs of each rule are planned.
const pairsShown = 5

// planner finds the URLs that would be fetched. It sends no request.
type planner struct {
	fetcher *fetch.Fetcher
	worker  *prober.Worker
	veil    secret.Veil // masks URLs
	sites   []plan.Site
}

// NewPlanner returns a planner that masks URLs by a veil.
func NewPlanner(fetcher *fetch.Fetcher, worker *prober.Worker, veil secret.Veil) *planner {
	return &planner{fetcher: fetcher, worker: worker, veil: veil}
}

// Add plans a site, given its machine and its likely rules.
func (p *planner) Add(m *miner.Machine, list []rule.Candidate) {
	s := plan.Site{Schema: plan.Schema, Kind: "site", Site: m.Site(), Origin: p.fetcher.Origin(m.Site()), Robots: []string{}}
	for i, r := range p.worker.Plan(m.Site(), forms.WindowOf(m), list, pairsShown) {
		rule := plan.Rule{Schema: plan.Schema, Kind: "rule", Site: s.Site, Order: i + 1, Purpose: r.Purpose.String(), ID: r.ID,
			Support: r.Support, Gain: r.Gain, Pairs: r.Pairs, Barred: r.Barred, Expected: r.Outcomes, First: []plan.Pair{}}
		if r.Rule != nil {
			rule.Rule = r.Rule
		}
		for _, test := range r.First {
			rule.First = append(rule.First, plan.Pair{U: p.url(&s, test.Asked()), V: p.url(&s, test.V)})
		}
		s.Rules = append(s.Rules, rule)
	}
	p.sites = append(p.sites, s)
}

// url returns a planned URL. The robots.txt of its host comes before.
func (p *planner) url(s *plan.Site, target string) plan.URL {
	where, err := p.fetcher.Where(s.Site, target)
	if e, ok := errors.AsType[*fetch.Error](err); ok {
		return plan.URL{URL: p.veil.Mask(target), Refused: string(e.Reason)}
	}
	if u, err := url.Parse(where); err == nil {
		if robots := u.Scheme + "://" + u.Host + "/robots.txt"; !slices.Contains(s.Robots, robots) {
			s.Robots = append(s.Robots, robots)
		}
	}
	return plan.URL{URL: p.veil.Mask(target)}
}

// Write writes the plan, and the URLs that are never requested.
func (p *planner) Write(w, stderr io.Writer, asJSON bool) error {
	for _, line := range private(p.worker.Status()) {
		fmt.Fprintln(stderr, line)
	}
	for _, line := range untested(p.worker.Status()) {
		fmt.Fprintln(stderr, "dustbuster: "+line)
	}
	if asJSON {
		return plan.JSON(w, p.sites)
	}
	return plan.Text(w, p.sites, "--dry-run=json has them all")
}

// AuditFile is the path of the audit file; "" without one. A dry run writes none.
func AuditFile(c *config.Config) string {
	if c.Validate.DryRun != "" {
		return ""
	}
	return c.Validate.Audit
}
