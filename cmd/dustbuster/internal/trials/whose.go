package trials

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"dustbuster/cmd/dustbuster/internal/offline"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/window/ours"
	"dustbuster/sinks/text"
)

// strangers are the sites of which nothing says that they are the user's. Any goroutine may use them.
type strangers struct {
	mu      sync.Mutex
	sites   []stranger
	domains bool // a site is all hosts of a domain
}

type stranger struct {
	site  string
	rules int
	told  string // what the origin showed; "": it was not asked
}

func (s *strangers) add(site string, rules int, told string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.ContainsFunc(s.sites, func(a stranger) bool { return a.site == site }) {
		s.sites = append(s.sites, stranger{site, rules, told})
	}
}

// cover reports whether all of some sites are strangers.
func (s *strangers) cover(sites []string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !slices.ContainsFunc(sites, func(site string) bool {
		return !slices.ContainsFunc(s.sites, func(a stranger) bool { return a.site == site })
	})
}

// mostStrangers is the number of sites that are named.
const mostStrangers = 5

// String asks whose the sites are, and says what helps; "" without sites.
func (s *strangers) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.sites) == 0 {
		return ""
	}
	rules, names := 0, []string{}
	for _, a := range s.sites {
		rules += a.rules
		names = append(names, a.site)
	}
	why := ""
	if first := s.sites[0]; first.told != "" {
		why = fmt.Sprintf(" The server does not know %q: %s.", first.site, first.told)
	}
	slices.Sort(names)
	shown := names[:min(mostStrangers, len(names))]
	more := ""
	if n := len(names) - len(shown); n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	whose := "is this site yours? " + shown[0]
	if len(names) > 1 {
		whose = "are these sites yours? " + strings.Join(shown, ", ") + more
	}
	hosts := slices.Clone(shown)
	if s.domains {
		for _, name := range shown {
			hosts = append(hosts, "*."+name)
		}
	}
	return fmt.Sprintf("%s (%s not tested). Anybody can send a host name, so say which are yours.%s If these are: --hosts %s", whose, text.Count(rules, "rule"), why, offline.ShellWord(strings.Join(hosts, ",")))
}

// unsaid says what was not tested, why, and what helps.
func (t *trying) unsaid() (lines []string) {
	if text := t.strange.String(); text != "" {
		lines = append(lines, text)
	}
	return append(lines, untested(t.worker.Status())...)
}

// tellFigures tells the worker how many lines name each site.
func (t *trying) tellFigures(sites *miner.Sites) {
	var all []ours.Figure
	for m := range sites.All() {
		all = append(all, ours.Figure{Site: m.Site(), Count: m.Lines(), Clients: m.SeenClients()})
	}
	t.worker.Figures(all, sites.Beyond())
}
