package integration

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"dustbuster/internal/kafkatest"
)

// nginxConfig serves stories under two forms of URL.
const nginxConfig = `daemon off;
user root; # or whoever starts it
worker_processes 2;
pid %[1]s/nginx.pid;
error_log %[1]s/error.log;
events {}
http {
	access_log %[1]s/log/access.log combined;
	client_body_temp_path %[1]s/tmp; proxy_temp_path %[1]s/tmp; fastcgi_temp_path %[1]s/tmp; uwsgi_temp_path %[1]s/tmp; scgi_temp_path %[1]s/tmp;
	server {
		listen %[2]s;
		root %[1]s/site;
		location = /story { rewrite ^ /$arg_id.html break; }
		location /story_ { rewrite ^/story_(\d+)$ /$1.html break; }
	}
}
`

// A real nginx, whose log is renamed and opened anew again and again, as
// logrotate does: the daemon comes to the rules of mine over all generations.
func TestRunBesideNginx(t *testing.T) {
	t.Parallel()
	need(t, "nginx", "no real web server is followed")
	const stories, rotations = 60, 12
	dir := t.TempDir()
	for _, d := range []string{"log", "site", "tmp"} {
		must(t, os.Mkdir(filepath.Join(dir, d), 0o755))
	}
	for i := range stories {
		writeFile(t, filepath.Join(dir, "site", fmt.Sprintf("%d.html", i)), bytes.Repeat([]byte("x"), 500+50*i))
	}
	base, nginx := startNginx(t, dir)
	log, state := filepath.Join(dir, "log", "access.log"), filepath.Join(dir, "state")
	d := daemon(t, log, state, "--window", "0", "--no-withhold")
	for r := range rotations {
		for i := range stories {
			get(t, fmt.Sprintf("%s/story?id=%d", base, (i+r)%stories))
			get(t, fmt.Sprintf("%s/story_%d", base, (i*7+r)%stories))
		}
		rename(t, log, fmt.Sprintf("%s.%d", log, rotations-r))
		get(t, base+"/story_1") // goes into the renamed file
		nginx.signal(t, syscall.SIGUSR1)
		eventually(t, func() bool { _, err := os.Stat(log); return err == nil })
	}
	const requests = rotations * (2*stories + 1)
	eventually(t, func() bool { return linesIn(log) == requests }) // a line is written after the answer
	want := onlineRules(mineOnline(t, filepath.Join(dir, "log")))
	got := awaitOnline(filepath.Join(state, "rules.jsonl"), want)
	d.stop(t, os.Interrupt)
	if len(want) == 0 || !bytes.Equal(got, want) {
		t.Errorf("rules:\n%swant:\n%s%s", got, want, d)
	}
}

// linesIn counts the lines of all generations of a log.
func linesIn(log string) (n int) {
	paths, _ := filepath.Glob(log + "*")
	for _, path := range paths {
		n += linesOf(path)
	}
	return n
}

// The first day of a new user: nginx as it comes, one command beside it, rules in
// the file and at the API; a real logrotate; a restart.
func TestFirstDay(t *testing.T) {
	t.Parallel()
	need(t, "nginx", "nobody's first day is tried")
	need(t, "logrotate", "nobody's first day is tried")
	dir := t.TempDir()
	for _, d := range []string{"log", "site", "tmp"} {
		must(t, os.Mkdir(filepath.Join(dir, d), 0o755))
	}
	for i := range 20 {
		writeFile(t, filepath.Join(dir, "site", fmt.Sprintf("%d.html", i)), bytes.Repeat([]byte("x"), 500+50*i))
	}
	base, _ := startNginx(t, dir)
	visit := func(from, to int) {
		for i := from; i < to; i++ {
			get(t, fmt.Sprintf("%s/story?id=%d", base, i))
			get(t, fmt.Sprintf("%s/story_%d", base, i))
		}
	}
	log, state := filepath.Join(dir, "log", "access.log"), filepath.Join(dir, "state")
	rule := func(support int) string {
		return fmt.Sprintf(`"alpha":"/story?id=","beta":"/story_","at_start":true,"at_end":false,"scope":{},"support":%d,`, support)
	}
	d := tail(t, log, state, "--refine-interval", "200ms")
	visit(0, 5)
	awaitText(t, filepath.Join(state, "rules.jsonl"), rule(5))
	d.awaits(t, "/api/v1/rules", rule(5))

	conf, su := filepath.Join(dir, "logrotate.conf"), ""
	if os.Geteuid() == 0 { // then it refuses folders that others may write to, unless told who rotates
		su = "su root root"
	}
	writeFile(t, conf, fmt.Appendf(nil, "%s {\n rotate 5\n compress\n missingok\n %s\n postrotate\n  kill -USR1 $(cat %s)\n endscript\n}\n",
		log, su, filepath.Join(dir, "nginx.pid")))
	for day := range 3 {
		succeed(t, exec.Command("logrotate", "--force", "--state", filepath.Join(dir, "rotated"), conf))
		visit(5+2*day, 7+2*day)
		d.awaits(t, "/api/v1/rules", rule(7+2*day))
	}
	d.end(t)
	visit(11, 13)
	d = tail(t, log, state, "--refine-interval", "200ms")
	defer d.end(t)
	d.awaits(t, "/api/v1/rules", rule(13))
	awaitText(t, filepath.Join(state, "rules.jsonl"), rule(13))
}

// freeAddress is an address on loopback that nobody uses.
func freeAddress(t testing.TB) string {
	t.Helper()
	ports, err := kafkatest.FreePorts(1)
	must(t, err)
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(ports[0]))
}

func startNginx(t *testing.T, dir string) (base string, nginx *running) {
	t.Helper()
	address := freeAddress(t)
	conf := filepath.Join(dir, "nginx.conf")
	writeFile(t, conf, fmt.Appendf(nil, nginxConfig, dir, address))
	return "http://" + address, launch(t, address, exec.Command("nginx", "-c", conf, "-e", "stderr"))
}

func get(t *testing.T, url string) {
	t.Helper()
	answer, err := http.Get(url)
	must(t, err)
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, answer.Status, err)
	}
}

func writeFile(t *testing.T, path string, text []byte) {
	t.Helper()
	must(t, os.WriteFile(path, text, 0o644))
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	must(t, os.Rename(from, to))
}
