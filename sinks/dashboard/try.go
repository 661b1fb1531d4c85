package dashboard

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/sinks/page"
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
	No        bool   // the text is no URL
	Unseen    string // the host of a URL, if no site here has it
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

// anyHost stands for the host of a path without a site: rules of a log without hosts are those of the host that is asked for.
const anyHost = "site.invalid"

// take finds the canonical form.
func (d *tryData) take(sites *canon.Sites, seen *seen) {
	origin, url := "", d.URL
	if strings.HasPrefix(url, "/") {
		origin = "http://" + cmp.Or(d.Site, anyHost)
		url = origin + url
	} else if !strings.Contains(url, "://") {
		url = "http://" + url
	}
	if a, ok := urlnorm.ParseAddress(url); ok { // who asks says whose the rules without a host are
		if of, err := sites.For(a.Host); err == nil {
			sites = of
		}
	}
	if d.Of, d.Known = sites.SiteOf(url); !d.Known && !d.isSeen(url, seen) {
		return
	}
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

// isSeen reports whether a site of the daemon has the host of a URL without rules. If not, it notes why.
func (d *tryData) isSeen(text string, seen *seen) bool {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		d.No = true
		return false
	}
	host := strings.ToLower(u.Hostname())
	if host == anyHost && seen.find("") != nil || slices.ContainsFunc(seen.sites, func(r row) bool {
		return r.Name == host || r.Name == strings.ToLower(u.Host) || r.Name != "" && strings.HasSuffix(host, "."+r.Name)
	}) {
		return true
	}
	d.Unseen = host
	return false
}

// difference finds what an edit took out of a text and what it put in: the sides of a rule of texts, a parameter with its
// separator, and otherwise whole words.
func (s *step) difference(before string) {
	after := s.Text
	end := 0
	for end < min(len(before), len(after)) && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	most := 0
	for most < min(len(before), len(after)) && before[most] == after[most] {
		most++
	}
	from, out, in := s.sides(before, most)
	for at := most; from < 0 && len(before) > len(after) && at >= max(0, len(after)-end); at-- {
		if cut := before[at : at+len(before)-len(after)]; isParam(cut, before[:at], before[at+len(cut):]) {
			from, out = at, cut
		}
	}
	if from < 0 {
		start, end := page.Common(before, after)
		from, out, in = start, before[start:len(before)-end], after[start:len(after)-end]
	}
	s.Before, s.New, s.After, s.Cut = after[:from], in, after[from+len(in):], out
}

// sides finds the place before which at least the first bytes stay, where a substring rule turns a text into that of the step. -1:
// there is none.
func (s *step) sides(before string, most int) (from int, out, in string) {
	if r := &s.Rule; r.Kind() == rule.KindSubstring {
		for at := most; at >= 0; at-- {
			if rest, has := strings.CutPrefix(before[at:], r.Sides().From); has && before[:at]+r.Sides().To+rest == s.Text {
				return at, r.Sides().From, r.Sides().To
			}
		}
	}
	return -1, "", ""
}

// isParam reports whether a text cut from a URL is parameters with their separators.
func isParam(cut, before, after string) bool {
	const separators = "?&;"
	switch {
	case cut == "":
		return false
	case strings.IndexByte(separators, cut[0]) >= 0:
		return after == "" || strings.IndexByte("&;#", after[0]) >= 0
	}
	return before != "" && strings.IndexByte(separators, before[len(before)-1]) >= 0 && strings.IndexByte("&;", cut[len(cut)-1]) >= 0
}
