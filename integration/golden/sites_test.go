package golden_test

import (
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule/report"
	"dustbuster/stream/prober"
)

const siteName = "www.example.org"

// made is a made-up site: what its log says, and what its server answers.
type made struct {
	public  []string // targets that three clients ask for
	private []string // targets that one client each asks for
	later   []string // public targets that are asked for later, see laterAt
	serve   http.HandlerFunc
	before  http.HandlerFunc // served when the log was written; nil: serve
	robots  string
	people  []deed // what people and crawlers say to the process
}

// deed is something that somebody says to a process, so long after its start.
type deed struct {
	at time.Duration
	do func(w *prober.Worker) error
}

// kind is a kind of site. The source of random numbers is that of a seed.
type kind struct {
	name string
	make func(r *rand.Rand) *made
}

// kinds are sites of which rules are true, false, true in part, true for a time, or cannot be tried.
var kinds = []kind{
	{"sessions of one client each", func(r *rand.Rand) *made {
		m := &made{serve: pages(func(u *url.URL) string { return u.Path })}
		for i := range 60 {
			m.public = append(m.public, fmt.Sprintf("/p/%d", i))
			m.private = append(m.private, fmt.Sprintf("/p/%d?sid=%016x", i, r.Uint64()))
		}
		return m
	}},
	{"campaigns", twoForms("/a/%d", "/a/%d?utm_source=news", path)},
	{"story forms", twoForms("/story_%d", "/story?id=%d", id)},
	{"print views", twoForms("/story/%d.html", "/print/%d.html", id)},
	{"slashes at the end", twoForms("/doc/%d", "/doc/%d/", id)},
	{"index names", twoForms("/d%d/", "/d%d/index.html", id)},
	{"upper case", twoForms("/Page/%d", "/page/%d", id)},
	{"redirects", func(r *rand.Rand) *made {
		m := twoForms("/new/%d", "/old/%d", id)(r)
		serve := m.serve
		m.before = serve
		m.serve = func(w http.ResponseWriter, q *http.Request) {
			if rest, old := strings.CutPrefix(q.URL.Path, "/old/"); old {
				http.Redirect(w, q, "/new/"+rest, http.StatusMovedPermanently)
				return
			}
			serve(w, q)
		}
		return m
	}},
	{"false: other pages of the same size", twoForms("/x/%d", "/y/%d", whole)},
	{"exceptions: one page in ten differs", twoForms("/e/%d", "/e/%d?v=2", func(u *url.URL) string {
		if strings.HasSuffix(u.Path, "7") {
			return u.String()
		}
		return u.Path
	})},
	{"pages that change with each visit", func(r *rand.Rand) *made {
		m, n := twoForms("/m/%d", "/m/%d?s=1", path)(r), 0
		serve := m.serve
		m.serve = func(w http.ResponseWriter, q *http.Request) {
			serve(w, q)
			n++
			fmt.Fprintf(w, "<p>This page was shown %d times, at %d.</p>", n, time.Now().Unix())
		}
		return m
	}},
	{"one text for all", twoForms("/c/%d", "/c/%d?x=1", func(*url.URL) string { return "" })},
	{"errors now and then", func(r *rand.Rand) *made {
		m, n := twoForms("/b/%d", "/b/%d?x=1", path)(r), 0
		serve := m.serve
		m.serve = func(w http.ResponseWriter, q *http.Request) {
			if n++; n%17 == 0 {
				w.Header().Set("Retry-After", "90")
				http.Error(w, "busy", http.StatusServiceUnavailable)
				return
			}
			serve(w, q)
		}
		return m
	}},
	{"robots.txt forbids half", func(r *rand.Rand) *made {
		m := twoForms("/open/%d", "/open/%d?x=1", path)(r)
		more := twoForms("/shut/%d", "/shut/%d?x=1", path)(r)
		m.public, m.robots = append(m.public, more.public...), "User-agent: *\nDisallow: /shut/\n"
		return m
	}},
	{"canonical links", func(r *rand.Rand) *made {
		m := twoForms("/l/%d", "/l/%d?ref=home", path)(r)
		serve := m.serve
		m.serve = func(w http.ResponseWriter, q *http.Request) {
			w.Header().Set("Link", fmt.Sprintf("<%s>; rel=\"canonical\"", q.URL.Path))
			serve(w, q)
		}
		return m
	}},
	{"a form that leads to a login", func(r *rand.Rand) *made {
		m := twoForms("/n/%d", "/n/%d?member=1", path)(r)
		serve := m.serve
		m.before = serve
		m.serve = func(w http.ResponseWriter, q *http.Request) {
			if q.URL.RawQuery != "" {
				http.Redirect(w, q, "/login", http.StatusFound)
				return
			}
			serve(w, q)
		}
		return m
	}},
	{"true for two hours", func(r *rand.Rand) *made {
		begun := time.Now()
		return twoForms("/t/%d", "/t/%d?v=1", func(u *url.URL) string {
			if time.Since(begun) > 2*time.Hour {
				return u.String()
			}
			return u.Path
		})(r)
	}},
	{"orders of parameters", twoForms("/q?a=%d&b=1", "/q?b=1&a=%d", func(u *url.URL) string { return u.Query().Get("a") })},
	{"three parameters of which two do nothing", func(r *rand.Rand) *made {
		m := &made{serve: pages(func(u *url.URL) string { return u.Query().Get("id") })}
		for i := range 60 {
			m.public = append(m.public, fmt.Sprintf("/show?id=%d", i), fmt.Sprintf("/show?id=%d&sort=%d", i, r.IntN(3)), fmt.Sprintf("/show?id=%d&view=%d", i, r.IntN(2)))
		}
		return m
	}},
	{"people and crawlers have their say", func(r *rand.Rand) *made {
		m := twoForms("/w_%d", "/w?id=%d", id)(r)
		first := func(w *prober.Worker) string {
			for _, published := range w.Published()[siteName].Records {
				return published.ID
			}
			return ""
		}
		vetoed := ""
		m.people = []deed{
			{time.Hour, func(w *prober.Worker) error { vetoed = first(w); return w.Wish(siteName, book.Wish{Veto: vetoed}) }},
			{2 * time.Hour, func(w *prober.Worker) error { return w.Wish(siteName, book.Wish{Veto: vetoed, Undo: true}) }},
			{3 * time.Hour, func(w *prober.Worker) error { return w.Wish(siteName, book.Wish{Pin: first(w)}) }},
			{200 * time.Minute, func(w *prober.Worker) error {
				_, err := w.Report(&report.Report{Site: siteName, Found: "http://" + siteName + "/w?id=3", Canonical: "http://" + siteName + "/w_3",
					SHA256: [2]string{strings.Repeat("0", 64), strings.Repeat("1", 64)}, Reporter: "crawler", Sender: "192.0.2.9"})
				return err
			}},
			{4 * time.Hour, func(w *prober.Worker) error {
				return w.Recheck(siteName, "")
			}},
		}
		return m
	}},
	{"a second form that appears later", func(r *rand.Rand) *made {
		m := twoForms("/s/%d", "/s/%d?x=1", path)(r)
		late := twoForms("/s/%d", "/s/%d?y=1", path)(r)
		m.later = late.public
		return m
	}},
}

