package admin

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/operators/judge/lifecycle/book"
)

const (
	theToken   = "0123456789abcdef0123456789abcdef"
	otherToken = "fedcba9876543210fedcba9876543210"
)

// tokenFile is a file with a text.
func tokenFile(t *testing.T, text string, mode os.FileMode) string {
	t.Helper()
	path := expect.File(t, "token", text)
	must(t, os.Chmod(path, mode))
	return path
}

// behind is a handler, and its door with theToken. Its host is an address.
func behind(t *testing.T, s State, loopback bool, hosts ...string) (http.Handler, *door) {
	t.Helper()
	d, err := newDoor(&Options{Listen: "listener.example:9464", Hosts: hosts, AllowHost: "allow the name with --admin-hosts", Tokens: Tokens{Operate: tokenFile(t, theToken+"\n", 0o600)}}, loopback)
	must(t, err)
	return handler(s, d, nil), d
}

// logIn logs in as a browser does, and returns the cookie.
func logIn(t *testing.T, h http.Handler, header ...string) *http.Cookie {
	t.Helper()
	w := send(t, h, http.MethodPost, "/login", url.Values{"token": {theToken}}.Encode(),
		append(header, "Content-Type", "application/x-www-form-urlencoded")...)
	cookies := w.Result().Cookies()
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "./" || len(cookies) != 1 {
		t.Fatalf("%d, %v, %s", w.Code, w.Header(), w.Body)
	}
	return cookies[0]
}

// All paths but the probes require the token, in the header or as a browser's cookie.
func TestToken(t *testing.T) {
	for _, loopback := range []bool{false, true} {
		h, _ := behind(t, show(fixed{}), loopback, "10.0.0.1")
		cookie := logIn(t, h)
		for _, c := range []struct {
			name, path string
			header     []string
			want       int
			said       string
		}{
			{"right", "/api/v1/status", []string{"Authorization", "Bearer " + theToken}, 200, ""},
			{"lower case", "/metrics", []string{"Authorization", "bearer " + theToken}, 200, ""},
			{"a cookie", "/api/v1/status", []string{"Cookie", cookie.Name + "=" + cookie.Value}, 200, ""},
			{"none", "/api/v1/status", nil, 401, `"reason":"no token`},
			{"none, text", "/metrics", nil, 401, "no token: send the header Authorization: Bearer TOKEN"},
			{"none, browser", "/", []string{"Accept", "text/html"}, 401, `action="login"`},
			{"none, deeper", "/api/v1/status", []string{"Accept", "text/html"}, 401, `action="../../login"`},
			{"none, unknown", "/none", nil, 401, "no token"},
			{"wrong", "/metrics", []string{"Authorization", "Bearer " + otherToken}, 401, "the token is wrong"},
			{"shorter", "/metrics", []string{"Authorization", "Bearer " + theToken[1:]}, 401, "the token is wrong"},
			{"empty", "/metrics", []string{"Authorization", "Bearer"}, 401, "the token is wrong"},
			{"basic", "/metrics", []string{"Authorization", "Basic " + theToken}, 401, "no token"},
			{"a wrong cookie", "/metrics", []string{"Cookie", cookie.Name + "=" + cookie.Value[1:] + "A"}, 401, "no token"},
			{"the token in it", "/metrics", []string{"Cookie", cookie.Name + "=" + theToken}, 401, "no token"},
			{"wrong, cookie", "/metrics", []string{"Authorization", "Bearer " + otherToken, "Cookie", cookie.Name + "=" + cookie.Value}, 401, "the token is wrong"},
			{"a probe", "/healthz", nil, 200, "ok"},
			{"another probe", "/readyz", nil, 200, "ok"},
			{"not a probe", "/healthz/", nil, 401, "no token"},
		} {
			w := send(t, h, http.MethodGet, c.path, "", c.header...)
			if w.Code != c.want || !strings.Contains(w.Body.String(), c.said) || w.Code == 401 && !strings.HasPrefix(c.name, "none, ") && !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Bearer") {
				t.Errorf("%s, loopback %v: %d, %v\n%s", c.name, loopback, w.Code, w.Header(), w.Body)
			}
		}
	}
}

