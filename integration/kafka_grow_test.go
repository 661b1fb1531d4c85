package integration

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"dustbuster/internal/kafkatest"
)

// Partitions are added to the topic of observations in use. Agents and miners go on with those
// that they began with, so no site is lost. They are not ready, and say why, until they are
// started again: then they refuse the topics.
func TestPartitionsAdded(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 2)
	lines := crowdLines(24)
	want := string(mineLines(t, lines, "--format", "vhost_combined"))
	miners := []*running{startMiner(t, c, s, "one"), startMiner(t, c, s, "two")}
	log := &server{t: t, path: filepath.Join(t.TempDir(), "access.log"), lines: lines}
	log.write(len(lines) / 3)
	flags := []string{"--tail", log.path, "--state", t.TempDir(), "--format", "vhost_combined", "--window", "0", "--rules-topic", s.rules}
	a := startAgent(t, c, s.observations, flags...)
	for _, m := range append(miners, a) {
		m.awaitReady(t, "ok")
		m.awaits(t, "/metrics", "\ndustbuster_unserved_partitions 0\n")
	}
	must(t, k.Grow(t.Context(), s.observations, 5))
	const said = "partitions were added to the topic of observations"
	for _, r := range append(miners, a) {
		r.stderr.awaits(t, said)
	}
	log.write(len(lines))
	awaitLikely(t, want, patience, miners...)
	time.Sleep(15 * time.Second) // three looks
	awaitLikely(t, want, patience, miners...)
	for _, m := range append(miners, a) {
		m.awaitReady(t, "More partitions")
		m.awaits(t, "/metrics", "\ndustbuster_unserved_partitions 3\n")
	}
	ranges, err := k.Offsets(t.Context(), s.observations)
	must(t, err)
	for p, at := range ranges {
		if (at.End > 0) != (p < 2) {
			t.Errorf("partition %d has %d records", p, at.End)
		}
	}
	end(t, append(miners, a)...)
	for _, r := range append(miners, a) {
		if n := strings.Count(r.stderr.String(), said); n != 1 {
			t.Errorf("%d times: %v", n, r)
		}
	}
	for _, r := range []*running{startAgent(t, c, s.observations, flags...), startMiner(t, c, s, "anew")} {
		<-r.ended
		if code := r.cmd.ProcessState.ExitCode(); code != 78 {
			t.Errorf("exit code %d, want 78: %v", code, r)
		}
		for _, text := range []string{s.observations, s.rules, "has 2 partitions, want 5", "do not add partitions", "More partitions"} {
			if !strings.Contains(r.stderr.String(), text) {
				t.Errorf("%q is not said: %v", text, r)
			}
		}
	}
}

// An agent that may not see the topic of rules, or is given none, says what it cannot compare.
func TestAgentWithoutRules(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	a := startAgent(t, c, topicOf(t, k, 2, nil), "--tail", filepath.Join(t.TempDir(), "access.log"), "--state", t.TempDir(), "--rules-topic", "nosuch")
	a.stderr.awaits(t, "nobody would notice, because this topic")
	a.end(t)
}

// growScript is the script of docs/kafka.md that moves to topics with more partitions.
func growScript(t *testing.T) string {
	t.Helper()
	_, text, _ := strings.Cut(string(readFile(t, "../docs/kafka.md")), "```sh grow\n")
	text, _, found := strings.Cut(text, "```")
	if !found {
		t.Fatal("docs/kafka.md has no script that moves to more partitions")
	}
	return text
}

// platform is what the script of docs/kafka.md expects of the platform, for this machine. The
// numbers of the processes that it starts are in the file pids.
const platform = `
move_agents() {
	kill "$AGENT"
	while kill -0 "$AGENT" 2>/dev/null; do sleep 0.1; done
	dustbuster agent --tail "$LOG" --state "$STATE" --format vhost_combined --admin-listen= "$@" >agent.log 2>&1 &
	echo $! >>pids
}
stop_miners() { kill $OLD; }
start_miners() {
	for at in $NEW_MINERS; do
		dustbuster run --admin-listen "$at" --refine-interval 100ms --no-withhold "$@" >"miner.$at.log" 2>&1 &
		echo $! >>pids
	done
}
`

// The script of docs/kafka.md moves agents and miners to topics with more partitions, while lines
// come. No observation is lost, and the new miners find the rules of what comes afterwards.
func TestGrow(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 2)
	lines := crowdLines(24)
	third := len(lines) / 3 // of the sites, too
	log := &server{t: t, path: filepath.Join(t.TempDir(), "access.log"), lines: lines}
	log.write(third)
	state, dir := t.TempDir(), t.TempDir()
	a := startAgent(t, c, s.observations, "--tail", log.path, "--state", state, "--format", "vhost_combined", "--window", "1000h", "--rules-topic", s.rules)
	old := []*running{startMiner(t, c, s, "one", "--window", "1000h"), startMiner(t, c, s, "two", "--window", "1000h")}
	awaitLikely(t, string(mineLines(t, slices.Clone(lines[:third]), "--format", "vhost_combined")), patience, old...)

	prefix := kafkatest.Name(t)
	script := strings.NewReplacer("dust2", prefix, "--partitions 48", "--partitions 5", "sleep 5", "sleep 1").Replace(growScript(t))
	writeFile(t, filepath.Join(dir, "grow.sh"), []byte(script))
	writeFile(t, filepath.Join(dir, "platform.sh"), []byte(platform))
	must(t, os.Symlink(program, filepath.Join(dir, "dustbuster")))
	t.Cleanup(func() { killAll(t, filepath.Join(dir, "pids")) })
	anew := []*running{{name: "three", admin: freeAddress(t)}, {name: "four", admin: freeAddress(t)}}
	sh := exec.Command("sh", "grow.sh")
	sh.Dir = dir
	sh.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "DUSTBUSTER_KAFKA_BROKERS="+strings.Join(c.Brokers, ","), "DUSTBUSTER_KEEP_HASH_KEY="+hashKey,
		"DUSTBUSTER_READ_WINDOW=1000h", "LOG="+log.path, "STATE="+state, fmt.Sprintf("AGENT=%d", a.pid()),
		fmt.Sprintf("OLD=%d %d", old[0].pid(), old[1].pid()),
		"OLD_MINERS="+old[0].admin+" "+old[1].admin, "NEW_MINERS="+anew[0].admin+" "+anew[1].admin)
	out := begin(t, "the script", sh)
	for going := true; going; {
		log.write(min(third/20, max(0, len(log.lines)-third)))
		select {
		case <-out.ended:
			going = false
		case <-time.After(200 * time.Millisecond):
		}
	}
	if out.err != nil {
		t.Fatalf("%v\n%v", out.err, out)
	}
	log.write(len(lines))
	f, g := follow(t, k, s.observations), follow(t, k, prefix+".observations")
	f.tables = g.tables
	all := tablesOf(t, "vhost_combined", lines).String()
	eventually(t, func() bool { f.read(t); g.read(t); return g.String() == all })
	if n := len(g.partitions); n != 5 {
		t.Errorf("%d partitions", n)
	}
	want := string(mineLines(t, slices.Clone(lines[2*third:]), "--format", "vhost_combined"))
	eventually(t, func() bool { return strings.Contains(likelyOf(anew...), want) })
	for _, m := range anew {
		m.awaitReady(t, "ok")
	}
	if t.Failed() {
		t.Log(out)
	}
}

// killAll ends the processes whose numbers are in a file.
func killAll(t *testing.T, path string) {
	t.Helper()
	for _, field := range strings.Fields(string(readFile(t, path))) {
		if pid, err := strconv.Atoi(field); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		}
	}
}
