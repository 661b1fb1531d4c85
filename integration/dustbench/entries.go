package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// peer is an entry that stands here for what others do: it returns the form of each URL.
type peer func(urls []string, ask *client) map[string]string

var peers = map[string]peer{"nothing": nothing, "names": names, "canonical": canonical, "miqps": miqps}

// enter prints the forms of a peer.
func enter(name string, ask *client, list io.Reader, out io.Writer) error {
	p := peers[name]
	if p == nil {
		return fmt.Errorf("no peer %q: it is nothing, names, canonical or miqps", name)
	}
	var urls []string
	for lines := bufio.NewScanner(list); lines.Scan(); {
		urls = append(urls, lines.Text())
	}
	forms := p(urls, ask)
	w := bufio.NewWriter(out)
	for _, u := range urls {
		fmt.Fprintf(w, "%s\t%s\n", u, cmp.Or(forms[u], u))
	}
	return w.Flush()
}

// client asks a site at most left times.
type client struct {
	origin string
	left   int
}

// get returns nothing if no request is left, or if the site does not answer with a page.
func (c *client) get(u string) *answer {
	if c.left <= 0 {
		return nil
	}
	c.left--
	r, err := http.Get(c.origin + u)
	if err != nil {
		return nil
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		return nil
	}
	return &answer{r.StatusCode, r.Header.Get("Content-Type"), body}
}

// nothing leaves all URLs as they are.
func nothing([]string, *client) map[string]string { return nil }

// names drops the parameters of a list by hand, as crawlers and browsers carry one.
func names(urls []string, _ *client) map[string]string {
	forms := map[string]string{}
	for _, u := range urls {
		forms[u] = without(u, func(name string) bool { return listed.MatchString(strings.ToLower(name)) })
	}
	return forms
}

// listed are the names of the list by hand.
var listed = regexp.MustCompile(`^(utm_[a-z]+|gclid|fbclid|msclkid|dclid|yclid|mc_[ce]id|_ga|igshid|ref|ref_src|sid|sessionid|phpsessid|jsessionid)$`)

// without returns a URL without the parameters that drop chooses.
func without(u string, drop func(name string) bool) string {
	path, query, found := strings.Cut(u, "?")
	if !found {
		return u
	}
	pieces, separator := cutQuery(query)
	pieces = slices.DeleteFunc(pieces, func(piece string) bool {
		name, _, _ := strings.Cut(piece, "=")
		return drop(name)
	})
	if len(pieces) == 0 {
		return path
	}
	return path + "?" + strings.Join(pieces, separator)
}

// cutQuery cuts a query at its separator: a semicolon, if it has one.
func cutQuery(query string) (pieces []string, separator string) {
	separator = "&"
	if strings.Contains(query, ";") {
		separator = ";"
	}
	return strings.Split(query, separator), separator
}

var canonicalLink = regexp.MustCompile(`<link rel="canonical" href="([^"]*)"`)

// canonical fetches URLs as they come, and takes the canonical links of their pages for forms, as
// StormCrawler's users propose.
func canonical(urls []string, ask *client) map[string]string {
	forms := map[string]string{}
	for _, u := range urls {
		page := ask.get(u)
		if page == nil {
			continue
		}
		if found := canonicalLink.FindSubmatch(page.body); found != nil {
			if at, err := url.Parse(string(found[1])); err == nil {
				forms[u] = at.RequestURI()
			}
		}
	}
	return forms
}

// neutralPairs is how many pairs show that a parameter makes no difference.
const neutralPairs = 5

// miqps finds the parameters that matter of each pattern, which is a path and the names of its parameters,
// by pages with and without a parameter (Pinterest Engineering, "Minimal Important Query Parameter Set",
// 2026). The largest pattern comes first, one different pair ends a parameter, and a parameter without
// enough pairs stays. Pages are compared by their visible words; the original renders them.
func miqps(urls []string, ask *client) map[string]string {
	patterns := map[string][]string{}
	for _, u := range urls {
		patterns[pattern(u)] = append(patterns[pattern(u)], u)
	}
	order := slices.SortedFunc(maps.Keys(patterns), func(a, b string) int {
		return cmp.Or(len(patterns[b])-len(patterns[a]), strings.Compare(a, b))
	})
	forms := map[string]string{}
	for _, p := range order {
		_, list, _ := strings.Cut(p, "?")
		neutral := map[string]bool{}
		for name := range strings.SplitSeq(list, "&") {
			neutral[name] = name != "" && isNeutral(patterns[p], name, ask)
		}
		for _, u := range patterns[p] {
			forms[u] = without(u, func(name string) bool { return neutral[name] })
		}
	}
	return forms
}

func isNeutral(urls []string, name string, ask *client) bool {
	if len(urls) < neutralPairs {
		return false
	}
	for i := range neutralPairs {
		u := urls[i*len(urls)/neutralPairs]
		with, bare := ask.get(u), ask.get(without(u, func(n string) bool { return n == name }))
		if with == nil || bare == nil || with.text() != bare.text() {
			return false
		}
	}
	return true
}

// pattern is the first folder of a URL and the sorted names of its parameters.
func pattern(u string) string {
	path, query, _ := strings.Cut(u, "?")
	var all []string
	pieces, _ := cutQuery(query)
	for _, piece := range pieces {
		name, _, _ := strings.Cut(piece, "=")
		all = append(all, name)
	}
	slices.Sort(all)
	folder, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return "/" + folder + "?" + strings.Join(slices.Compact(all), "&")
}

// enterBy runs a peer with the words that follow a command: the log, the origin, the requests, and the path
// of the URLs.
func enterBy(name string, words []string, out io.Writer) error {
	if len(words) != 4 {
		return errors.New("usage: dustbench peer NAME LOG ORIGIN REQUESTS URLS")
	}
	requests, err := strconv.Atoi(words[2])
	if err != nil {
		return fmt.Errorf("read REQUESTS: %w", err)
	}
	list, err := os.Open(words[3])
	if err != nil {
		return err
	}
	defer list.Close()
	return enter(name, &client{words[1], requests}, list, out)
}
