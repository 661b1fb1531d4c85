package browser

import (
	"bytes"
	"dustbuster/internal/expect"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stamp is the time of all hits.
var stamp = time.Now().UTC().Add(-time.Hour).Format("02/Jan/2006:15:04:05 -0700")

// program is the path of the program under test.
var program string

func TestMain(m *testing.M) { expect.Build(m, &program) }

// daemon is a running daemon.
type daemon struct {
	t    testing.TB
	url  string // of its pages, with a slash at the end
	log  string // the followed file
	errs *bytes.Buffer
	cmd  *exec.Cmd

	token string // that its status wants; "": none
}

// hostileName is the name of the followed log.
const hostileName = "a\"><img src=x onerror=alert(1)>\u202egol.log"

// start runs a daemon on a log, with more flags.
func start(t testing.TB, lines string, flags ...string) *daemon {
	t.Helper()
	dir := t.TempDir()
	d := &daemon{t: t, log: filepath.Join(dir, hostileName), errs: &bytes.Buffer{}}
	must(t, os.WriteFile(d.log, []byte(lines), 0o600))
	address := free(t)
	d.url = "http://" + address + "/"
	args := append([]string{"run", "--tail", d.log, "--state", filepath.Join(dir, "state"), "--admin-listen", address, "--checkpoint-interval", "200ms", "--refine-interval", "500ms"}, flags...)
	d.cmd = exec.Command(program, args...)
	d.cmd.Stderr, d.cmd.Dir = d.errs, dir
	must(t, d.cmd.Start())
	t.Cleanup(func() {
		_ = d.cmd.Process.Signal(syscall.SIGTERM)
		if err := d.cmd.Wait(); err != nil {
			t.Errorf("the daemon ended with %v:\n%s", err, tail(d.errs.String()))
		}
	})
	return d
}

func tail(s string) string { return s[max(0, len(s)-4000):] }

// free returns an address that nobody listens to.
func free(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	return l.Addr().String()
}

// startTown runs a daemon that tries the rules of the town.
func startTown(t testing.TB, flags ...string) *daemon {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(town))
	t.Cleanup(server.Close)
	return start(t, visits(), append([]string{"--fetch-kinds", "any", "--origin", server.URL, "--fetch-delay", "1ms", "--fetch-rate", "0", "--fetch-budget", "0", "--window", "0"}, flags...)...)
}

// status is the part of /api/v1/status that the tests wait for.
type status struct {
	CaughtUp bool `json:"caught_up"`
	Lines    struct {
		All int `json:"all"`
	} `json:"lines"`
	Trials struct {
		Rules     int `json:"valid_rules"`
		Published map[string]struct {
			Sequence int `json:"sequence"`
			Rules    int `json:"rules"`
		} `json:"published"`
		Held map[string]struct {
			Rules int `json:"rules"`
		} `json:"held_updates"`
		Sites map[string]struct {
			Trial *struct {
				Pairs int `json:"pairs"`
			} `json:"trial"`
		} `json:"sites"`
		Wishes map[string]struct {
			Veto, Pin, Prefer []string
			Texts             []string `json:"veto_params"`
		} `json:"wishes"`
	} `json:"validate"`
	Sites []struct {
		Site string `json:"site"`
		URLs int    `json:"urls"`
	} `json:"sites"`
}

// await waits until the daemon's status is as wanted.
func (d *daemon) await(what string, ok func(s *status) bool) status {
	d.t.Helper()
	return until(d.t, what, func() (s status, is bool) {
		r, err := http.NewRequest(http.MethodGet, d.url+"api/v1/status", nil)
		if err != nil {
			d.t.Fatal(err)
		}
		if d.token != "" {
			r.Header.Set("Authorization", "Bearer "+d.token)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return s, false
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		return s, err == nil && json.Unmarshal(text, &s) == nil && ok(&s)
	}, d.errs)
}

// idle waits until some rules are published or held, and nothing is on trial.
func (d *daemon) idle() status {
	d.t.Helper()
	quiet := 0
	return d.await("end of the trials", func(s *status) bool {
		if quiet++; s.Trials.Rules+len(s.Trials.Held) == 0 || s.Trials.Sites[""].Trial != nil {
			quiet = 0
		}
		return quiet >= 10
	})
}

// write appends lines to the log.
func (d *daemon) write(lines string) {
	d.t.Helper()
	f, err := os.OpenFile(d.log, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	if _, err := io.Copy(f, strings.NewReader(lines)); err != nil {
		d.t.Fatal(err)
	}
}