// twoForms is a site of pages with two forms. of tells the page of a URL.
func twoForms(a, b string, of func(u *url.URL) string) func(r *rand.Rand) *made {
	return func(r *rand.Rand) *made {
		m := &made{serve: pages(of)}
		for i := range 50 + r.IntN(30) {
			m.public = append(m.public, fmt.Sprintf(a, i), fmt.Sprintf(b, i))
		}
		return m
	}
}

func path(u *url.URL) string { return u.Path }

func whole(u *url.URL) string { return u.String() }

// id is the only number of a URL: the first run of digits.
func id(u *url.URL) string {
	text := u.String()
	from := strings.IndexAny(text, "0123456789")
	if from < 0 {
		return text
	}
	end := from
	for end < len(text) && text[end]-'0' <= 9 {
		end++
	}
	return text[from:end]
}

// pages serves a page of a hundred words of its own for each text that of returns.
func pages(of func(u *url.URL) string) http.HandlerFunc {
	return func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, textOf(of(q.URL)))
	}
}

func textOf(page string) string {
	h := fnv.New64a()
	h.Write([]byte(page))
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	var b strings.Builder
	b.WriteString("<!doctype html><title>page</title><p>")
	for range 60 + r.IntN(900) {
		fmt.Fprintf(&b, "word%d ", r.IntN(5000))
	}
	b.WriteString("</p>")
	return b.String()
}

// sizeOf is the size that the log has of a target.
func (m *made) sizeOf(target string) int {
	q := &http.Request{Method: http.MethodGet, Header: http.Header{}}
	q.URL, _ = url.Parse(target)
	w := &counter{head: http.Header{}}
	if m.before != nil {
		m.before(w, q)
	} else {
		m.serve(w, q)
	}
	return w.n
}

type counter struct {
	head http.Header
	n    int
}

func (c *counter) Header() http.Header         { return c.head }
func (c *counter) Write(b []byte) (int, error) { c.n += len(b); return len(b), nil }
func (c *counter) WriteHeader(int)             {}
