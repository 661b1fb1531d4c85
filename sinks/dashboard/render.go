package dashboard

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"dustbuster/sinks/admin"
	"dustbuster/sinks/page"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
)

var (
	//go:embed pages
	files embed.FS

	//go:embed dashboard.css
	ownStyle string

	//go:embed live.js
	liveScript string

	style  = page.Style + ownStyle
	script = page.Script + liveScript

	// The names hold a hash, so that a browser may keep what it has.
	styleName  = "style-" + hash(style) + ".css"
	scriptName = "live-" + hash(script) + ".js"
)

func hash(text string) string { return fmt.Sprintf("%.6x", sha256.Sum256([]byte(text))) }

// policy allows only what the pages are made of, and no other site to show them.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// asset serves a text that never changes under its name.
func asset(kind, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
		_, _ = w.Write([]byte(text)) // an error means the client has gone
	}
}

// request is a request for a page. Others may wait for the same page, so the page is made even
// if the client goes.
type request struct {
	ctx   context.Context
	d     *Dashboard
	seen  *seen
	query url.Values
}

// maker makes the content of a page: the name of its template, the title, and the data.
type maker func(r *request) (content, error)

type content struct {
	template, title string
	here            string // URL of the page's link in the navigation
	data            any
}

// failure is an error with the status of the answer.
type failure struct {
	code int
	text string
}

func (f *failure) Error() string { return f.text }

func (d *Dashboard) page(make maker) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		seen := d.looks.get()
		operates := admin.Operates(r.Context())
		p := d.made.get(seen, address{r.URL.RequestURI(), operates}, func() *answer {
			req := &request{context.WithoutCancel(r.Context()), d, seen, r.URL.Query()}
			c, err := make(req)
			if err != nil {
				return failed(req.seen, err)
			}
			return render(req.seen, operates, http.StatusOK, &c)
		})
		p.write(w, r)
	}
}

// answer is a page as it is sent.
type answer struct {
	code int
	tag  string
	body []byte
}

// write sends a page, or says that the client has it.
func (a *answer) write(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("ETag", a.tag)
	if a.code == http.StatusOK && r.Header.Get("If-None-Match") == a.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.code)
	_, _ = w.Write(a.body) // an error means the client has gone
}

// render makes a page. A reader who operates gets buttons.
func render(s *seen, operates bool, code int, c *content) *answer {
	p := page.Page{Title: c.title + " · dustbuster", Home: "./", StyleURL: styleName, ScriptURL: scriptName, Nav: navigation(s, c.here), Data: c.data,
		Foot: []string{"dustbuster " + s.Version + ". All times are UTC. The rules for programs are at /api/v1/rules, the state is at /api/v1/status and /metrics."}}
	var b bytes.Buffer
	if err := page.Write(&b, templates[operates]()[c.template], &p); err != nil {
		code = http.StatusInternalServerError
		b.Reset()
		fmt.Fprintf(&b, "the page cannot be made: %s\n", template.HTMLEscapeString(err.Error()))
	}
	return &answer{code, fmt.Sprintf("%q", hash(b.String())), b.Bytes()}
}

func failed(s *seen, err error) *answer {
	code := http.StatusInternalServerError
	if f, ok := errors.AsType[*failure](err); ok {
		code = f.code
	}
	return render(s, false, code, &content{"error", http.StatusText(code), "", err.Error()})
}

func navigation(s *seen, here string) (nav []page.Link) {
	add := func(url, text string) { nav = append(nav, page.Link{URL: url, Text: text, Here: url == here}) }
	add("./", "Sites")
	add("inputs", "Inputs")
	add("left", "Left out")
	add("try", "Try a URL")
	if s.Group != "" {
		add("group", "Group")
	}
	return nav
}

// mostMade bounds the number of pages that are kept.
const mostMade = 64

// made keeps the pages made of the last look.
type made struct {
	mu    sync.Mutex
	of    *seen
	pages *lru.LRU[address, *making]
}

// address is a page for a kind of readers.
type address struct {
	uri      string
	operates bool
}

// making is a page that is made once.
type making struct {
	once sync.Once
	got  *answer
}

// get returns the page of an address, made of a look. Requests for one page at once wait for
// one making.
func (m *made) get(of *seen, at address, make func() *answer) *answer {
	m.mu.Lock()
	if m.pages == nil || m.of != of {
		m.of = of
		m.pages, _ = lru.NewLRU[address, *making](mostMade, nil) // an error only of a size of 0
	}
	p, known := m.pages.Get(at)
	if !known {
		p = &making{}
		m.pages.Add(at, p)
	}
	m.mu.Unlock()
	p.once.Do(func() { p.got = make() })
	return p.got
}
