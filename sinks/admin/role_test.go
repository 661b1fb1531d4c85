package admin

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
)

// Tokens of the roles.
const (
	readToken    = "readread-readread-readread-readread"
	reportToken  = "report-report-report-report-report-"
	operateToken = theToken
)

// withRoles is a handler whose roles have tokens, and its door.
func withRoles(t *testing.T, roles Role) (http.Handler, *door) {
	t.Helper()
	var files Tokens
	for _, set := range []struct {
		role Role
		file *string
		text string
	}{{Read, &files.Read, readToken}, {Report, &files.Report, reportToken}, {Operate, &files.Operate, operateToken}} {
		if roles&set.role != 0 {
			*set.file = tokenFile(t, set.text, 0o600)
		}
	}
	d := doorOf(t, Options{Listen: "0.0.0.0:9464", Tokens: files})
	return handler(show(full()), d, map[string]http.Handler{"GET /{$}": index("pages", ""), "POST /act": index("done", "")}), d
}

// asked are requests, and the roles that may make them.
var asked = []struct {
	method, path, body string
	roles              Role
}{
	{"GET", "/", "", Read | Operate},
	{"GET", "/metrics", "", Read | Operate},
	{"GET", "/api/v1/status", "", Read | Operate},
	{"HEAD", "/api/v1/status", "", Read | Operate},
	{"GET", "/api/v1/inputs", "", Read | Operate},
	{"GET", "/api/v1/rules", "", Read | Operate},
	{"POST", "/api/v1/report", "{}", Report | Operate},
	{"POST", "/api/v1/approve", "{}", Operate},
	{"POST", "/api/v1/recheck", "{}", Operate},
	{"POST", "/api/v1/reject", "{}", Operate},
	{"POST", "/api/v1/veto", "{}", Operate},
	{"DELETE", "/api/v1/veto", "{}", Operate},
	{"POST", "/api/v1/pin", "{}", Operate},
	{"DELETE", "/api/v1/pin", "{}", Operate},
	{"POST", "/api/v1/prefer", "{}", Operate},
	{"DELETE", "/api/v1/prefer", "{}", Operate},
	{"GET", "/api/v1/sites", "", Read | Operate},
	{"POST", "/api/v1/sites", "{}", Operate},
	{"DELETE", "/api/v1/sites", "{}", Operate},
	{"POST", "/api/v1/allow", "{}", Operate},
	{"DELETE", "/api/v1/allow", "{}", Operate},
	{"DELETE", "/api/v1/export", "{}", Operate},
	{"POST", "/act", "", Operate},
	{"GET", "/debug/pprof/", "", Operate},
	{"HEAD", "/debug/pprof/heap", "", Operate},
	{"GET", "/debug/pprof/cmdline", "", Operate},
	{"POST", "/api/v1/report/", "{}", Operate},
	{"POST", "//api/v1/report", "{}", Operate},
	{"PUT", "/api/v1/report", "{}", Operate},
	{"OPTIONS", "/api/v1/rules", "", Operate},
	{"BREW", "/none", "", Operate},
}

