package demo

import (
	"fmt"
	"hash/maphash"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The pages of the site. Each topic has some stories, and lists of them.
const (
	stories = 120
	topics  = 40
	lists   = 2 // of a topic
)

// page is a page of the site.
type page struct {
	kind    string // "": the front page; story, topic, list
	number  int    // of the story or topic
	section int    // of a list
}

// forms returns the URLs of a page, the plain one first. In order of the code, the six kinds of
// duplicates are a parameter that counts mailings, the page that a reader came from, a print view, an
// old address, index.html, and another order of parameters.
func (p page) forms(r *rand.Rand) []string {
	switch p.kind {
	case "story":
		plain := fmt.Sprintf("/story/%d", p.number)
		return []string{plain,
			plain + "?utm_source=" + []string{"mail", "feed", "social"}[r.IntN(3)],
			plain + fmt.Sprintf("?from=%d", 1+r.IntN(20)),
			fmt.Sprintf("/print/%d", p.number),
			fmt.Sprintf("/story.php?id=%d", p.number)}
	case "topic":
		return []string{fmt.Sprintf("/topic/%d/", p.number), fmt.Sprintf("/topic/%d/index.html", p.number)}
	case "list":
		return []string{fmt.Sprintf("/list?page=%d&topic=%d", p.section, p.number), fmt.Sprintf("/list?topic=%d&page=%d", p.number, p.section)}
	}
	return []string{"/"}
}

// any returns one of the page's URLs, the plain one as often as all others.
func (p page) any(r *rand.Rand) string {
	all := p.forms(r)
	if r.IntN(2) == 0 {
		return all[0]
	}
	return all[r.IntN(len(all))]
}

// title is the heading of the page.
func (p page) title() string {
	switch p.kind {
	case "":
		return "All topics"
	case "list":
		return fmt.Sprintf("Topic %d, page %d", p.number, p.section)
	}
	return fmt.Sprintf("The %s with the number %d", p.kind, p.number)
}

// find returns the page of a URL.
func find(u *url.URL) (p page, ok bool) {
	query := u.Query()
	switch first, rest, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/"); {
	case u.Path == "/":
		return page{}, true
	case first == "story" || first == "print":
		p = page{kind: "story", number: number(rest)}
	case u.Path == "/story.php":
		p = page{kind: "story", number: number(query.Get("id"))}
	case first == "topic" && (strings.HasSuffix(rest, "/") || strings.HasSuffix(rest, "/index.html")):
		p = page{kind: "topic", number: number(strings.TrimSuffix(strings.TrimSuffix(rest, "index.html"), "/"))}
	case u.Path == "/list":
		p = page{kind: "list", number: number(query.Get("topic")), section: number(query.Get("page"))}
	}
	return p, p.exists()
}

// number returns a number as the site writes numbers; 0 if the text is none.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || strconv.Itoa(n) != text {
		return 0
	}
	return n
}

func (p page) exists() bool {
	switch p.kind {
	case "story":
		return p.number >= 1 && p.number <= stories
	case "topic":
		return p.number >= 1 && p.number <= topics
	case "list":
		return p.number >= 1 && p.number <= topics && p.section >= 1 && p.section <= lists
	}
	return false
}

// anyPage returns a page, a story more often than another.
func anyPage(r *rand.Rand) page {
	switch r.IntN(8) {
	case 0:
		return page{kind: "topic", number: 1 + r.IntN(topics)}
	case 1, 2:
		return page{kind: "list", number: 1 + r.IntN(topics), section: 1 + r.IntN(lists)}
	}
	return page{kind: "story", number: 1 + r.IntN(stories)}
}

// links are the pages that a page leads to.
func (p page) links(r *rand.Rand) (all []page) {
	if p.kind == "" {
		for i := range topics {
			all = append(all, page{kind: "topic", number: i + 1})
		}
		return all
	}
	topic := p.number
	if p.kind == "story" {
		topic = 1 + p.number%topics
	}
	for story := topic - 1; story <= stories; story += topics {
		if story > 0 {
			all = append(all, page{kind: "story", number: story})
		}
	}
	for range 6 {
		all = append(all, anyPage(r))
	}
	return append(all, page{kind: "topic", number: topic}, page{kind: "list", number: topic, section: 1 + r.IntN(lists)})
}

// write writes a page. All its URLs show the same bytes: text of its own, and links to other pages,
// each in one of its forms.
func (p page) write(w io.Writer) {
	seed := uint64(len(p.kind)*1_000_000 + p.section*10_000 + p.number)
	r := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // text, no secret
	fmt.Fprintf(w, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title></head><body>\n<h1>%s</h1>\n<p>", p.title(), p.title())
	for range 120 + r.IntN(400) {
		fmt.Fprint(w, word(r), " ")
	}
	fmt.Fprint(w, "</p>\n<ul>\n")
	for _, to := range p.links(r) {
		fmt.Fprintf(w, "<li><a href=\"%s\">%s</a></li>\n", strings.ReplaceAll(to.any(r), "&", "&amp;"), word(r))
	}
	fmt.Fprint(w, "</ul></body></html>\n")
}

// word makes a word up.
func word(r *rand.Rand) string {
	syllables := [...]string{"ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "wu", "za"}
	var b strings.Builder
	for range 2 + r.IntN(2) {
		b.WriteString(syllables[r.IntN(len(syllables))])
	}
	return b.String()
}

// clientHeader is how the clients of the demo tell the address that the log has of them.
const clientHeader = "Demo-Client"

// site serves the pages and writes an access log in the format combined.
type site struct {
	mu  sync.Mutex
	log io.Writer
}

// ServeHTTP answers a request and logs it.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body strings.Builder
	status := http.StatusOK
	if p, ok := find(r.URL); ok {
		p.write(&body)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	} else {
		status = http.StatusNotFound
		fmt.Fprintln(&body, "not found")
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body.String())
	client := r.Header.Get(clientHeader)
	if net.ParseIP(client) == nil {
		client, _, _ = net.SplitHostPort(r.RemoteAddr)
	}
	s.mu.Lock()
	defer s.mu.Unlock() // one line at a time
	fmt.Fprintf(s.log, "%s - - [%s] \"%s %s HTTP/1.1\" %d %d \"-\" %q\n",
		client, time.Now().Format("02/Jan/2006:15:04:05 -0700"), r.Method, r.URL.RequestURI(), status, body.Len(), r.UserAgent())
}

// sums tells pages apart by their content.
var sums = maphash.MakeSeed()