// A page in a browser may make its own name lead to this machine. An address is no name.
func TestHosts(t *testing.T) {
	const never, here, everywhere = 0, 1, 2
	for _, c := range []struct {
		host     string
		answered int
	}{
		{"127.0.0.1", everywhere}, {"127.0.0.1:9464", everywhere}, {"127.8.9.1:80", everywhere}, {"localhost", everywhere}, {"LocalHost.:9464", everywhere},
		{"[::1]:9464", everywhere}, {"[::1]", everywhere}, {"::1", everywhere}, {"a.localhost", everywhere},
		{"listener.example", everywhere}, {"Listener.example.:80", everywhere}, {"more.example:9464", everywhere},
		{"10.0.0.1:9464", here}, {"[2001:db8::1]:9464", here}, {"0.0.0.0:9464", here}, {"[::]", here},
		{"", never}, {"www.example.org", never}, {"127.0.0.1.example.org:9464", never}, {"localhost.example.org", never}, {"a.more.example", never},
	} {
		for _, loopback := range []bool{false, true} {
			h, _ := behind(t, show(fixed{}), loopback, "More.example")
			for _, path := range []string{"/healthz", "/api/v1/status", "/login"} {
				w := send(t, h, http.MethodGet, path, "", "Host", c.host, "Authorization", "Bearer "+theToken)
				if want := c.answered == everywhere || c.answered == here && !loopback; (w.Code == http.StatusOK) != want ||
					!want && (w.Code != http.StatusMisdirectedRequest || !strings.Contains(w.Body.String(), "--admin-hosts")) {
					t.Errorf("host %q, loopback %v: %s: %d, %s", c.host, loopback, path, w.Code, w.Body)
				}
			}
		}
	}
}

// The page of another site posts nothing, whatever the browser sends along.
func TestCrossOrigin(t *testing.T) {
	h, _ := behind(t, show(fixed{}), true)
	const right = `{"site": "a.example", "mark": "m"}`
	for _, c := range []struct {
		name   string
		header []string
		want   int
	}{
		{"no browser", nil, http.StatusAccepted},
		{"own page", []string{"Origin", "http://localhost:9464"}, http.StatusAccepted},
		{"told own", []string{"Origin", "https://dust.example", "Sec-Fetch-Site", "same-origin"}, http.StatusAccepted},
		{"another", []string{"Origin", "https://www.example.org"}, http.StatusForbidden},
		{"another port", []string{"Origin", "http://localhost:8080", "Sec-Fetch-Site", "same-site"}, http.StatusForbidden},
		{"told another", []string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
	} {
		for _, path := range []string{"/api/v1/approve", "/api/v1/recheck", "/login", "/logout"} {
			body, want, cookie := right, c.want, logIn(t, h, "Host", "localhost:9464")
			switch {
			case path == "/api/v1/recheck":
				body = `{"site": "a.example"}`
			case path == "/logout" && want == http.StatusAccepted:
				want = http.StatusSeeOther
			case path == "/login" && want == http.StatusAccepted:
				want = http.StatusBadRequest // no form
			}
			w := send(t, h, http.MethodPost, path, body, append(c.header, "Host", "localhost:9464", "Cookie", cookie.Name+"="+cookie.Value)...)
			if w.Code != want || want == http.StatusForbidden && !strings.Contains(w.Body.String(), "cross-origin request") {
				t.Errorf("%s: %s: %d, want %d: %s", c.name, path, w.Code, want, w.Body)
			}
		}
	}
}

// A browser's cookie is hidden from scripts and other sites, ends by itself, and is taken
// away at the end.
func TestLogin(t *testing.T) {
	h, _ := behind(t, show(fixed{}), false)
	for _, test := range []struct {
		proto  string
		secure bool
	}{{"", false}, {"http", false}, {"https", true}} {
		c := logIn(t, h, "X-Forwarded-Proto", test.proto)
		if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Secure != test.secure || c.Path != "/" || c.MaxAge != int(sessionTime.Seconds()) || c.Name != "dustbuster-9464" || strings.Contains(c.Value, theToken) {
			t.Errorf("%q: %+v", test.proto, c)
		}
	}
	if w := send(t, h, http.MethodGet, "/login", ""); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `type="password" name="token"`) || !strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("the form: %d, %s", w.Code, w.Body)
	}
	c := logIn(t, h)
	if w := send(t, h, http.MethodGet, "/login", "", "Cookie", c.Name+"="+c.Value); !strings.Contains(w.Body.String(), `action="logout"`) || !strings.Contains(w.Body.String(), "with the role operate") {
		t.Errorf("the form of who is in: %s", w.Body)
	}
	if w := send(t, h, http.MethodPost, "/logout", "", "Cookie", c.Name+"="+c.Value); w.Code != http.StatusSeeOther || w.Result().Cookies()[0].MaxAge != -1 || w.Result().Cookies()[0].Name != c.Name {
		t.Errorf("logged out: %d, %v", w.Code, w.Header())
	}
	if w := send(t, h, http.MethodGet, "/metrics", "", "Cookie", c.Name+"="+c.Value); w.Code != http.StatusUnauthorized {
		t.Errorf("the cookie after the end of its session: %d", w.Code)
	}
	for _, c := range []struct{ name, body string }{{"empty", ""}, {"no token", "token="}, {"another field", "pass=" + theToken}, {"bad", "token=%zz"}} {
		if w := send(t, h, http.MethodPost, "/login", c.body, "Content-Type", "application/x-www-form-urlencoded"); w.Code != http.StatusBadRequest || len(w.Result().Cookies()) > 0 {
			t.Errorf("%s: %d, %v", c.name, w.Code, w.Header())
		}
	}
	if w := send(t, h, http.MethodPost, "/login", "token="+strings.Repeat("a", maxBody), "Content-Type", "application/x-www-form-urlencoded"); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a large form: %d", w.Code)
	}
	if w := send(t, local(t, show(fixed{})), http.MethodGet, "/login", "", "Host", "localhost"); w.Code != http.StatusNotFound {
		t.Errorf("without a token: %d", w.Code)
	}
}

