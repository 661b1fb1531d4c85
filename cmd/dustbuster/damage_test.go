package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
)

var damages = flag.Int("damages", 50, "random places at which the state is cut, and bits of it that are flipped; 1000 in make long NAME=faults")

// stateFiles are the files needed by a restart.
var stateFiles = []string{"journal", "journal.ack", "key"}

// For a state that was cut anywhere, or has a flipped bit, there are two outcomes. Either
// the daemon refuses it with a clear error, or it recovers, and the rules are those of
// one run of mine.
func TestDamagedState(t *testing.T) {
	all := realLog(t)
	dir := t.TempDir()
	w := &writer{t: t, path: filepath.Join(dir, "access.log"), lines: all}
	whole := killedState(t, w, filepath.Join(dir, "state"))
	w.write(len(all))
	d := &damager{log: w.path, want: mined(t, all)}
	rng := rand.New(rand.NewPCG(1, 3))
	for _, name := range stateFiles {
		for at := 0; at < len(whole[name]); at += 4096 {
			d.try(t, fmt.Sprintf("%s cut at %d", name, at), whole, name, whole[name][:at])
		}
	}
	for range *damages {
		at := rng.IntN(len(whole["journal"]))
		d.try(t, fmt.Sprintf("journal cut at %d", at), whole, "journal", whole["journal"][:at])
		name := stateFiles[max(0, rng.IntN(20)-17)] // the others now and then
		bits := bytes.Clone(whole[name])
		bit := rng.IntN(8 * len(bits))
		bits[bit/8] ^= 1 << (bit % 8)
		d.try(t, fmt.Sprintf("%s, bit %d flipped", name, bit), whole, name, bits)
	}
	t.Cleanup(func() {
		t.Logf("journal of %d bytes: %d refused, %d recovered", len(whole["journal"]), d.refused.Load(), d.recovered.Load())
		if d.refused.Load() == 0 || d.recovered.Load() == 0 {
			t.Error("one of the two never happened")
		}
	})
}

// killedState returns the state of a daemon that was killed when it had read half of the log.
func killedState(t *testing.T, w *writer, state string) map[string][]byte {
	t.Helper()
	w.write(1)
	cmd, _ := start(t, faults{}, "--tail", w.path, "--state", state, "--admin-listen", "", "--checkpoint-interval", "10ms",
		"--refine-interval", "1m", "--window", "0", "--no-withhold")
	for range 50 {
		w.write(150)
		time.Sleep(12 * time.Millisecond)
	}
	until(t, "state", func() (any, bool) { // the journal must be long enough to be cut behind an acknowledged checkpoint, too
		journal, err := os.Stat(filepath.Join(state, "journal"))
		acked, err2 := os.Stat(filepath.Join(state, "journal.ack"))
		return errors.Join(err, err2), err == nil && err2 == nil && journal.Size() > 32<<10 && acked.Size() > 0
	})
	must(t, cmd.Process.Signal(syscall.SIGKILL))
	_ = cmd.Wait()
	whole := map[string][]byte{}
	for _, name := range stateFiles {
		text, err := os.ReadFile(filepath.Join(state, name))
		must(t, err)
		whole[name] = text
	}
	return whole
}

// damager runs the daemon on damaged states.
type damager struct {
	log                string
	want               []byte
	refused, recovered atomic.Int64
}

func (d *damager) try(t *testing.T, name string, whole map[string][]byte, damaged string, text []byte) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		state := t.TempDir()
		for _, file := range stateFiles {
			content := whole[file]
			if file == damaged {
				content = text
			}
			must(t, os.WriteFile(filepath.Join(state, file), content, 0o600))
		}
		code, stderr, rules := d.run(t, state)
		switch {
		case code == 0 && bytes.Equal(rules, d.want):
			d.recovered.Add(1)
		case code == cli.ExitFailure && strings.Contains(stderr, state) && strings.Contains(stderr, ";") || strings.Contains(stderr, "restore it"):
			d.refused.Add(1) // the place and the remedy are named
		default:
			t.Errorf("exit code %d, %d bytes of rules, mine has %d\n%s", code, len(rules), len(d.want), stderr)
		}
	})
}

// run runs the daemon in this process until the rules are as wanted, or it ends.
func (d *damager) run(t *testing.T, state string) (code int, stderr string, rules []byte) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out output
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"run", "--tail", d.log, "--state", state, "--admin-listen", "", "--log-format", "console",
			"--refine-interval", "1m", "--window", "0", "--no-withhold"}, nil, &out, &out)
	}()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline) && !bytes.Equal(rules, d.want); {
		select {
		case code := <-ended:
			return code, out.String(), rules
		case <-time.After(2 * time.Millisecond):
			list, _ := os.ReadFile(filepath.Join(state, "rules.jsonl"))
			rules = onlineRules(list)
		}
	}
	stop()
	return <-ended, out.String(), rules
}
