package admin

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/rule/report"
)

// crawler is an address that may post pages.
const crawler = "192.0.2.1:4000"

// pageOf returns the body of a posted page of a site.
func pageOf(site, more string) string {
	return fmt.Sprintf(`{"site": %q, "url": "http://a.example/x?sid=1", "status": 200, "content_type": "text/html", "body": "<p>one"%s}`, site, more)
}

// pagesHandler lets the crawler post pages.
func pagesHandler(t *testing.T, s State) http.Handler {
	t.Helper()
	return handler(s, doorOf(t, Options{Listen: "127.0.0.1:9464", PagesFrom: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/31"), netip.MustParsePrefix("2001:db8::/32")}}), nil)
}

// postPage posts a page from an address.
func postPage(t *testing.T, h http.Handler, peer string, body io.Reader, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	return sendFrom(t, h, http.MethodPost, "/api/v1/pages", body, append(header, "From", peer)...)
}

// Crawlers may post pages. A wrong page is refused with the reason.
func TestPages(t *testing.T) {
	h := pagesHandler(t, show(fixed{}))
	for name, c := range map[string]struct {
		body  string
		want  int
		field string
	}{
		"right":        {pageOf("a.example", ""), http.StatusAccepted, ""},
		"other site":   {pageOf("b.example", ""), http.StatusNotFound, "site"},
		"elsewhere":    {pageOf("elsewhere.example", ""), http.StatusMisdirectedRequest, "site"},
		"not its site": {strings.Replace(pageOf("a.example", ""), "http://a.example/", "http://b.example/", 1), http.StatusBadRequest, "url"},
		"no status":    {`{"site": "a.example", "url": "http://a.example/", "body": ""}`, http.StatusBadRequest, "status"},
		"unknown":      {pageOf("a.example", `, "page": 1`), http.StatusBadRequest, ""},
		"no JSON":      {"<p>one", http.StatusBadRequest, ""},
		"beyond acts":  {pageOf("a.example", strings.Repeat(" ", maxBody)), http.StatusAccepted, ""},
		"large":        {pageOf("a.example", strings.Repeat(" ", report.MaxPageBytes)), http.StatusRequestEntityTooLarge, ""},
	} {
		w := postPage(t, h, crawler, strings.NewReader(c.body))
		if w.Code != c.want || c.field != "" && !strings.Contains(w.Body.String(), fmt.Sprintf(`"field":%q`, c.field)) {
			t.Errorf("%s: %d, %s", name, w.Code, w.Body)
		}
	}
	if w := postPage(t, h, crawler, strings.NewReader(pageOf("a.example", "")), "Origin", "https://www.example.org"); w.Code != http.StatusForbidden {
		t.Errorf("by a page of another site: %d", w.Code)
	}
}

// Only the addresses that the settings name may post pages; without settings none.
func TestPagesFrom(t *testing.T) {
	h := pagesHandler(t, show(fixed{}))
	for peer, want := range map[string]int{
		crawler: http.StatusAccepted, "192.0.2.2:4000": http.StatusForbidden, "127.0.0.1:4000": http.StatusForbidden, "[::ffff:192.0.2.1]:9": http.StatusAccepted,
		"[2001:db8::1%eth0]:9": http.StatusAccepted, "[::1]:9": http.StatusForbidden, "@": http.StatusForbidden,
	} {
		if w := postPage(t, h, peer, strings.NewReader(pageOf("a.example", "")), "X-Forwarded-For", "192.0.2.1"); w.Code != want || want == http.StatusForbidden && !strings.Contains(w.Body.String(), "pages_from") {
			t.Errorf("%s: %d, %s", peer, w.Code, w.Body)
		}
	}
	if w := postPage(t, local(t, show(fixed{})), "127.0.0.1:1", strings.NewReader(pageOf("a.example", ""))); w.Code != http.StatusForbidden {
		t.Errorf("without settings: %d", w.Code)
	}
}

// The token is wanted before the body is read.
func TestPagesToken(t *testing.T) {
	d := doorOf(t, Options{Listen: "127.0.0.1:9464", PagesFrom: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}, Tokens: Tokens{Operate: tokenFile(t, theToken, 0o600)}})
	h, body := handler(show(fixed{}), d, nil), &readBytes{strings.NewReader(pageOf("a.example", "")), 0}
	if w := postPage(t, h, crawler, body); w.Code != http.StatusUnauthorized || body.n > 0 {
		t.Errorf("without a token: %d after %d bytes", w.Code, body.n)
	}
	if w := postPage(t, h, crawler, body, "Authorization", "Bearer "+theToken); w.Code != http.StatusAccepted {
		t.Errorf("with the token: %d", w.Code)
	}
}

// readBytes counts the bytes that are read.
type readBytes struct {
	io.Reader
	n int
}

func (c *readBytes) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += n
	return n, err
}

// A compressed body is refused unread, so it cannot grow.
func TestPagesAreNotDecompressed(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	if _, err := z.Write(make([]byte, 64<<20)); err != nil {
		t.Fatal(err)
	}
	must(t, z.Close())
	h := pagesHandler(t, show(fixed{}))
	for _, encoding := range []string{"gzip", "", "br"} {
		body := &readBytes{bytes.NewReader(bomb.Bytes()), 0}
		if w := postPage(t, h, crawler, body, "Content-Encoding", encoding); w.Code != http.StatusBadRequest || encoding != "" && body.n > 0 {
			t.Errorf("%q: %d after %d bytes", encoding, w.Code, body.n)
		}
	}
}

// The pages of one address are bounded, and of all addresses those that are read at once.
func TestPagesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := pagesHandler(t, show(fixed{}))
		post := func(peer string) int { return postPage(t, h, peer, strings.NewReader("{}")).Code }
		for i := range report.AtOnce {
			if code := post(crawler); code != http.StatusBadRequest {
				t.Fatalf("page %d: %d", i, code)
			}
		}
		if code := post(crawler); code != http.StatusTooManyRequests {
			t.Errorf("one more: %d", code)
		}
		if code := post("192.0.2.0:4000"); code != http.StatusBadRequest {
			t.Errorf("another address: %d", code)
		}
		time.Sleep(pageUnit)
		if one, more := post(crawler), post(crawler); one != http.StatusBadRequest || more != http.StatusTooManyRequests {
			t.Errorf("after a while: %d, %d", one, more)
		}
		time.Sleep(time.Hour)
		var slow []*io.PipeWriter
		done := make(chan int)
		for range mostBodies {
			body, w := io.Pipe()
			slow = append(slow, w)
			go func() { done <- postPage(t, h, crawler, body).Code }()
		}
		synctest.Wait()
		if w := postPage(t, h, crawler, strings.NewReader("{}")); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "1" {
			t.Errorf("beside %d slow bodies: %d, %v", mostBodies, w.Code, w.Header())
		}
		for _, w := range slow {
			_ = w.Close()
			<-done
		}
		if code := post(crawler); code != http.StatusBadRequest {
			t.Errorf("after the slow bodies: %d", code)
		}
	})
}