// Wrong tokens are slowed down for each peer, at the form and in the header together. The right
// token passes, whatever wrong ones came before.
func TestFailuresAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := behind(t, show(fixed{}), false)
		wrong := func() *httptest.ResponseRecorder {
			return send(t, h, http.MethodPost, "/login", "token="+otherToken, "Content-Type", "application/x-www-form-urlencoded")
		}
		right := func() {
			t.Helper()
			if w := send(t, h, http.MethodGet, "/metrics", "", "Authorization", "Bearer "+theToken); w.Code != http.StatusOK {
				t.Errorf("the right token: %d, %s", w.Code, w.Body)
			}
			logIn(t, h)
		}
		for n := range failuresAtOnce {
			if w := wrong(); w.Code != http.StatusUnauthorized || !strings.Contains(w.Body.String(), "the token is wrong") {
				t.Fatalf("failure %d: %d, %s", n, w.Code, w.Body)
			}
		}
		right()
		w := wrong()
		after, err := strconv.Atoi(w.Header().Get("Retry-After"))
		if w.Code != http.StatusTooManyRequests || err != nil || after != int(failurePause.Seconds()) || !strings.Contains(w.Body.String(), "too many wrong tokens") {
			t.Errorf("%d, %v, %s", w.Code, w.Header(), w.Body)
		}
		if w := send(t, h, http.MethodGet, "/api/v1/status", "", "Authorization", "Bearer "+otherToken); w.Code != http.StatusTooManyRequests {
			t.Errorf("a wrong token in the header: %d", w.Code)
		}
		right()
		time.Sleep(time.Duration(after) * time.Second)
		if w := wrong(); w.Code != http.StatusUnauthorized {
			t.Errorf("after %d s: %d", after, w.Code)
		}
		if w := wrong(); w.Code != http.StatusTooManyRequests {
			t.Errorf("and at once again: %d", w.Code)
		}
		if w := send(t, h, http.MethodGet, "/metrics", "", "From", "10.0.0.9:1234", "Authorization", "Bearer "+otherToken); w.Code != http.StatusUnauthorized {
			t.Errorf("another peer: %d", w.Code)
		}
	})
}

// A peer is an address of IPv4, or a network of IPv6.
func TestPeerOf(t *testing.T) {
	for _, c := range []struct{ from, want string }{
		{"192.0.2.7:1", "192.0.2.7/32"}, {"[::ffff:192.0.2.7]:1", "192.0.2.7/32"}, {"[2001:db8:1:2:3:4:5:6]:1", "2001:db8:1:2::/64"}, {"[fe80::1%eth0]:1", "fe80::/64"}, {"@", "invalid Prefix"},
	} {
		if got := peerOf(c.from); got.String() != c.want {
			t.Errorf("%s: %s, want %s", c.from, got, c.want)
		}
	}
}