// Each token makes the requests of its role, and no others. A role without a token belongs to
// nobody.
func TestRoles(t *testing.T) {
	for _, set := range []Role{Read | Report | Operate, Read, Report, Operate, Read | Report} {
		h, _ := withRoles(t, set)
		for _, c := range []struct {
			role Role
			text string
		}{{Read, readToken}, {Report, reportToken}, {Operate, operateToken}} {
			for _, a := range asked {
				w := send(t, h, a.method, a.path, a.body, "Authorization", "Bearer "+c.text)
				switch {
				case set&c.role == 0:
					if w.Code != http.StatusUnauthorized && w.Code != http.StatusTooManyRequests {
						t.Errorf("%s set, %s: %s %s: %d", set, c.role, a.method, a.path, w.Code)
					}
				case a.roles&c.role == 0:
					if w.Code != http.StatusForbidden || a.method != "HEAD" && !strings.Contains(w.Body.String(), fmt.Sprintf("the token of the role %s may not do this", c.role)) {
						t.Errorf("%s set, %s: %s %s: %d, %s", set, c.role, a.method, a.path, w.Code, w.Body)
					}
				case w.Code == http.StatusUnauthorized || w.Code == http.StatusForbidden:
					t.Errorf("%s set, %s: %s %s: %d, %s", set, c.role, a.method, a.path, w.Code, w.Body)
				}
			}
		}
	}
	h, _ := withRoles(t, Read)
	if w := send(t, h, "POST", "/api/v1/report", "{}", "Authorization", "Bearer "+readToken); !strings.Contains(w.Body.String(), "it takes the role operate, which has no token here") {
		t.Errorf("%s", w.Body)
	}
	h, _ = withRoles(t, Read|Report)
	if w := send(t, h, "POST", "/api/v1/report", "{}", "Authorization", "Bearer "+readToken); !strings.Contains(w.Body.String(), "it takes the role report") {
		t.Errorf("%s", w.Body)
	}
}

// A session has the role of its token. A browser has no use for a token of reports.
func TestSessionsHaveRoles(t *testing.T) {
	h, _ := withRoles(t, Read|Report)
	login := func(text string) *httptest.ResponseRecorder {
		return send(t, h, "POST", "/login", "token="+text, "Content-Type", "application/x-www-form-urlencoded")
	}
	if w := login(reportToken); w.Code != http.StatusForbidden || len(w.Result().Cookies()) > 0 || !strings.Contains(w.Body.String(), "role read or operate") {
		t.Errorf("a token of reports: %d, %s", w.Code, w.Body)
	}
	cookie := login(readToken).Result().Cookies()[0]
	in := cookie.Name + "=" + cookie.Value
	for _, a := range asked {
		if w := send(t, h, a.method, a.path, a.body, "Cookie", in); (w.Code == http.StatusForbidden) != (a.roles&Read == 0) {
			t.Errorf("%s %s: %d", a.method, a.path, w.Code)
		}
	}
}

// One token may have two roles.
func TestSharedToken(t *testing.T) {
	file := tokenFile(t, readToken, 0o600)
	h := handler(show(full()), doorOf(t, Options{Listen: "0.0.0.0:9464", Tokens: Tokens{Read: file, Report: file}}), nil)
	for _, c := range []struct {
		path string
		want int
	}{{"GET /api/v1/rules", 200}, {"POST /api/v1/report", 400}, {"POST /api/v1/approve", 403}} {
		method, path, _ := strings.Cut(c.path, " ")
		if w := send(t, h, method, path, "{}", "Authorization", "Bearer "+readToken); w.Code != c.want {
			t.Errorf("%s %s: %d, %s", method, path, w.Code, w.Body)
		}
	}
}

// When one token is replaced, the sessions and requests of the others go on. A mistake in one
// file changes nothing.
func TestOneNewToken(t *testing.T) {
	h, d := withRoles(t, Read|Operate)
	code := func(text string) int {
		return send(t, h, "GET", "/metrics", "", "Authorization", "Bearer "+text).Code
	}
	in := map[string]string{}
	for _, text := range []string{readToken, operateToken} {
		c := send(t, h, "POST", "/login", "token="+text, "Content-Type", "application/x-www-form-urlencoded").Result().Cookies()[0]
		in[text] = c.Name + "=" + c.Value
	}
	session := func(text string) int { return send(t, h, "GET", "/metrics", "", "Cookie", in[text]).Code }
	write := func(path, text string) error {
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return d.read()
	}
	if err := write(d.Tokens.Operate, "short"); err == nil {
		t.Error("a short token is taken")
	}
	if code(readToken) != 200 || code(operateToken) != 200 || session(readToken) != 200 || session(operateToken) != 200 {
		t.Error("a mistake in a file changes something")
	}
	must(t, write(d.Tokens.Operate, otherToken))
	if code(readToken) != 200 || session(readToken) != 200 || code(otherToken) != 200 {
		t.Error("the other token, or the new one, is not taken")
	}
	if code(operateToken) != 401 || session(operateToken) != 401 {
		t.Error("the old token, or its session, outlives the token")
	}
}