// reportOf returns the body of a report about a site.
func reportOf(site, more string) string {
	hash := strings.Repeat("0f", 32)
	return fmt.Sprintf(`{"site": %q, "found": "http://a.example/x?sid=1", "canonical": "http://a.example/x", "sha256": [%q, %q]%s}`, site, hash, hash, more)
}

// Crawlers may report pairs. A wrong report is refused with the reason.
func TestReport(t *testing.T) {
	tryActs(t, local(t, show(fixed{})), http.MethodPost, "/api/v1/report", map[string]actCase{
		"right":        {reportOf("a.example", ""), "", http.StatusAccepted, ""},
		"a page":       {reportOf("a.example", ""), "https://www.example.org", http.StatusForbidden, ""},
		"other site":   {reportOf("b.example", ""), "", http.StatusNotFound, "site"},
		"elsewhere":    {reportOf("elsewhere.example", ""), "", http.StatusMisdirectedRequest, "site"},
		"full":         {reportOf("full.example", ""), "", http.StatusTooManyRequests, "site"},
		"not its site": {strings.Replace(reportOf("a.example", ""), "http://a.example/x?", "http://b.example/x?", 1), "", http.StatusBadRequest, "found"},
		"no site":      {`{"found": "http://a.example/"}`, "", http.StatusBadRequest, "site"},
		"unknown":      {reportOf("a.example", `, "page": 1`), "", http.StatusBadRequest, ""},
		"a form":       {"site=a.example", "", http.StatusBadRequest, ""},
		"large":        {reportOf("a.example", strings.Repeat(" ", maxBody)), "", http.StatusRequestEntityTooLarge, ""},
	})
}

// The reports of one address are bounded, whatever they hold. Another address is not affected.
func TestReportsOfAddress(t *testing.T) {
	h := local(t, show(fixed{}))
	post := func(peer string) *httptest.ResponseRecorder {
		return send(t, h, http.MethodPost, "/api/v1/report", "{}", "From", peer)
	}
	for i := range report.AtOnce {
		if w := post("192.0.2.1:4000"); w.Code != http.StatusBadRequest {
			t.Fatalf("report %d: %d", i, w.Code)
		}
	}
	refused := 0
	for range 10 { // a second may pass meanwhile
		if w := post("192.0.2.1:4001"); w.Code == http.StatusTooManyRequests && w.Header().Get("Retry-After") != "" && w.Header().Get("Retry-After") != "0" {
			refused++
		}
	}
	if w := post("192.0.2.2:4000"); refused < 5 || w.Code != http.StatusBadRequest {
		t.Errorf("%d of 10 are refused, and another address gets %d", refused, w.Code)
	}
}

// The answer says what becomes of a report.
func TestAnswers(t *testing.T) {
	h := local(t, show(fixed{}))
	for _, want := range []report.Answer{report.Taken, report.Alike, report.Lately, report.Apart, report.Unasked} {
		body := reportOf("a.example", fmt.Sprintf(`, "reporter": %q`, want)) // the state of the test answers with the reporter
		w := send(t, h, http.MethodPost, "/api/v1/report", body)
		if text := w.Body.String(); w.Code != http.StatusAccepted || text != string(want)+": "+reports.words[want]+"\n" || reports.words[want] == "" {
			t.Errorf("%s: %d, %q", want, w.Code, text)
		}
	}
}
