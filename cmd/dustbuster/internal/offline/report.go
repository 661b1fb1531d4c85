package offline

import (
	"cmp"
	"io"
	"strings"
	"sync"

	"dustbuster/config"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/url/action"
	"dustbuster/sinks/export"
	"dustbuster/sinks/html"
)

// Applying are the command lines by which rules are applied, as a report names them.
type Applying struct {
	Rules string   // file of the rules that hold
	URLs  []string // files of the log
}

// Canon is what a report says of applying rules.
func (a Applying) Canon() html.Command {
	return html.Command{Purpose: "Turn URLs into their canonical forms:", Line: "dustbuster canon --rules " + ShellWord(a.Rules) + " < urls.txt"}
}

// Export is what a report says of a format of another tool. The log may name no site: then HOST
// stands for it.
func (a Applying) Export(format, site string, redirect bool) string {
	line := "dustbuster export " + format
	if redirect {
		line += " --redirect"
	}
	line += " --rules " + ShellWord(a.Rules) + " --site " + ShellWord(cmp.Or(site, "HOST"))
	if len(a.URLs) == 1 && a.URLs[0] != "-" {
		line += " --urls " + ShellWord(a.URLs[0])
	}
	if redirect {
		line += " > " + format + ".conf"
	}
	return line
}

// Line returns a command line of the program, with the flags of some groups as they were given
// to a run, further flags, and files.
func Line(command string, given []config.Given, further string, files []string) string {
	words := []string{"dustbuster", command}
	for _, g := range given {
		for _, text := range g.Texts {
			words = append(words, "--"+g.Flag+g.Sign+ShellWord(text))
		}
	}
	if further != "" {
		words = append(words, further)
	}
	for _, file := range files {
		words = append(words, ShellWord(file))
	}
	return strings.Join(words, " ")
}

// ShellWord quotes a text as a word of a shell's command, where that is necessary.
func ShellWord(s string) string {
	plain := func(c rune) bool { return c < 0x80 && (dust.IsAlnum(byte(c)) || strings.ContainsRune("-._:/", c)) }
	if s != "" && strings.IndexFunc(s, func(c rune) bool { return !plain(c) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// HostsOf returns a function that returns the hosts of a site whose URLs begin with their hosts.
func HostsOf(byDomain bool, groups map[string][]string) func(site string) []string {
	return func(site string) []string {
		return export.HostsOf(site, groups[site], byDomain && site != "")
	}
}

// reportPrinter prints the rules of all sites as a page.
type reportPrinter struct {
	*mining
	w      io.Writer
	report *html.Report
}

func (p *reportPrinter) print(m *mined) error {
	p.report.Add(m.reported())
	return nil
}

func (p *reportPrinter) end() error { return p.report.Write(p.w, p.Report(), p.next()...) }

// next is what is to do after mine: the rules that were found are tried.
func (m *mining) next() []html.Command {
	if m.pairs+m.drops == 0 {
		return nil
	}
	return []html.Command{
		{Purpose: "Test the rules on your site before you use them (--origin is the address of your web server):", Line: m.test("-o json=" + RulesFile + " ")},
		Applying{Rules: RulesFile}.Canon(),
	}
}

// test is the command line that tests the rules on the site, or on the pages of a web archive.
func (m *mining) test(outputs string) string {
	given, further := m.o.given.Given("read -inputs", "site", "rule", "write.withhold"), "--origin http://127.0.0.1 "
	if len(m.o.inputs) == 1 && isArchive(m.o.inputs[0]) {
		return Line("validate", given, "--pages "+ShellWord(m.o.inputs[0])+" "+outputs+"-o html=report.html", nil)
	}
	return Line("validate", given, further+outputs+"-o html=report.html", m.o.inputs)
}

// isArchive reports whether a file is a web archive by its name.
func isArchive(path string) bool {
	return strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".warc")
}

// RulesFile is a name for the file of the rules that hold.
const RulesFile = "rules.jsonl"

// actions are the words of actions that are known without a configuration.
var actions = sync.OnceValue(func() *action.List {
	list, err := action.New([]string{action.Standard})
	if err != nil {
		panic(err) // the list is part of the program
	}
	return list
})

// reported returns a site with the best of its rules.
func (m *mined) reported() *html.Site {
	l := &m.list
	s := &html.Site{Machine: m.site, Reach: m.reach, Waste: &m.waste, Days: m.days, All: len(m.rules), Hidden: l.hidden, Folded: folded(l.rows), Explained: l.explained}
	var rules []rule.Rule
	for i := range l.rows {
		rules = append(rules, l.rows[i].Rule.Rule)
	}
	s.Beside = m.reach.Beside(rules, actions().In)
	for i := range l.rows {
		s.Findings = append(s.Findings, html.Finding{Row: l.rows[i]})
	}
	return s
}
