package integration

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/rule/canon"
)

// judge holds rules against the plan of the site: on the URLs of the log, and on as
// many that nobody has seen, as they would be and with one more parameter.
func (s *hostileSite) judge(t *testing.T, rules string) {
	t.Helper()
	c := canonizer(t, rules)
	logged, unseen := s.urls(0, s.ids), s.urls(s.ids, s.ids)
	if len(logged) < 200 {
		t.Errorf("a site of %d URLs", len(logged))
	}
	for _, test := range []struct {
		what string
		urls []string
	}{{"logged", logged}, {"unseen", unseen}, {referred, withReferrer(unseen)}} {
		m := s.merges(c, test.urls)
		t.Logf("%s URLs: %d of %d duplicates merged, %d false merges", test.what, m.merged, m.duplicates, m.wrong)
		if m.wrong > 0 {
			t.Errorf("%d pairs of %s URLs are merged falsely, such as %q\n%s", m.wrong, test.what, m.example, readFile(t, rules))
		}
		if test.what != referred && float64(m.merged) < s.merged*float64(m.duplicates) {
			t.Errorf("%d of %d duplicates of %s URLs are merged\n%s", m.merged, m.duplicates, test.what, readFile(t, rules))
		}
	}
}

// referred URLs have a parameter that changes nothing and that the log has not seen.
const referred = "referred"

var referrer = regexp.MustCompile(`[?&]ref=r7`)

func withReferrer(urls []string) (all []string) {
	for _, url := range urls {
		separator := "?"
		if strings.Contains(url, "?") {
			separator = "&"
		}
		all = append(all, url+separator+"ref=r7")
	}
	return all
}

// pageOf is the page of a URL, with or without a referrer.
func (s *hostileSite) pageOf(url string) string {
	return s.page(referrer.ReplaceAllLiteralString(url, ""))
}

// merges says what rules do to URLs.
type merges struct {
	duplicates int // URLs of a page beyond its first
	merged     int // URLs of one page and one form beyond the first
	wrong      int // pairs of one form and not of one page, and URLs whose form may not stand for them
	example    []string
}

// merges judges the canonical forms of URLs.
func (s *hostileSite) merges(c *canon.Canonizer, urls []string) (m merges) {
	groups, pages := map[string][]string{}, map[string]int{}
	for _, url := range urls {
		out, _ := c.Canon(nil, []byte(url))
		form := string(out)
		pages[s.pageOf(url)]++
		groups[form] = append(groups[form], url)
		if s.worse != nil && s.worse(url, form) {
			m.wrong++
			m.example = []string{url, form}
		}
	}
	for _, n := range pages {
		m.duplicates += n - 1
	}
	for form, group := range groups {
		m.count(form, group, s.pageOf)
	}
	return m
}

// count takes in the URLs of one form, which is a URL as well.
func (m *merges) count(form string, group []string, page func(url string) string) {
	pages := map[string]int{}
	for _, url := range group {
		pages[page(url)]++
	}
	m.merged += len(group) - len(pages)
	if !slices.Contains(group, form) {
		pages[page(form)]++
	}
	if len(pages) > 1 {
		m.example = append(group[:min(len(group), 4)], form)
	}
	others := 0
	for _, n := range pages {
		m.wrong += n * others
		others += n
	}
}
