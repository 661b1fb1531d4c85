package fetch

import (
	"bufio"
	"errors"
	"net/http"
	"strings"
	"testing"
)

// shelf is an archive.
type shelf map[string]string

func (s shelf) Has(url string) bool { return s[url] != "" }

func (s shelf) Answer(url string) (*http.Response, error) {
	switch text := s[url]; text {
	case "":
		return nil, nil
	case "damaged":
		return nil, errors.New("read archive: damaged")
	default:
		return http.ReadResponse(bufio.NewReader(strings.NewReader(text)), nil)
	}
}

// Documents of an archive are judged like those of a site, with redirects within the site,
// and no request is made.
func TestRecorded(t *testing.T) {
	page := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: </a>; rel=canonical\r\nContent-Length: 4\r\n\r\npage"
	moved := func(to string) string {
		return "HTTP/1.1 301 Moved\r\nLocation: " + to + "\r\nContent-Length: 0\r\n\r\n"
	}
	f, err := New(Options{Total: 1, Origin: "http://127.0.0.1:1", Archive: shelf{
		"http://a.example/a": page, "http://a.example/old": moved("/a"), "http://a.example/lost": moved("/nowhere"),
		"http://a.example/away": moved("http://b.example/"), "http://a.example/circle": moved("/circle"),
		"http://a.example/gone": "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "http://a.example/bad": "damaged",
		"http://a.example/zip":      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
		"http://a.example/log?out=": page, "http://127.0.0.1:8080/": page,
	}})
	must(t, err)
	for _, c := range []struct {
		site, target string
		status       int
		end          string
		why          Reason
	}{
		{"a.example", "/a", 200, "/a", ""},
		{"a.example", "/old", 200, "/a", ""},
		{"a.example", "/gone", 404, "/gone", ""},
		{"a.example", "/log?out=", 200, "/log?out=", ""},
		{"127.0.0.1:8080", "/", 200, "/", ""},
		{"a.example", "/none", 0, "", Missing},
		{"a.example", "/lost", 0, "", Missing},
		{"a.example", "/away", 0, "", OffSite},
		{"a.example", "/circle", 0, "", Loop},
		{"a.example", "/bad", 0, "", Network},
		{"a.example", "/zip", 0, "", Encoding},
		{"", "/a", 0, "", NoOrigin},
	} {
		for _, get := range []func() (Document, error){
			func() (Document, error) { return f.Get(t.Context(), c.site, c.target) },
			func() (Document, error) { return f.Again(t.Context(), c.site, c.target) },
		} {
			d, err := get()
			var e *Error
			if errors.As(err, &e); e == nil {
				e = &Error{}
			}
			if d.Status != c.status || d.Target != c.end || e.Reason != c.why {
				t.Errorf("%s%s: %d at %q, %v; want %d at %q, %q", c.site, c.target, d.Status, d.Target, err, c.status, c.end, c.why)
			}
			if d.Status == 200 && (string(d.Content.([]byte)) != "page" || d.Canonical != "/a" || d.Redirected != (c.target != c.end)) {
				t.Errorf("%s%s: %+v", c.site, c.target, d)
			}
		}
		if has := c.status != 0 || c.why != Missing && c.why != NoOrigin || c.target == "/lost"; f.Has(c.site, c.target) != has {
			t.Errorf("%s%s: whether the archive has it: %v", c.site, c.target, !has)
		}
	}
	if s := f.Stats(); s.Requests != 0 {
		t.Errorf("%d requests", s.Requests)
	}
	live, err := New(Options{Scheme: "http"})
	must(t, err)
	if !live.Has("a.example", "/x") {
		t.Error("a live site lacks a document")
	}
}
