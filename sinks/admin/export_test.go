package admin

import (
	"net/http"
	"strings"
	"testing"
)

// An export is a plain text, whatever is in it; each mistake is told by its field.
func TestExport(t *testing.T) {
	h := local(t, show(full()))
	for _, want := range []struct {
		query string
		code  int
		body  string
	}{
		{"site=a.example&format=nginx", http.StatusOK, "nginx false <b>"},
		{"site=a.example&format=nginx&redirect=no", http.StatusOK, "nginx false <b>"},
		{"site=a.example&format=varnish&redirect=yes", http.StatusOK, "varnish true <b>"},
		{"site=a.example&format=clean-param", http.StatusOK, "clean-param false <b>"},
		{"site=a.example", http.StatusBadRequest, `{"field":"format","reason":"unknown format \"\", want one of nginx, apache`},
		{"site=a.example&format=%3Cb%3E", http.StatusBadRequest, `{"field":"format"`},
		{"site=a.example&format=nutch&redirect=yes", http.StatusBadRequest, `{"field":"redirect","reason":"only a server redirects"}`},
		{"site=a.example&format=nginx&redirect=1", http.StatusBadRequest, `{"field":"redirect","reason":"redirect is yes or no"}`},
		{"format=nginx", http.StatusBadRequest, `{"field":"site","reason":"missing"}`},
		{"site=none.example&format=nginx", http.StatusNotFound, `{"field":"site","reason":"no rule of this site is published"}`},
		{"site=&format=nginx", http.StatusNotFound, `{"field":"site"`},
		{"site=elsewhere.example&format=nginx", http.StatusMisdirectedRequest, `{"field":"site"`},
		{"site=broken.example&format=nginx", http.StatusInternalServerError, "broken"},
	} {
		code, kind, body := get(t, h, "/api/v1/export?"+want.query)
		if code != want.code || !strings.HasPrefix(body, want.body) || code == http.StatusOK && kind != "text/plain; charset=utf-8" {
			t.Errorf("%s: %d, %s\n%s", want.query, code, kind, body)
		}
	}
}
