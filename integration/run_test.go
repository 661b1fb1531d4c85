package integration

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// kills is how often the daemon is killed.
var kills = flag.Int("kills", 15, "times that the daemon is killed")

// server writes a log as a web server does, and rotates it as logrotate does.
type server struct {
	t       *testing.T
	path    string
	lines   [][]byte
	rotated int
}

// write appends some lines, the last perhaps in two pieces.
func (s *server) write(n int) {
	s.t.Helper()
	f, err := os.OpenFile(s.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	must(s.t, err)
	defer f.Close()
	n = min(n, len(s.lines))
	for _, line := range s.lines[:n] {
		for len(line) > 0 {
			k := max(1, rand.IntN(len(line)+1)) // a write may end within a line
			_, err := f.Write(line[:k])
			must(s.t, err)
			line = line[k:]
		}
	}
	s.lines = s.lines[n:]
}

// rotate renames the log; the next write makes a new one.
func (s *server) rotate() {
	s.t.Helper()
	for i := s.rotated; i > 0; i-- {
		rename(s.t, fmt.Sprintf("%s.%d", s.path, i), fmt.Sprintf("%s.%d", s.path, i+1))
	}
	rename(s.t, s.path, s.path+".1")
	s.rotated++
}

// Killed again and again while lines are written and files rotate, the daemon
// comes to the rules of one run of mine over all lines, with a window and
// without, also of lines that come in pieces.
func TestRunSurvivesKills(t *testing.T) {
	t.Parallel()
	all := logLines(t, "testdata/semicomplete.log.gz")
	for _, window := range []string{"0", "24h"} {
		t.Run("window "+window, func(t *testing.T) { surviveKills(t, window, all, all) })
	}
	var pieces [][]byte
	for i, line := range all {
		pieces = append(pieces, []byte(wrappers["cri"](3*i, bytes.TrimSuffix(line, []byte("\n")))+"\n"))
	}
	t.Run("pieces", func(t *testing.T) { surviveKills(t, "0", all, pieces) })
}

// surviveKills writes lines to a log that is read by a daemon, whose rules must be
// those of all.
func surviveKills(t *testing.T, window string, all, lines [][]byte) {
	dir := t.TempDir()
	s := &server{t: t, path: filepath.Join(dir, "access.log"), lines: lines}
	state := filepath.Join(dir, "state")
	want := mineLines(t, all, "--window", window)
	s.write(1)
	for range *kills {
		d := daemon(t, s.path, state, "--window", window, "--no-withhold")
		for range rand.IntN(4) {
			s.write(rand.IntN(1 + 2*len(all)/(3**kills)))
			time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond)
			if rand.IntN(3) == 0 {
				s.rotate()
				s.write(1 + rand.IntN(50))
			}
		}
		d.kill(t)
	}
	s.write(len(all))
	_ = os.Remove(filepath.Join(state, "rules.jsonl")) // the rules may be there already, and the daemon is to be ended when it runs
	d := daemon(t, s.path, state, "--window", window, "--no-withhold")
	got := awaitOnline(filepath.Join(state, "rules.jsonl"), want)
	d.stop(t, os.Interrupt)
	if !bytes.Equal(got, want) {
		t.Errorf("%d bytes of rules, mine has %d\n%s", len(got), len(want), d)
	}
	t.Logf("%d kills, %d rotations", *kills, s.rotated)
}

// onlineRules returns the rules of a list that the daemon keeps exact at every moment, without
// their weights. The other rules and the weights are those of the last look at the window. The
// mark of rules that look like secrets, which mine alone gives, is left out.
func onlineRules(list []byte) (online []byte) {
	for line := range bytes.Lines(list) {
		if !bytes.Contains(line, []byte(`,"learner":"`)) {
			online = append(online, weights.ReplaceAll(line, nil)...)
		}
	}
	return online
}

var tallies = regexp.MustCompile(`,"hits":\d+,"bytes":\d+`)

var weights = regexp.MustCompile(`,"pairs":\d+,"alike":\d+,"expected":[^,]+,"weight":[^,}]+,"own":[^,]+,"meetings":\d+,"met":[^,]+,"urls":\d+(,"hits":\d+,"bytes":\d+)?|,"secret":true`)

// The daemon lists the rules of mine, byte for byte, without the tallies: also the rules of
// learners that look at the whole window, and the weights, after each look.
func TestRunLooks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	all := logLines(t, "testdata/semicomplete.log.gz")
	s := &server{t: t, path: filepath.Join(dir, "access.log"), lines: all}
	s.write(len(all) / 2)
	d := daemon(t, s.path, filepath.Join(dir, "state"), "--no-withhold", "--window", "0", "--learn-interval", "100ms")
	for range 2 {
		want := met.ReplaceAll(tallies.ReplaceAll(mine(t, s.path), nil), []byte(`"meetings":0,"met":0`)) // only mine keeps days
		if !bytes.Contains(want, []byte(`"learner":"equal"`)) {
			t.Fatal("no rule of a look")
		}
		if got := awaitFile(filepath.Join(dir, "state", "rules.jsonl"), want); !bytes.Equal(got, want) {
			t.Errorf("%d bytes of rules, mine has %d\n%s", len(got), len(want), d)
		}
		s.write(len(all))
	}
	d.stop(t, os.Interrupt)
}

// met is what the days say of a rule.
var met = regexp.MustCompile(`"meetings":\d+,"met":[^,]+`)

// An event is told soon after the line that makes a rule likely.
func TestRunTellsEvents(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log, state := filepath.Join(dir, "access.log"), filepath.Join(dir, "state")
	s := &server{t: t, path: log, lines: [][]byte{[]byte(line("/", 10))}}
	s.write(1)
	defer daemon(t, log, state, "--no-withhold", "--window", "0").stop(t, os.Interrupt)
	events := filepath.Join(state, "events.jsonl")
	awaitText(t, events, `"event":"snapshot"`)
	for i := range 3 {
		s.lines = append(s.lines, []byte(line(fmt.Sprintf("/story?id=%d", i), 1000+100*i)), []byte(line(fmt.Sprintf("/story_%d", i), 1000+100*i)))
	}
	s.write(6)
	start := time.Now()
	awaitText(t, events, `"event":"likely"`)
	t.Logf("told after %v", time.Since(start))
	awaitText(t, filepath.Join(state, "rules.jsonl"), `"alpha":"/story?id=","beta":"/story_"`)
}

func line(target string, size int) string {
	return fmt.Sprintf("192.0.2.1 - - [17/May/2015:10:05:03 +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n", target, size)
}
