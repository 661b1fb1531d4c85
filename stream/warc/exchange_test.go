package warc

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// requestOf returns the record of a request to a page.
func requestOf(method, page string, headers ...string) string {
	return record("request", method+" /"+page+" HTTP/1.1\r\nHost: example.org\r\n\r\n",
		append([]string{"WARC-Target-URI: http://example.org/" + page, date, "Content-Type: application/http; msgtype=request"}, headers...)...)
}

// answerOf returns the record of an answer of a page, with a digest.
func answerOf(page string, headers ...string) string {
	return pageAt("http://example.org/"+page, page, append([]string{digest}, headers...)...)
}

func id(name string) string   { return "WARC-Record-ID: <urn:uuid:" + name + ">" }
func with(name string) string { return "WARC-Concurrent-To: <urn:uuid:" + name + ">" }

// TestExchanges: the method of an answer is that of its request, wherever the request stands.
func TestExchanges(t *testing.T) {
	metadata := record("metadata", "x", uri, with("1"))
	for _, c := range []struct {
		name    string
		records []string
		want    string // the methods of the answers; - is none
	}{
		{"no request", []string{answerOf("a"), answerOf("b")}, "- -"},
		{"get", []string{answerOf("a", id("1")), requestOf("GET", "a", with("1"))}, "-"},
		{"the request names the answer", []string{answerOf("a", id("1")), requestOf("POST", "a", with("1")), answerOf("a", id("2"))}, "POST -"},
		{"the answer names the request", []string{requestOf("PUT", "a", id("1")), answerOf("a", with("1"))}, "PUT"},
		{"a record between", []string{answerOf("a", id("1")), metadata, requestOf("POST", "a", with("1"))}, "POST"},
		{"a name among several", []string{answerOf("a", id("1")), requestOf("POST", "a", with("9"), with("1"))}, "POST"},
		{"another URL in the request", []string{answerOf("a", id("1")), requestOf("POST", "b", with("1"))}, "POST"},
		{"a name that begins with another", []string{answerOf("a", "WARC-Record-ID: x1"), answerOf("b", "WARC-Record-ID: x11"), requestOf("POST", "b", "WARC-Concurrent-To: x11")}, "- POST"},
		{"two connections", []string{answerOf("a", id("1")), answerOf("b", id("2")), requestOf("POST", "b", with("2")), requestOf("GET", "a", with("1"))}, "- POST"},
		{"requests first", []string{requestOf("POST", "a", id("1")), requestOf("GET", "a", id("2")), answerOf("a", with("2")), answerOf("a", with("1"))}, "- POST"},
		{"no names, behind", []string{answerOf("a"), requestOf("GET", "a"), answerOf("a"), requestOf("POST", "a")}, "- POST"},
		{"no names, before", []string{requestOf("POST", "a"), answerOf("a"), requestOf("GET", "a"), answerOf("a")}, "POST -"},
		{"no names, of other pages", []string{answerOf("a"), requestOf("POST", "b"), answerOf("b")}, "- POST"},
		{"a revisit", []string{record("revisit", "", uri, date, digest, id("1")), requestOf("POST", "a", with("1"))}, "POST"},
		{"a request that is none", []string{answerOf("a", id("1")), requestOf("\x16\x03", "a", with("1"))}, "-"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := io.ReadAll(NewReader(strings.NewReader(strings.Join(c.records, ""))))
			must(t, err)
			var got []string
			for l := range strings.Lines(string(text)) {
				_, method, _ := strings.Cut(strings.TrimSpace(l), `","method":"`)
				got = append(got, strings.TrimSuffix(method, `"}`))
				if method == "" {
					got[len(got)-1] = "-"
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("methods %q, want %q, in\n%s", got, c.want, text)
			}
		})
	}
}

// Answers without requests wait for no more than a few records, and stay in their order.
func TestManyExchanges(t *testing.T) {
	var all []string
	for i := range 5 * longestPairing {
		all = append(all, answerOf(fmt.Sprint("a", i), id(fmt.Sprint("a", i))), requestOf("POST", fmt.Sprint("b", i), with("none")))
	}
	r := NewReader(strings.NewReader(strings.Join(all, "")))
	text, err := io.ReadAll(r)
	must(t, err)
	n := 0
	for l := range strings.Lines(string(text)) {
		if want := fmt.Sprintf(`"http://example.org/a%d"`, n); !strings.Contains(l, want) {
			t.Fatalf("line %d is %s", n, l)
		}
		n++
	}
	if n != 5*longestPairing || cap(r.held.answers) > 4*longestPairing || cap(r.held.requests) > 4*longestPairing {
		t.Errorf("%d lines, room for %d answers and %d requests", n, cap(r.held.answers), cap(r.held.requests))
	}
}

// TestArchiveMethods: the answer to a POST does not replace the page of the same URL.
func TestArchiveMethods(t *testing.T) {
	post := pageAt("http://example.org/a", "thanks", id("2"))
	postRequest := requestOf("POST", "a", with("2"))
	for _, zipped := range []bool{false, true} {
		for _, c := range []struct {
			name    string
			records []string
		}{
			{"behind", []string{pageAt("http://example.org/a", "page", id("1")), requestOf("GET", "a", with("1")), post, postRequest}},
			{"before", []string{post, postRequest, pageAt("http://example.org/a", "page", id("1")), requestOf("GET", "a", with("1"))}},
			{"in the URL", []string{pageAt("http://example.org/a", "page"), pageAt("http://example.org/a?__wb_method=POST", "thanks")}},
			{"alone", []string{pageAt("http://example.org/a", "page"), pageAt("http://example.org/b", "stored", id("3")), requestOf("PUT", "b", with("3"))}},
		} {
			a, err := Open(file(t, zipped, c.records...), false)
			must(t, err)
			if got := bodyAt(t, a, "http://example.org/a"); got != "page" || a.Len() != 1 {
				t.Errorf("zipped %v: %s: %q, %d URLs", zipped, c.name, got, a.Len())
			}
			must(t, a.Close())
		}
	}
}
