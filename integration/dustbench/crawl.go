package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
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

// shown is the text without words that are the page's own address: its path, with or without the query, the final
// slash, and the scheme and host.
func (a *answer) shown(u string) string {
	path, _, _ := strings.Cut(u, "?")
	var own []string
	for _, address := range []string{u, path, strings.TrimSuffix(path, "/")} {
		if decoded, err := url.PathUnescape(address); err == nil && len(address) > 1 {
			own = append(own, strings.ToLower(address), strings.ToLower(decoded))
		}
	}
	words := slices.DeleteFunc(strings.Split(a.text(), " "), func(word string) bool {
		word = strings.Trim(word, `"'()[]<>.,;`)
		if _, after, found := strings.Cut(word, "://"); found {
			slash := max(strings.IndexByte(after, '/'), 0)
			word = after[slash:]
		}
		return slices.Contains(own, word)
	})
	return strings.Join(words, " ")
}

// changing stands for a word of a text that differs from time to time.
const changing = "\uE000"

// steady is the text of a page that was fetched twice. A word that differs is changing. The text is empty if the
// page has more words at one time, or if more than half of them differ.
func steady(first, second string) string {
	words, again := strings.Split(first, " "), strings.Split(second, " ")
	if len(words) != len(again) {
		return ""
	}
	n := 0
	for i := range words {
		if words[i] != again[i] {
			words[i] = changing
			n++
		}
	}
	if 2*n > len(words) {
		return ""
	}
	return strings.Join(words, " ")
}

// matches reports whether a page shows a text, whose changing words may be any.
func matches(text, shown string) bool {
	want, got := strings.Split(text, " "), strings.Split(shown, " ")
	return slices.EqualFunc(want, got, func(w, g string) bool { return w == g || w == changing })
}
