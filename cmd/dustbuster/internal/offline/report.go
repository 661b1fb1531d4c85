package offline

import (
	"cmp"
	"io"
	"strings"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
	"dustbuster/sinks/html"
)

// CanonCommand is what a report says of applying rules.
var CanonCommand = html.Command{Purpose: "Turn URLs into their canonical forms:", Line: "dustbuster canon --rules rules.jsonl < urls.txt"}

// ExportCommand is what a report says of a format of another tool. The log may name no site:
// then HOST stands for it.
func ExportCommand(format, site string, redirect bool) string {
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

// HostsOf returns a function that returns the hosts of a site whose URLs begin with their hosts.
func HostsOf(byDomain bool, groups map[string][]string) func(site string) []string {
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
	r := html.New(html.Options{Veil: m.o.veil, Version: cli.Version(), Inputs: m.o.inputs, Hosts: HostsOf(m.o.Records.Admit.ByDomain, m.o.Records.Admit.Groups), Export: ExportCommand, Next: []html.Command{
		{Purpose: "Try the rules on the site, politely, before they are used:", Line: "dustbuster validate --origin http://127.0.0.1:8080 --output json access.log > rules.jsonl"},
		CanonCommand,
	}})
	for site := range m.Sites.All() {
		rules, reach := site.Mine()
		m.count(rules)
		r.Add(m.reported(site, rules, reach))
	}
	return r.Write(w, m.Report())
}

// reported returns a site with the best of its rules.
func (m *mining) reported(site *miner.Machine, rules []rule.Likely, reach *miner.Reach) *html.Site {
	l := m.list(rules, reach)
	s := &html.Site{Machine: site, Reach: reach, All: len(rules), Hidden: l.hidden, Folded: folded(l.rows), Explained: l.explained}
	for i := range l.rows {
		s.Findings = append(s.Findings, html.Finding{Row: l.rows[i]})
	}
	return s
}
