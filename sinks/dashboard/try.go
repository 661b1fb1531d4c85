package dashboard

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// tries keeps the compiled rules of all sites.
type tries struct {
	mu       sync.Mutex
	compiled map[string]int64 // by site, the sequence of the compiled publication
	sites    *canon.Sites
	err      error
}

// of returns the compiled rules of publications. They are compiled again if a publication is new.
func (t *tries) of(published map[string]*book.Publication) (*canon.Sites, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := make(map[string]int64, len(published))
	for name, p := range published {
		now[name] = p.Sequence
	}
	if t.compiled == nil || !maps.Equal(t.compiled, now) {
		t.sites, t.err = compile(published)
		t.compiled = now
	}
	return t.sites, t.err
}

// compile compiles the rules of all sites. Sites whose rules crawlers would refuse are left out.
func compile(published map[string]*book.Publication) (*canon.Sites, error) {
	var sites []canon.Site
	for _, name := range slices.Sorted(maps.Keys(published)) {
		if site, err := siteOf(name, published[name].Records); err == nil {
			sites = append(sites, site)
		}
	}
	clashes, kept := canon.Clashes(sites), sites[:0]
	for i, site := range sites {
		if clashes[i] == nil {
			kept = append(kept, site)
		}
	}
	return canon.NewSites(kept)
}

func siteOf(name string, records []rule.Record) (site canon.Site, err error) {
	site.Name = name
	for i := range records {
		site.ByDomain, site.Hosts = records[i].ByDomain, records[i].Hosts
		r, err := records[i].Rule()
		if err != nil {
			return site, err
		}
		site.Rules = append(site.Rules, r)
	}
	if site.Compiled, err = canon.Compile(site.Rules); err == nil {
		_, err = canon.NewSites([]canon.Site{site})
	}
	return site, err
}

type tryData struct {
	URL, Site string
	Asked     bool
	Known     bool   // a site's rules apply to the URL
	Of        string // the site
	Form      string
	Steps     []step
}

// step is one edit on the way to the canonical form.
type step struct {
	Text               string // of the edited URL
	Before, New, After string // the parts of Text: New is what the edit put in
	Cut                string // what the edit took out
	Rule               rule.Rule
	Record             *rule.Record
}

// longestURL is the most bytes of a URL that is tried.
const longestURL = 8192

func try(r *request) (content, error) {
	d := tryData{URL: strings.TrimSpace(r.query.Get("url")), Site: r.query.Get("site")}
	if len(d.URL) > longestURL {
		d.URL = d.URL[:longestURL]
	}
	c := content{"try", "Try a URL", "try", &d}
	if d.Asked = d.URL != ""; !d.Asked {
		return c, nil
	}
	sites, err := r.d.tries.of(r.seen.Trials.Published)
	if err != nil {
		return c, err
	}
	d.take(sites, r.seen)
	return c, nil
}

// anyHost stands for the host of a path without a site: rules of a log without hosts are those of any host.
const anyHost = "site.invalid"

// take finds the canonical form.
func (d *tryData) take(sites *canon.Sites, seen *seen) {
	origin, url := "", d.URL
	if strings.HasPrefix(url, "/") {
		host := d.Site
		if host == "" {
			host = anyHost
		}
		origin = "http://" + host
		url = origin + url
	} else if !strings.Contains(url, "://") {
		url = "http://" + url
	}
	d.Of, d.Known = sites.SiteOf(url)
	short := func(text string) string { return strings.TrimPrefix(text, origin) }
	before := short(url)
	form, _ := sites.Canonical(url)
	d.Form = short(form)
	for s := range sites.Steps(url) {
		one := step{Text: short(s.URL), Rule: s.Rule}
		if p := seen.Trials.Published[s.Site]; p != nil && s.Rank < len(p.Records) {
			one.Record = seen.veiled(&p.Records[s.Rank])
		}
		one.difference(before)
		before = one.Text
		d.Steps = append(d.Steps, one)
	}
}

// difference finds what an edit took out of a text and what it put in.
func (s *step) difference(before string) {
	a, b := 0, 0
	for a < min(len(before), len(s.Text)) && before[a] == s.Text[a] {
		a++
	}
	for b < min(len(before), len(s.Text))-a && before[len(before)-1-b] == s.Text[len(s.Text)-1-b] {
		b++
	}
	s.Before, s.New, s.After, s.Cut = s.Text[:a], s.Text[a:len(s.Text)-b], s.Text[len(s.Text)-b:], before[a:len(before)-b]
}
