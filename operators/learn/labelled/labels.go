package labelled

import (
	"strings"

	"dustbuster/operators/read/labels"
)

// Pair is the mined strings of a URL and of its canonical URL. They are equal if the page names itself.
type Pair struct{ URL, Canonical string }

// Labels are the rows of a file by site. Nobody changes Labels, so several goroutines may use them.
type Labels struct {
	rows map[string][]row // by the site of the URL
	main string           // the host that most rows have, without www.
	lost int              // rows whose URLs no line of a log could have
}

// row is the ends of a row.
type row struct{ url, canonical end }

// end is a URL; its site is "" if the file names no host.
type end struct{ site, url string }

// New returns the rows by site. mined returns the site and the mined string of a host and a path, as admit.Gate does.
func New(rows []labels.Row, mined func(host, path string) (site, url string, ok bool)) *Labels {
	l := &Labels{rows: map[string][]row{}}
	hosts := map[string]int{}
	for _, r := range rows {
		site, url, ok := mined(r.URL.Host, r.URL.Path)
		if !ok {
			l.lost++
			continue
		}
		u := end{site, url}
		to := end{site: "\x00"} // of no site
		if site, url, ok := mined(r.Canonical.Host, r.Canonical.Path); ok {
			to = end{site, url}
		}
		l.rows[u.site] = append(l.rows[u.site], row{u, to})
		host := bare(r.URL.Host)
		if hosts[host]++; host != "" && (hosts[host] > hosts[l.main] || hosts[host] == hosts[l.main] && host < l.main) {
			l.main = host
		}
	}
	return l
}

func bare(host string) string { return strings.TrimPrefix(host, "www.") }

// Lost returns the number of rows whose URLs no line of a log could have: their hosts do not count, or they are too long.
func (l *Labels) Lost() int { return l.lost }

// On returns the pairs of a site, in the order of the file, and the number of rows that name a canonical URL of another
// site. For the site of a log that names no host, they are those of paths alone, or else those of the host that
// most rows have, with and without www. O(rows of the site).
func (l *Labels) On(site string) (pairs []Pair, elsewhere int) {
	of, within := l.rows[site], func(other string) bool { return other == site }
	if site == "" && len(of) == 0 {
		of = append(append(of, l.rows[l.main]...), l.rows["www."+l.main]...)
		within = func(other string) bool { return bare(other) == l.main }
	}
	for _, r := range of {
		if !within(r.canonical.site) {
			elsewhere++
			continue
		}
		pairs = append(pairs, Pair{r.url.url, r.canonical.url})
	}
	return pairs, elsewhere
}
