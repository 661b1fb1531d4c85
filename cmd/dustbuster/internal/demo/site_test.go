package demo

import (
	"bytes"
	"math/rand/v2"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"dustbuster/internal/expect"
)

// Each page has several URLs, which show the same bytes, and no two pages show the same.
func TestForms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	seen := map[string]page{}
	for _, kind := range []struct {
		of          page
		last, lists int
		forms       int
	}{{page{}, 0, 0, 1}, {page{kind: "story"}, stories, 0, 5}, {page{kind: "topic"}, topics, 0, 2}, {page{kind: "list"}, topics, lists, 2}} {
		for number := min(1, kind.last); number <= kind.last; number++ {
			for section := min(1, kind.lists); section <= kind.lists; section++ {
				p := page{kind.of.kind, number, section}
				var want bytes.Buffer
				p.write(&want)
				if other, twice := seen[want.String()]; twice {
					t.Fatalf("%v and %v show the same", p, other)
				}
				seen[want.String()] = p
				all := p.forms(r)
				if len(all) != kind.forms {
					t.Errorf("%v has the URLs %q", p, all)
				}
				for _, form := range all {
					answer := httptest.NewRecorder()
					var log bytes.Buffer
					request := httptest.NewRequest("GET", form, nil)
					request.Header.Set(clientHeader, "192.0.2.7")
					(&site{log: &log}).ServeHTTP(answer, request)
					if answer.Code != 200 || answer.Body.String() != want.String() {
						t.Fatalf("%s shows another page than %v: %d", form, p, answer.Code)
					}
					if !strings.HasPrefix(log.String(), "192.0.2.7 - - [") || !strings.Contains(log.String(), `"GET `+form+` HTTP/1.1" 200 `) {
						t.Errorf("%s is logged as %s", form, &log)
					}
				}
			}
		}
	}
	for _, none := range []string{"/story/0", "/story/121", "/story/07", "/story/1/", "/topic/1", "/list?topic=1", "/list?topic=1&page=3", "/story.php", "/x"} {
		u, err := url.Parse(none)
		expect.NoError(t, err)
		if p, ok := find(u); ok {
			t.Errorf("%s is the page %v", none, p)
		}
	}
}

// A port that is taken is replaced, and only a loopback address is taken.
func TestFree(t *testing.T) {
	site := httptest.NewServer(nil)
	defer site.Close()
	taken := strings.TrimPrefix(site.URL, "http://")
	got, err := free(taken)
	expect.NoError(t, err)
	if got == taken || !strings.HasPrefix(got, "127.0.0.1:") {
		t.Errorf("%s is taken, got %s", taken, got)
	}
	for _, wrong := range []string{"0.0.0.0:0", ":0", "192.0.2.1:80", "127.0.0.1", "", "example.org:80"} {
		if got, err := free(wrong); err == nil {
			t.Errorf("%q gives %s", wrong, got)
		}
	}
}