// Profiles are for this machine alone.
func TestProfilesAreLocal(t *testing.T) {
	for _, c := range []struct {
		loopback bool
		host     string
		want     int
	}{{true, "localhost:9464", 200}, {true, "dust.example", 404}, {false, "localhost:9464", 404}, {false, "10.0.0.1:9464", 404}} {
		h, _ := behind(t, show(fixed{}), c.loopback, "dust.example")
		for _, path := range []string{"/debug/pprof/", "/debug/pprof/cmdline", "/debug/pprof/heap?debug=1"} {
			w := send(t, h, http.MethodGet, path, "", "Host", c.host, "Authorization", "Bearer "+theToken)
			if w.Code != c.want || c.want == 404 && !strings.Contains(w.Body.String(), "on loopback only") {
				t.Errorf("loopback %v, host %s: %s: %d, %s", c.loopback, c.host, path, w.Code, w.Body)
			}
		}
	}
}

// A file without a token, or a file that other users may read, is refused with a remedy.
func TestTokenFile(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	expect.FIFO(t, pipe)
	for _, c := range []struct{ name, path, want string }{
		{"missing", filepath.Join(dir, "none"), "no such file or directory\nmake a token: (umask 077; openssl rand -hex 32 > "},
		{"directory", dir, "is no regular file"},
		{"pipe", pipe, "is no regular file"},
		{"empty", tokenFile(t, "\n", 0o600), "the file is empty"},
		{"short", tokenFile(t, theToken[1:], 0o600), "the token has 31 characters, want 32 or more"},
		{"long", tokenFile(t, strings.Repeat("a", mostToken+1), 0o600), "the token has more than 4096 characters"},
		{"blanks", tokenFile(t, theToken+" "+theToken, 0o600), "the token may have letters, digits and -._~+/ only"},
		{"binary", tokenFile(t, theToken+"\x00", 0o600), "the token may have letters"},
		{"everybody's", tokenFile(t, theToken, 0o644), "since its mode is 0644: chmod o= "},
		{"written", tokenFile(t, theToken, 0o602), "since its mode is 0602"},
	} {
		if _, err := ReadToken(c.path); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), theToken[1:]) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	for _, c := range []struct{ name, path string }{{"group's", tokenFile(t, theToken, 0o440)}, {"with newlines", tokenFile(t, theToken+"\r\n", 0o400)},
		{"longest", tokenFile(t, strings.Repeat("a", mostToken)+"\r\n", 0o600)}, {"base64", tokenFile(t, strings.Repeat("aB+/", 10)+"==", 0o600)}} {
		if _, err := ReadToken(c.path); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// When a token is replaced, all clients admitted by the old token are sent away. A file
// with an error changes nothing.
func TestNewToken(t *testing.T) {
	s := show(fixed{published: published(1, "one")})
	path := tokenFile(t, theToken, 0o600)
	server, url := serve(t, Options{Tokens: Tokens{Operate: path}}, s)
	ask := func(token string) *http.Response {
		return request(t, url+"/api/v1/changes", "Authorization", "Bearer "+token)
	}
	write := func(text string) error {
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return server.Reload()
	}
	old := ask(theToken)
	if err := write("short"); err == nil || !strings.Contains(err.Error(), "has 5 characters") {
		t.Errorf("a short one: %v", err)
	}
	still := ask(theToken)
	still.Body.Close()
	if still.StatusCode != http.StatusOK {
		t.Errorf("after a wrong file: %s", still.Status)
	}
	must(t, write(otherToken))
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, old.Body)
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("a stream outlives its token")
	}
	old.Body.Close()
	for _, c := range []struct {
		token string
		want  int
	}{{theToken, 401}, {otherToken, 200}} {
		answer := ask(c.token)
		answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Errorf("%s: %s", c.token, answer.Status)
		}
	}
}

// Refusals are counted by reason.
func TestRefusedIsCounted(t *testing.T) {
	h, d := behind(t, show(fixed{}), false)
	send(t, h, http.MethodGet, "/", "", "Host", "www.example.org")
	send(t, h, http.MethodPost, "/login", "", "Sec-Fetch-Site", "cross-site")
	send(t, h, http.MethodGet, "/", "")
	for range failuresAtOnce + 2 {
		send(t, h, http.MethodGet, "/", "", "Authorization", "Bearer x")
	}
	d.streams.open(netip.Prefix{})
	w := send(t, h, http.MethodGet, "/metrics", "", "From", "10.0.0.9:1", "Authorization", "Bearer "+theToken)
	for _, c := range []struct {
		reason string
		want   int
	}{{wrongHost, 1}, {crossOrigin, 1}, {noToken, 1}, {wrongToken, failuresAtOnce}, {tooManyFailures, 2}, {tooManyStreams, 0}, {wrongRole, 0}, {tooManyConnections, 0}} {
		if want := fmt.Sprintf("\ndustbuster_admin_refused_total{reason=%q} %d\n", c.reason, c.want); !strings.Contains(w.Body.String(), want) {
			t.Errorf("no %s", want)
		}
	}
	if !strings.Contains(w.Body.String(), "\ndustbuster_admin_streams 1\n") {
		t.Error("streams are not counted")
	}
}

