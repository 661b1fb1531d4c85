package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// crawled is the site for crawlers: its pages are linked, and what crawlers ask for is counted. All URLs of a
// page have the same links, to all URLs of some other pages. The links are not visible, so that the text is the
// site's own.
type crawled struct {
	site  http.Handler
	known truth
	links map[string][]string // by the text of a page

	mu       sync.Mutex
	requests int
	texts    map[string]bool
}

// crawledPath is where a test asks what crawlers asked for since it asked last.
const crawledPath = "/.dustbench"

// childPages is the number of pages that a page links to.
const childPages = 7

// newCrawled links the pages as a tree, in the order of the URLs.
func newCrawled(site http.Handler, known truth, urls []string) *crawled {
	var pages []string
	of := map[string][]string{}
	for _, u := range urls {
		text := known[u]
		if of[text] == nil {
			pages = append(pages, text)
		}
		of[text] = append(of[text], u)
	}
	links := map[string][]string{}
	for i, text := range pages {
		for child := i*childPages + 1; child <= (i+1)*childPages && child < len(pages); child++ {
			links[text] = append(links[text], of[pages[child]]...)
		}
	}
	return &crawled{site: site, known: known, links: links, texts: map[string]bool{}}
}

func (c *crawled) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == crawledPath {
		c.told(w)
		return
	}
	u := r.URL.RequestURI()
	got := get(c.site, u)
	text := got.text()
	c.mu.Lock()
	if r.URL.Path != "/robots.txt" {
		c.requests++
		if got.status == http.StatusOK {
			c.texts[text] = true
		}
	}
	c.mu.Unlock()
	w.Header().Set("Content-Type", got.kind)
	w.WriteHeader(got.status)
	_, _ = w.Write(got.body)
	for _, link := range c.links[text] {
		fmt.Fprintf(w, `<a href="%s"></a>`, html.EscapeString(link))
	}
}

// told answers with the requests and a hash of each text since the last answer.
func (c *crawled) told(w io.Writer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var report struct {
		Requests int
		Texts    []uint64
	}
	report.Requests = c.requests
	for text := range c.texts {
		h := fnv.New64a()
		_, _ = io.WriteString(h, text)
		report.Texts = append(report.Texts, h.Sum64())
	}
	c.requests, c.texts = 0, map[string]bool{}
	_ = json.NewEncoder(w).Encode(report)
}

// serveShop serves the shop for crawlers until the input ends. The first linked URLs of the log have links. The folder gets access.log and urls; the first
// URL of the crawl is printed.
func serveShop(linked int, dir string, until io.Reader, out io.Writer) error {
	s := newShop()
	known, list := truthOf(s)
	urls := strings.Fields(string(list))
	c := newCrawled(s, known, urls[:min(max(linked, 1), len(urls))])
	for name, text := range map[string][]byte{"access.log": s.log(c), "urls": list} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return err
		}
	}
	c.told(io.Discard) // the log is no crawl
	origin, _, stop, err := serve(c)
	if err != nil {
		return err
	}
	defer stop()
	fmt.Fprintln(out, origin+urls[0])
	_, err = io.Copy(io.Discard, until)
	return err
}
