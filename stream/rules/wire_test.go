package rules

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"dustbuster/operators/rule/report"
)

// A token follows a redirect on its own origin, and goes to no other: not to another port either,
// which net/http takes for the same host.
func TestTokenStaysAtItsOrigin(t *testing.T) {
	list := record("a.example", "1", "valid", 1, "/x/", "/y/")
	var seen []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, "other "+r.URL.Path+" "+r.Header.Get("Authorization"))
		fmt.Fprint(w, list)
	}))
	defer other.Close()
	to := ""
	moved := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, "own "+r.URL.Path+" "+r.Header.Get("Authorization"))
		if r.URL.Path != "/here" {
			http.Redirect(w, r, to, http.StatusTemporaryRedirect)
			return
		}
		w.WriteHeader(http.StatusOK)
		fmt.Fprint(w, list)
	}))
	defer moved.Close()
	source := strings.Replace(moved.URL, "http://", "http://:secret@", 1)
	for _, c := range [][2]string{{"/here", "own /here Bearer secret"}, {other.URL + "/there", "other /there "}} {
		to, seen = c[0], nil
		if l, err := Open(t.Context(), source); err != nil || l.Len() != 1 {
			t.Errorf("%v", err)
		}
		if len(seen) != 2 || seen[0] != "own /api/v1/rules Bearer secret" || seen[1] != c[1] {
			t.Errorf("asked %q", seen)
		}
	}
	seen = nil
	_ = Send(t.Context(), source, &report.Report{})
	if len(seen) != 2 || seen[0] != "own /api/v1/report Bearer secret" || seen[1] != "other /there " {
		t.Errorf("asked %q", seen)
	}
	to = "/again"
	if _, err := Open(t.Context(), source); err == nil || !strings.Contains(err.Error(), "10 redirects") {
		t.Errorf("error %v", err)
	}
}

// A list that is cut short is refused, with a length and in chunks.
func TestListCutShort(t *testing.T) {
	list := record("a.example", "1", "valid", 1, "/x/", "/y/")
	for _, head := range []string{fmt.Sprintf("Content-Length: %d\r\n\r\n", 2*len(list)), fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n", len(list))} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			c, out, err := w.(http.Hijacker).Hijack()
			if err == nil {
				writeAll(out.Writer, "HTTP/1.1 200 OK\r\n"+head+list)
				_ = c.Close()
			}
		}))
		if _, err := Open(t.Context(), server.URL); err == nil || !strings.Contains(err.Error(), "unexpected EOF") {
			t.Errorf("%q: error %v", head, err)
		}
		server.Close()
	}
}

func writeAll(out *bufio.Writer, text string) {
	_, _ = out.WriteString(text)
	_ = out.Flush()
}