// blocked is a response that nobody reads for a while.
type blocked struct {
	*flushes
	pause time.Duration
}

func (b *blocked) Write(text []byte) (int, error) {
	if strings.Contains(string(text), `"site":"a.example"`) {
		time.Sleep(b.pause)
	}
	return b.flushes.Write(text)
}

// A slow reader gets the present publication after reading, and no older one.
func TestSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		both := func(sequence int64) map[string]*book.Publication {
			p := published(sequence, "one")
			p["b.example"] = p["a.example"]
			return p
		}
		s := show(fixed{published: both(1)})
		out := &blocked{&flushes{ResponseRecorder: httptest.NewRecorder()}, 10 * time.Second}
		ctx, stop := context.WithCancel(t.Context())
		go func() {
			time.Sleep(5 * time.Second)
			s.at.Store(&fixed{published: both(2)})
			time.Sleep(5*time.Second + look/2)
			stop()
		}()
		streamTo(ctx, out, s)
		if text := out.Body.String(); strings.Contains(text, `"site":"b.example","sequence":1`) || !strings.Contains(text, `"site":"b.example","sequence":2`) {
			t.Errorf("sent\n%s", text)
		}
	})
}

// A site without a publication costs a stream nothing: when the site comes back, its rules
// are sent again.
func TestSitesThatGoAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := show(fixed{published: published(1, "one")})
		out := &flushes{ResponseRecorder: httptest.NewRecorder()}
		ctx, stop := context.WithCancel(t.Context())
		go func() {
			for _, p := range []map[string]*book.Publication{nil, published(1, "one")} {
				time.Sleep(look + look/2)
				s.at.Store(&fixed{published: p})
			}
			time.Sleep(look)
			stop()
		}()
		streamTo(ctx, out, s)
		if n := strings.Count(out.Body.String(), "event: rules"); n != 2 {
			t.Errorf("%d events\n%s", n, out.Body)
		}
	})
}

// Streams are bounded, of a peer and in all.
func TestStreamsAreBounded(t *testing.T) {
	s := newStreams(DefaultConnections, DefaultPeerConnections)
	a := peerOf("192.0.2.1:1")
	for range mostStreamsOfPeer {
		if ok, _ := s.open(a); !ok {
			t.Fatal("one of a peer is refused")
		}
	}
	if ok, ofPeer := s.open(a); ok || !ofPeer {
		t.Error("one too many of a peer")
	}
	n := mostStreamsOfPeer
	for i := 0; ; i++ {
		ok, ofPeer := s.open(peerOf(fmt.Sprintf("192.0.2.%d:1", 2+i)))
		if ofPeer || n > mostStreams {
			t.Fatalf("%d in all", n)
		}
		if !ok {
			break
		}
		n++
	}
	s.close(a)
	if ok, _ := s.open(a); !ok || n != mostStreams {
		t.Errorf("none is free after an end; %d in all", n)
	}
	for range mostStreamsOfPeer {
		s.close(a)
	}
	if _, known := s.peer[a]; known {
		t.Error("a peer without streams is remembered")
	}

	h, d := behind(t, show(fixed{}), false)
	for range mostStreamsOfPeer {
		d.streams.open(peerOf("192.0.2.1:1"))
	}
	w := send(t, h, http.MethodGet, "/api/v1/changes", "", "Authorization", "Bearer "+theToken) // from 192.0.2.1, the remote address of httptest
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), "too many streams from this address") {
		t.Errorf("%d, %v, %s", w.Code, w.Header(), w.Body)
	}
	for i := range mostStreams {
		d.streams.open(peerOf(fmt.Sprintf("198.51.100.%d:1", i)))
	}
	d.streams.close(peerOf("192.0.2.1:1"))
	d.streams.open(peerOf("198.51.100.200:1"))
	w = send(t, h, http.MethodGet, "/api/v1/changes", "", "Authorization", "Bearer "+theToken)
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("in all: %d, %v, %s", w.Code, w.Header(), w.Body)
	}
}
