package main

import (
	"dustbuster/internal/expect"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// guarded starts a daemon with a token on a log, with at most so many descriptors of open files.
// It returns the process, the daemon's address, the log and the file of the rules.
func guarded(t *testing.T, descriptors int) (cmd *exec.Cmd, stderr *output, address, log, rules string) {
	t.Helper()
	dir := t.TempDir()
	token := filepath.Join(dir, "token")
	log, rules = filepath.Join(dir, "access.log"), filepath.Join(dir, "rules.jsonl")
	for _, c := range []struct{ path, text string }{{log, pages("one")}, {token, firstToken}} {
		must(t, os.WriteFile(c.path, []byte(c.text), 0o600))
	}
	cmd, stderr = launch(t, exec.Command("sh", "-c", fmt.Sprintf(`ulimit -n %d; exec "$0" "$@"`, descriptors), os.Args[0], "run", "--tail", log, "--state", filepath.Join(dir, "state"), "--rules", rules,
		"--admin-listen", "127.0.0.1:0", "--admin-token-file", token, "--log-format", "json", "--refine-interval", "100ms", "--checkpoint-interval", "100ms"), faults{})
	return cmd, stderr, stderr.address(t), log, rules
}

// memory returns the most memory that a process has had, in MiB.
func memory(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err != nil {
		t.Skip("SKIPPED: this system does not say how much memory a process has had")
	}
	kib, err := strconv.Atoi(regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindStringSubmatch(string(status))[1])
	must(t, err)
	return kib >> 10
}

// flood opens connections, from some addresses of loopback, and sends a text on each. It returns
// a function that closes them.
func flood(t *testing.T, address string, connections, addresses int, text string) (closeAll func()) {
	t.Helper()
	var mu sync.Mutex
	var open []net.Conn
	var all sync.WaitGroup
	for k := range 8 {
		all.Go(func() {
			for i := k; i < connections; i += 8 {
				from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(1+i%addresses))}, Timeout: time.Minute}
				c, err := from.DialContext(t.Context(), "tcp", address)
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.WriteString(c, text) // the daemon may have closed it
				mu.Lock()
				open = append(open, c)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return func() {
		for _, c := range open {
			c.Close()
		}
	}
}

// scrape asks for the metrics with the token, as Prometheus does.
func scrape(t *testing.T, client *http.Client, address string) error {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/metrics", nil)
	must(t, err)
	r.Header.Set("Authorization", "Bearer "+firstToken)
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %w", answer.Status, err)
	}
	return nil
}

// mostMore is how many MiB a flood may cost. The race detector keeps a shadow of all memory.
func mostMore() int {
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		return 300
	}
	return 100
}

// Thousands of connections that show no token and never end the header of their request, from one
// address or from a hundred, cost little memory and few descriptors. Prometheus at one of the
// addresses keeps its connection, and gets new ones.
func TestFlood(t *testing.T) {
	header := "GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 15<<10)
	for _, c := range []struct{ addresses, connections int }{{1, 12_000}, {100, 3000}} {
		cmd, stderr, address, _, _ := guarded(t, 20_000)
		kept := &http.Client{Transport: &http.Transport{}}
		fresh := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
		must(t, scrape(t, kept, address))
		before := memory(t, cmd)
		done, asked := make(chan struct{}), make(chan struct{})
		lost, scrapes := 0, 0
		go func() {
			defer close(asked)
			for {
				select {
				case <-done:
					return
				case <-time.After(time.Millisecond):
				}
				if err := scrape(t, kept, address); err != nil {
					t.Errorf("Prometheus loses its connection: %v", err)
				}
				scrapes++
				if err := scrape(t, fresh, address); err != nil {
					t.Log(err)
					lost++
				}
			}
		}()
		closeAll := flood(t, address, c.connections, c.addresses, header)
		close(done)
		<-asked
		if err := scrape(t, fresh, address); err != nil {
			t.Errorf("after the flood: %v", err)
		}
		files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", cmd.Process.Pid))
		must(t, err)
		more := memory(t, cmd) - before
		t.Logf("%d from %d addresses: %d MiB more than %d, %d descriptors; of %d new connections of Prometheus %d were lost", c.connections, c.addresses, more, before, len(files), scrapes, lost)
		if more > mostMore() || len(files) > 300 {
			t.Errorf("%d MiB more, %d descriptors", more, len(files))
		}
		closeAll()
		kept.CloseIdleConnections()
		end(t, cmd, stderr)
	}
}

// With few descriptors, connections to the listener leave enough of them to publish. These have
// their answer, that the token is missing, and may wait for two minutes to ask again.
func TestFewDescriptors(t *testing.T) {
	cmd, stderr, address, log, rules := guarded(t, 48)
	defer flood(t, address, 400, 1, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")()
	f, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	defer f.Close()
	if _, err := io.WriteString(f, pages("two")); err != nil {
		t.Fatal(err)
	}
	expect.Await(t, 20*time.Second, "rules", func() (string, bool) {
		text, _ := os.ReadFile(rules)
		return string(text), strings.Contains(string(text), "two")
	}, stderr)
	if err := scrape(t, http.DefaultClient, address); err != nil {
		t.Error(err)
	}
	end(t, cmd, stderr)
}
