package integration

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// nginxOfDocs is the configuration of nginx in docs/admin.md.
func nginxOfDocs(t *testing.T) string {
	t.Helper()
	_, page, _ := strings.Cut(string(readFile(t, "../docs/admin.md")), "## Behind nginx\n")
	block, _, found := strings.Cut(page, "    dustbuster run ")
	if !found || !strings.Contains(block, "proxy_pass") {
		t.Fatal("docs/admin.md has no configuration of nginx")
	}
	return block
}

// certificate writes a certificate and its key, those of httptest.
func certificate(t *testing.T, dir string) (cert, key string) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	server.StartTLS()
	server.Close()
	pair := server.TLS.Certificates[0]
	private, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	must(t, err)
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeFile(t, cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]}))
	writeFile(t, key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))
	return cert, key
}

// startProxy starts nginx, configured as documented, before an admin listener.
func startProxy(t *testing.T, admin string) (address string) {
	t.Helper()
	dir, conf := t.TempDir(), filepath.Join(t.TempDir(), "nginx.conf")
	address = freeAddress(t)
	cert, key := certificate(t, dir)
	server := nginxOfDocs(t)
	for _, c := range []struct{ old, becomes string }{
		{"listen 443 ssl;", "listen " + address + " ssl;"},
		{"# ssl_certificate and ssl_certificate_key", "ssl_certificate " + cert + "; ssl_certificate_key " + key + ";"},
		{"http://127.0.0.1:9464", "http://" + admin},
	} {
		if !strings.Contains(server, c.old) {
			t.Fatalf("docs/admin.md does not say %q", c.old)
		}
		server = strings.Replace(server, c.old, c.becomes, 1)
	}
	writeFile(t, conf, fmt.Appendf(nil, `daemon off;
user root;
pid %[1]s/nginx.pid;
error_log %[1]s/error.log;
events {}
http {
	access_log off;
	client_body_temp_path %[1]s/tmp; proxy_temp_path %[1]s/tmp; fastcgi_temp_path %[1]s/tmp; uwsgi_temp_path %[1]s/tmp; scgi_temp_path %[1]s/tmp;
%[2]s}
`, dir, server))
	launch(t, address, exec.Command("nginx", "-c", conf, "-e", filepath.Join(dir, "error.log")))
	return address
}

// A browser comes to the listener through nginx as documented: it logs in, reads a stream
// and posts; a page of another site, another Host and profiles are refused.
func TestDoorBehindNginx(t *testing.T) {
	t.Parallel()
	need(t, "nginx", "nothing stands before the admin listener")
	const token = "0123456789abcdef0123456789abcdef"
	dir := t.TempDir()
	log, file := filepath.Join(dir, "access.log"), filepath.Join(dir, "token")
	writeFile(t, log, nil)
	must(t, os.WriteFile(file, []byte(token), 0o600))
	d := tail(t, log, filepath.Join(dir, "state"), "--admin-hosts", "dust.example.org", "--admin-token-file", file)
	d.stderr.awaits(t, "serving metrics")
	proxy := startProxy(t, d.admin)
	_, port, err := net.SplitHostPort(proxy)
	must(t, err)
	own := "dust.example.org:" + port
	client := http.Client{
		Transport:     &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}, // the certificate is httptest's
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	ask := func(method, path, host, body string, header ...string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, "https://"+proxy+path, strings.NewReader(body))
		must(t, err)
		r.Host = host
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		answer, err := client.Do(r)
		must(t, err)
		return answer
	}
	wants := func(name string, answer *http.Response, code int, text string) {
		t.Helper()
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != code || !strings.Contains(string(body), text) {
			t.Errorf("%s: %v, %s, want %d\n%s", name, err, answer.Status, code, body)
		}
	}

	login := ask(http.MethodPost, "/login", own, url.Values{"token": {token}}.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Origin", "https://"+own)
	if len(login.Cookies()) != 1 || !login.Cookies()[0].Secure || login.StatusCode != http.StatusSeeOther {
		t.Fatalf("log in: %s, %v", login.Status, login.Header)
	}
	in := login.Cookies()[0].Name + "=" + login.Cookies()[0].Value
	const approve = `{"site": "www.example.org", "mark": "m"}`
	wants("the cookie", ask(http.MethodGet, "/api/v1/status", own, "", "Cookie", in), 200, "caught_up")
	wants("no cookie", ask(http.MethodGet, "/api/v1/status", own, "", "Accept", "text/html"), 401, `action="../../login"`)
	wants("its own page", ask(http.MethodPost, "/api/v1/approve", own, approve, "Cookie", in, "Origin", "https://"+own), 404, "is held: ")
	wants("another page", ask(http.MethodPost, "/api/v1/approve", own, approve, "Cookie", in, "Origin", "https://www.example.org"), 403, "cross-origin")
	wants("another Host", ask(http.MethodGet, "/api/v1/status", "www.example.org", "", "Cookie", in), 421, "is not a name of this listener")
	wants("a profile", ask(http.MethodGet, "/debug/pprof/", own, "", "Cookie", in), 404, "on loopback only")

	stream := ask(http.MethodGet, "/api/v1/changes", own, "", "Cookie", in) // answers at once, so nothing is kept back
	defer stream.Body.Close()
	if stream.StatusCode != http.StatusOK || stream.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("a stream: %s, %v", stream.Status, stream.Header)
	}
	d.signal(t, os.Interrupt)
	if _, err := bufio.NewReader(stream.Body).ReadString('\n'); err == nil {
		t.Error("nothing was published, and something was sent")
	}
	if <-d.ended; d.err != nil {
		t.Errorf("the daemon's end: %v\n%s", d.err, d)
	}
}