// docs/admin.md has the table of rights.
func TestDocsOfRoles(t *testing.T) {
	text, err := os.ReadFile("../../docs/admin.md")
	must(t, err)
	table := "| request | read | report | operate |\n|---|---|---|---|\n"
	for _, x := range rights {
		request := "`" + strings.Join(x.methods, "`, `") + "`"
		switch {
		case x.methods == nil && x.path != "":
			request = "every request of `" + x.path + "` and below"
		case x.methods == nil:
			request = "every other request"
		case x.path == "":
			request += " of every path"
		default:
			request += " of `" + x.path + "`"
		}
		table += "| " + request + " |"
		for _, role := range []Role{Read, Report, Operate} {
			table += map[bool]string{true: " yes |", false: " no |"}[x.roles&role != 0]
		}
		table += "\n"
	}
	if !strings.Contains(string(text), table) {
		t.Errorf("docs/admin.md has not\n%s", table)
	}
}

// Pages of allowed origins may read the rules, and nothing else. Without the setting no page may.
func TestShare(t *testing.T) {
	const page, other = "https://crawler.example", "https://other.example"
	for _, c := range []struct {
		name                 string
		allowed              []string
		method, path, origin string
		header               []string
		code                 int
		shared               bool
	}{
		{"the question", []string{page}, "OPTIONS", "/api/v1/rules?state=valid", page, nil, 204, true},
		{"the rules", []string{other, page}, "GET", "/api/v1/rules", page, []string{"Authorization", "Bearer " + theToken}, 200, true},
		{"no token", []string{page}, "GET", "/api/v1/rules", page, nil, 401, true},
		{"another origin", []string{page}, "GET", "/api/v1/rules", other, []string{"Authorization", "Bearer " + theToken}, 200, false},
		{"another's ask", []string{page}, "OPTIONS", "/api/v1/rules", other, nil, 401, false},
		{"no origin", []string{page}, "GET", "/api/v1/rules", "", []string{"Authorization", "Bearer " + theToken}, 200, false},
		{"null", []string{page}, "GET", "/api/v1/rules", "null", nil, 401, false},
		{"another path", []string{page}, "GET", "/api/v1/status", page, []string{"Authorization", "Bearer " + theToken}, 200, false},
		{"ask another path", []string{page}, "OPTIONS", "/api/v1/veto", page, nil, 401, false},
		{"another host", []string{page}, "GET", "/api/v1/rules", page, []string{"Host", "www.example.org"}, 421, false},
		{"without a setting", nil, "OPTIONS", "/api/v1/rules", page, nil, 401, false},
	} {
		d := doorOf(t, Options{Listen: "0.0.0.0:9464", Tokens: Tokens{Read: tokenFile(t, theToken, 0o600)}, Origins: c.allowed})
		w := send(t, handler(show(full()), d, nil), c.method, c.path, "", append(c.header, "Origin", c.origin, "Sec-Fetch-Site", "cross-site")...)
		h := w.Header()
		if got := h.Get("Access-Control-Allow-Origin"); w.Code != c.code || (got != "") != c.shared || c.shared && (got != c.origin || h.Get("Access-Control-Expose-Headers") != "ETag") {
			t.Errorf("%s: %d, %v", c.name, w.Code, h)
		}
		if h.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: cookies are allowed", c.name)
		}
		if (h.Get("Access-Control-Allow-Headers") == "Authorization, If-None-Match") != (c.code == 204) {
			t.Errorf("%s: %v", c.name, h)
		}
		if varies := slices.Contains(h.Values("Vary"), "Origin"); varies != (len(c.allowed) > 0 && strings.HasPrefix(c.path, rulesPath) && c.code != http.StatusMisdirectedRequest) {
			t.Errorf("%s: Vary %q", c.name, h.Values("Vary"))
		}
	}
}
