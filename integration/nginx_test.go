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
	"syscall"
	"testing"
	"time"
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
		listen 127.0.0.1:%[2]d;
		root %[1]s/site;
		location = /story { rewrite ^ /$arg_id.html break; }
		location /story_ { rewrite ^/story_(\d+)$ /$1.html break; }
	}
}
`

// A real nginx, whose log is renamed and opened anew again and again, as
// logrotate does: the daemon comes to the rules of mine over all generations.
func TestRunBesideNginx(t *testing.T) {
	if _, err := exec.LookPath("nginx"); err != nil {
		t.Skip("SKIPPED: nginx is not installed: no real web server is followed")
	}
	const stories, rotations = 60, 12
	dir := t.TempDir()
	for _, d := range []string{"log", "site", "tmp"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i := range stories {
		writeFile(t, filepath.Join(dir, "site", fmt.Sprintf("%d.html", i)), bytes.Repeat([]byte("x"), 500+50*i))
	}
	base, nginx := startNginx(t, dir)
	log, state := filepath.Join(dir, "log", "access.log"), filepath.Join(dir, "state")
	cmd, stderr := daemon(t, log, state, "--window", "0", "--no-withhold")
	for r := range rotations {
		for i := range stories {
			get(t, fmt.Sprintf("%s/story?id=%d", base, (i+r)%stories))
			get(t, fmt.Sprintf("%s/story_%d", base, (i*7+r)%stories))
		}
		rename(t, log, fmt.Sprintf("%s.%d", log, rotations-r))
		get(t, base+"/story_1") // goes into the renamed file
		if err := nginx.Signal(syscall.SIGUSR1); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(100 * time.Millisecond) // for the last worker to open the log
	want := mine(t, filepath.Join(dir, "log"))
	got := awaitFile(t, filepath.Join(state, "rules.jsonl"), want)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the daemon's end: %v\n%s", err, stderr)
	}
	if len(want) == 0 || !bytes.Equal(got, want) {
		t.Errorf("rules:\n%swant:\n%s%s", got, want, stderr)
	}
}

func startNginx(t *testing.T, dir string) (base string, process *os.Process) {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	conf := filepath.Join(dir, "nginx.conf")
	writeFile(t, conf, fmt.Appendf(nil, nginxConfig, dir, port))
	cmd := exec.Command("nginx", "-c", conf, "-e", filepath.Join(dir, "error.log"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	base = fmt.Sprintf("http://127.0.0.1:%d", port)
	for range 100 {
		if answer, err := http.Get(base + "/0.html"); err == nil {
			answer.Body.Close()
			return base, cmd.Process
		}
		time.Sleep(50 * time.Millisecond)
	}
	text, _ := os.ReadFile(filepath.Join(dir, "error.log"))
	t.Fatalf("nginx does not answer\n%s", text)
	return "", nil
}

func get(t *testing.T, url string) {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, answer.Status, err)
	}
}

func writeFile(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}
