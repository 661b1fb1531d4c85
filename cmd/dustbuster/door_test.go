package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"dustbuster/cmd/dustbuster/internal/cli"
)

const (
	firstToken  = "0123456789abcdef0123456789abcdef"
	secondToken = "fedcba9876543210fedcba9876543210"
	readerToken = "readers-readers-readers-readers-"
)

// knock is a request at the door of a daemon.
type knock struct {
	method, path, body string
	header             []string // in pairs, Host among them
}

// at sends the request to a daemon, and returns the response.
func (k knock) at(t *testing.T, address string) (*http.Response, string) {
	t.Helper()
	method := k.method
	if method == "" {
		method = http.MethodGet
	}
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+address+k.path, strings.NewReader(k.body))
	must(t, err)
	for i := 0; i+1 < len(k.header); i += 2 {
		if k.header[i] == "Host" {
			r.Host = k.header[i+1]
			continue
		}
		r.Header.Set(k.header[i], k.header[i+1])
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	must(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	must(t, err)
	return answer, string(text)
}

// A daemon that other machines can reach admits a request with its token, or with a
// browser's cookie, and tells all others the reason for the refusal. At SIGHUP a new token
// replaces the old one.
func TestDoor(t *testing.T) {
	dir := t.TempDir()
	log, token, reader := filepath.Join(dir, "access.log"), filepath.Join(dir, "token"), filepath.Join(dir, "reader")
	for _, c := range []struct{ path, text string }{{log, pages("one")}, {token, firstToken + "\n"}, {reader, readerToken}} {
		must(t, os.WriteFile(c.path, []byte(c.text), 0o600))
	}
	cmd, stderr := start(t, faults{}, "--tail", log, "--state", filepath.Join(dir, "state"), "--admin-listen", "0.0.0.0:0", "--admin-token-file", token, "--admin-read-token-file", reader,
		"--admin-hosts", "dust.example", "--log-format", "json")
	stderr.awaits(t, "serving metrics, health, API and the dashboard for browsers")
	_, port, err := net.SplitHostPort(stderr.address(t))
	must(t, err)
	address := net.JoinHostPort("127.0.0.1", port)

	login := knock{http.MethodPost, "/login", url.Values{"token": {firstToken}}.Encode(), []string{"Content-Type", "application/x-www-form-urlencoded", "Origin", "http://" + address}}
	answer, text := login.at(t, address)
	if len(answer.Cookies()) != 1 {
		t.Fatalf("log in: %s, %v\n%s", answer.Status, answer.Header, text)
	}
	cookie := answer.Cookies()[0]
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode {
		t.Errorf("the cookie: %v", cookie)
	}
	first, in := "Bearer "+firstToken, cookie.Name+"="+cookie.Value
	approve := func(header ...string) knock {
		return knock{http.MethodPost, "/api/v1/approve", `{"site": "one.example", "mark": "m"}`, header}
	}
	for _, c := range []struct {
		name string
		knock
		code int
		said string
	}{
		{"the token", knock{path: "/metrics", header: []string{"Authorization", first}}, 200, "dustbuster_admin_refused_total"},
		{"the cookie", knock{path: "/api/v1/status", header: []string{"Cookie", in}}, 200, "caught_up"},
		{"a reader", knock{path: "/api/v1/status", header: []string{"Authorization", "Bearer " + readerToken}}, 200, "caught_up"},
		{"a reader, POST", approve("Authorization", "Bearer "+readerToken), 403, "the token of the role read may not do this: it takes the role operate"},
		{"a name", knock{path: "/api/v1/inputs", header: []string{"Authorization", first, "Host", "dust.example"}}, 200, ""},
		{"a probe", knock{path: "/healthz"}, 200, "ok"},
		{"no token", knock{path: "/metrics"}, 401, "no token: send the header Authorization: Bearer TOKEN, or log in at /login"},
		{"a browser", knock{path: "/", header: []string{"Accept", "text/html,*/*;q=0.8"}}, 401, `<form method="post" action="login">`},
		{"a wrong token", knock{path: "/api/v1/status", header: []string{"Authorization", "Bearer " + secondToken}}, 401, `"reason":"the token is wrong"`},
		{"a wrong login", knock{login.method, login.path, "token=" + secondToken, login.header}, 401, "the token is wrong"},
		{"a wrong Host", knock{path: "/api/v1/status", header: []string{"Authorization", first, "Host", "www.example.org"}}, 421, "is not a name of this listener"},
		{"a page's POST", approve("Cookie", in, "Origin", "https://www.example.org"), 403, "a cross-origin request, by a page of another site"},
		{"its own POST", approve("Cookie", in, "Origin", "http://"+address), 404, "no update of this site and mark is held: "},
		{"a POST", approve("Authorization", first), 404, "no update of this site and mark is held: "},
		{"no token, POST", approve(), 401, "no token"},
		{"a profile", knock{path: "/debug/pprof/", header: []string{"Authorization", first}}, 404, "on loopback only"},
	} {
		if answer, text := c.at(t, address); answer.StatusCode != c.code || !strings.Contains(text, c.said) {
			t.Errorf("%s: %s, want %d\n%s", c.name, answer.Status, c.code, text)
		}
	}

	for _, c := range []struct {
		more []string
		code int
		said string
	}{
		{[]string{"--rules-token-file", token}, 0, ""},
		{[]string{"--rules-token-file", reader}, 0, ""},
		{nil, cli.ExitFailure, "answers 401 Unauthorized: give its token"},
		{[]string{"--rules-token-file", log}, cli.ExitUsage, "the token may have letters, digits and"},
		{[]string{"--rules-token-file", token, "--rules", log}, cli.ExitUsage, "--rules-token-file is for the address of a daemon"},
	} {
		var errs bytes.Buffer
		if code := run(t.Context(), append([]string{"export", "jsonl", "--rules", "http://" + address}, c.more...), nil, io.Discard, &errs); code != c.code || !strings.Contains(errs.String(), c.said) {
			t.Errorf("export %v: %d, %s", c.more, code, &errs)
		}
	}

	for range 12 { // then a right token passes
		(knock{path: "/metrics", header: []string{"Authorization", "Bearer " + secondToken}}).at(t, address)
	}
	if answer, text := (knock{path: "/metrics", header: []string{"Authorization", first}}).at(t, address); answer.StatusCode != 200 {
		t.Errorf("the right token after wrong ones: %s\n%s", answer.Status, text)
	}

	for _, text := range []string{"short", secondToken} {
		must(t, os.WriteFile(token, []byte(text), 0o600))
		must(t, cmd.Process.Signal(syscall.SIGHUP))
		stderr.awaits(t, map[bool]string{true: "cannot read the admin tokens again: the old ones stay", false: "admin tokens read again"}[text == "short"])
		for _, header := range [][]string{{"Authorization", first}, {"Cookie", in}, {"Authorization", "Bearer " + secondToken}} {
			want := (text == "short") == (header[1] != "Bearer "+secondToken)
			if answer, _ := (knock{path: "/metrics", header: header}).at(t, address); (answer.StatusCode == 200) != want {
				t.Errorf("file %q, %q: %s", text, header, answer.Status)
			}
		}
	}
	end(t, cmd, stderr)
}
