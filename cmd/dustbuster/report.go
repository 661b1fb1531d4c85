package main

import (
	"cmp"
	"io"
	"strings"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/admit"
	"dustbuster/sinks/html"
)

// canonCommand is what a report says of applying rules.
var canonCommand = html.Command{Purpose: "Turn URLs into their canonical forms:", Line: "dustbuster canon --rules rules.jsonl < urls.txt"}

// exportCommand is what a report says of a format of another tool. The log may name no site:
// then HOST stands for it.
func exportCommand(format, site string, redirect bool) string {
	line := "dustbuster export " + format
	if redirect {
		line += " --redirect"
	}
	line += " --rules rules.jsonl --site " + shellWord(cmp.Or(site, "HOST"))
	if redirect {
		line += " > " + format + ".conf"
	}
	return line
}

// shellWord quotes a text as a word of a shell's command, where that is necessary.
func shellWord(s string) string {
	plain := func(c rune) bool { return c < 0x80 && (dust.IsAlnum(byte(c)) || strings.ContainsRune("-._:/", c)) }
	if s != "" && strings.IndexFunc(s, func(c rune) bool { return !plain(c) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// hostsOf returns a function that returns the hosts of a site whose URLs begin with their hosts.
func hostsOf(byDomain bool, groups map[string][]string) func(site string) []string {
	return func(site string) []string {
		if hosts, ok := groups[site]; ok {
			return append([]string{site}, hosts...)
		}
		if byDomain && site != "" {
			return []string{site, "*." + site}
		}
		return nil
	}
}

// printReport prints the rules of all sites as a page.
func (m *mining) printReport(w io.Writer) error {
	r := html.New(html.Options{Veil: m.o.veil, Version: version(), Inputs: m.o.inputs, Hosts: hostsOf(m.o.records.Admit.ByDomain, m.o.records.Admit.Groups), Export: exportCommand, Next: []html.Command{
		{Purpose: "Try the rules on the site, politely, before they are used:", Line: "dustbuster validate --origin http://127.0.0.1:8080 --output json access.log > rules.jsonl"},
		canonCommand,
	}})
	for site := range m.sites.All() {
		rules := site.AllRules()
		m.count(rules)
		r.Add(m.reported(site, rules))
	}
	return r.Write(w, m.wasRead())
}

// reported returns a site with the best of its rules.
func (m *mining) reported(site *miner.Machine, rules []rule.Likely) *html.Site {
	rows, _, hidden := m.rows(rules)
	s := &html.Site{Machine: site, All: len(rules), Hidden: hidden, Folded: folded(rows)}
	for i := range rows {
		s.Findings = append(s.Findings, html.Finding{Likely: rows[i].Rule, Others: rows[i].Others})
	}
	return s
}

// wasRead returns what was read of the logs.
func (m *mining) wasRead() html.Read {
	c := &m.counts
	read := html.Read{Lines: c.Lines, Hits: c.Reasons[admit.Admitted]}
	read.Nothing, _ = m.nothing()
	for _, why := range m.refusals() {
		read.Refused = append(read.Refused, html.Reason{Name: why.name, Lines: why.lines})
	}
	return read
}

// mostTried is the number of tried rules of a site that a report shows.
const mostTried = 500

// printReport prints the verdicts as a page.
func (t *trying) printReport(w io.Writer, run *mining, paths []string) error {
	r := html.New(html.Options{Veil: t.config.Veil(), Version: version(), Inputs: paths, Hosts: hostsOf(t.config.Mining.SiteBy == "domain", t.config.Mining.Groups), Tried: true, Export: exportCommand, Next: []html.Command{
		{Purpose: "Get the rules that hold, for the commands below:", Line: "dustbuster validate --origin http://127.0.0.1:8080 --output json access.log > rules.jsonl"},
		canonCommand,
		{Purpose: "Keep the rules current as the log grows:", Line: "dustbuster run --tail access.log --origin http://127.0.0.1:8080"},
	}})
	bySite, published := map[string][]tried{}, t.worker.Published()
	for _, v := range t.ordered() {
		bySite[v.site] = append(bySite[v.site], v)
	}
	for site := range run.sites.All() {
		all := bySite[site.Site()]
		s := &html.Site{Machine: site, All: len(all)}
		likely := likelyRules(site, len(all))
		for i := range all[:min(len(all), mostTried)] {
			e := &all[i].Entry
			s.Findings = append(s.Findings, html.Finding{Likely: likely[undirected(e.Rule)], Entry: e})
		}
		if p := published[site.Site()]; p != nil {
			s.Holding = rulesOf(t.holding(site.Site(), p))
		}
		r.Add(s)
	}
	return r.Write(w, run.wasRead())
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
