package integration

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// launch starts a server and waits until something listens at its address. The server is
// ended in order, so that its log is written, when the test ends or by the caller.
func launch(t *testing.T, address string, cmd *exec.Cmd) *running {
	t.Helper()
	r := begin(t, filepath.Base(cmd.Path), cmd)
	r.listens(t, address)
	t.Cleanup(r.halt)
	return r
}

// halt ends a server in order, however it takes that.
func (r *running) halt() {
	_ = r.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-r.ended:
	case <-time.After(patience):
		_ = r.cmd.Process.Kill()
		<-r.ended
	}
}

// config writes a configuration in which $DIR, $ADDRESS, $HOST, $PORT, $ORIGIN and
// $ORIGINPORT stand for the site's.
func (s *site) config(t *testing.T, name, text string) string {
	t.Helper()
	host, port, err := net.SplitHostPort(s.address)
	_, originPort, err2 := net.SplitHostPort(s.origin)
	must(t, errors.Join(err, err2))
	path := filepath.Join(s.dir, name)
	writeFile(t, path, []byte(strings.NewReplacer("$DIR", s.dir, "$ADDRESS", s.address, "$HOST", host, "$PORT", port,
		"$ORIGINPORT", originPort, "$ORIGIN", s.origin).Replace(text)))
	return path
}

func startLoggedNginx(t *testing.T, s *site) (string, func()) {
	conf := s.config(t, "nginx.conf", `daemon off; user root; pid $DIR/pid; error_log $DIR/error.log; events {}
http {
	access_log $DIR/access.log; # in the format that it has by default
	client_body_temp_path $DIR; proxy_temp_path $DIR; fastcgi_temp_path $DIR; uwsgi_temp_path $DIR; scgi_temp_path $DIR;
	server { listen $ADDRESS; root $DIR/site; location = /chunked { proxy_pass http://$ORIGIN; proxy_http_version 1.1; } }
}
`)
	return filepath.Join(s.dir, "access.log"), launch(t, s.address, exec.Command("nginx", "-c", conf, "-e", filepath.Join(s.dir, "error.log"))).halt
}

var apacheCombined = regexp.MustCompile(`(?m)^LogFormat .* combined$`)

func startLoggedApache(t *testing.T, s *site) (string, func()) {
	format := apacheCombined.Find(readFile(t, "/etc/apache2/apache2.conf"))
	conf := s.config(t, "apache.conf", `ServerRoot $DIR
ServerName localhost
PidFile $DIR/pid
ErrorLog $DIR/error.log
Listen $ADDRESS
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule proxy_module /usr/lib/apache2/modules/mod_proxy.so
LoadModule proxy_http_module /usr/lib/apache2/modules/mod_proxy_http.so
DocumentRoot $DIR/site
ProxyPass /chunked http://$ORIGIN/chunked flushpackets=on
`+string(format)+`
CustomLog $DIR/access.log combined
`)
	return filepath.Join(s.dir, "access.log"), launch(t, s.address, exec.Command("apache2", "-f", conf, "-DFOREGROUND")).halt
}

func startLighttpd(t *testing.T, s *site) (string, func()) {
	conf := s.config(t, "lighttpd.conf", `server.bind = "$HOST"
server.port = $PORT
server.document-root = "$DIR/site"
server.errorlog = "$DIR/error.log"
server.modules = ("mod_accesslog", "mod_proxy")
server.stream-response-body = 1
$HTTP["url"] == "/chunked" { proxy.server = ("" => (("host" => "127.0.0.1", "port" => $ORIGINPORT))) }
accesslog.filename = "$DIR/access.log"
mimetype.assign = (".html" => "text/html")
`)
	return filepath.Join(s.dir, "access.log"), launch(t, s.address, exec.Command("lighttpd", "-D", "-f", conf)).halt
}

func startCaddy(t *testing.T, s *site) (string, func()) {
	conf := s.config(t, "Caddyfile", `{
	admin off
	auto_https off
}
:$PORT {
	bind $HOST
	root * $DIR/site
	reverse_proxy /chunked $ORIGIN
	file_server
	log {
		output file $DIR/access.log
	}
}
`)
	cmd := exec.Command("caddy", "run", "--config", conf, "--adapter", "caddyfile")
	cmd.Env = append(os.Environ(), "HOME="+s.dir, "XDG_CONFIG_HOME="+s.dir, "XDG_DATA_HOME="+s.dir)
	return filepath.Join(s.dir, "access.log"), launch(t, s.address, cmd).halt
}

const haproxyConfig = `global
	log stdout format raw local0
defaults
	mode http
	log global
	option httplog
	option dontlognull
	timeout connect 5s
	timeout client 5s
	timeout server 5s
frontend www
	bind $ADDRESS
	default_backend web
backend web
	server web1 $ORIGIN
`

func startHAProxy(t *testing.T, s *site) (string, func()) {
	return startHAProxyAs(t, s, haproxyConfig, visits)
}

func startHAProxyCLF(t *testing.T, s *site) (string, func()) {
	return startHAProxyAs(t, s, strings.Replace(haproxyConfig, "option httplog", "option httplog clf", 1), visits)
}

// startHAProxyAs starts HAProxy; stop waits until it has logged so many requests.
func startHAProxyAs(t *testing.T, s *site, config string, lines int) (string, func()) {
	conf := s.config(t, "haproxy.cfg", config)
	path := filepath.Join(s.dir, "access.log")
	log, err := os.Create(path)
	must(t, err)
	t.Cleanup(func() { _ = log.Close() })
	cmd := exec.Command("haproxy", "-db", "-f", conf)
	cmd.Stdout = log
	r := launch(t, s.address, cmd)
	return path, func() {
		eventually(t, func() bool { return linesOf(path) >= lines })
		r.halt()
	}
}

func linesOf(path string) int {
	text, _ := os.ReadFile(path) // a log that is not there yet has none
	return bytes.Count(text, []byte("\n"))
}

// startVarnish starts varnishd. Its log is in shared memory: varnishncsa reads it
// from its beginning, once all has been asked for.
func startVarnish(t *testing.T, s *site) (string, func()) {
	work, log := filepath.Join(s.dir, "varnish"), filepath.Join(s.dir, "access.log")
	r := launch(t, s.address, exec.Command("varnishd", "-F", "-j", "none", "-a", s.address, "-b", s.origin, "-n", work, "-s", "malloc,16m"))
	return log, func() {
		eventually(t, func() bool {
			_ = exec.Command("varnishncsa", "-n", work, "-d", "-w", log).Run() // ends where the log does
			return linesOf(log) >= visits
		})
		r.halt()
	}
}

const squidConfig = `http_port $ADDRESS accel defaultsite=` + siteHost + `
cache_peer 127.0.0.1 parent $ORIGINPORT 0 no-query originserver
http_access allow all
visible_hostname localhost
cache deny all
strip_query_terms off
access_log stdio:$DIR/access.log
cache_log $DIR/cache.log
pid_filename $DIR/squid.pid
coredump_dir $DIR
pinger_enable off
shutdown_lifetime 1 second
`

func startSquid(t *testing.T, s *site) (string, func()) {
	conf := s.config(t, "squid.conf", squidConfig)
	return filepath.Join(s.dir, "access.log"), launch(t, s.address, exec.Command("squid", "-N", "-f", conf)).halt
}
