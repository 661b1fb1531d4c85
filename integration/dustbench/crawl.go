package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// answer is what a site answered.
type answer struct {
	status int
	kind   string // media type, with parameters
	body   []byte
}

// get asks a handler for a URL, without a connection.
func get(site http.Handler, url string) answer {
	out := httptest.NewRecorder()
	site.ServeHTTP(out, httptest.NewRequest(http.MethodGet, url, nil))
	return answer{out.Code, out.Header().Get("Content-Type"), out.Body.Bytes()}
}

// text returns the visible words of a page, in small letters; of what is no HTML, its bytes.
func (a *answer) text() string {
	if !strings.HasPrefix(a.kind, "text/html") {
		return string(a.body)
	}
	var words []string
	hidden := 0
	for z := html.NewTokenizer(strings.NewReader(string(a.body))); ; {
		switch z.Next() {
		case html.ErrorToken:
			return strings.Join(words, " ")
		case html.StartTagToken:
			if name, _ := z.TagName(); isHidden(name) {
				hidden++
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); isHidden(name) && hidden > 0 {
				hidden--
			}
		case html.TextToken:
			if hidden == 0 {
				words = append(words, strings.FieldsFunc(strings.ToLower(string(z.Text())), func(r rune) bool { return unicode.IsSpace(r) })...)
			}
		}
	}
}

func isHidden(name []byte) bool {
	return string(name) == "script" || string(name) == "style" || string(name) == "template" || string(name) == "noscript"
}
