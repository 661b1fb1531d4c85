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
	"dustbuster/stream/kafka"
)

// Partitions are added to the topic of observations in use. Agents and miners go on with those
// that they began with, so no site is lost. They are not ready, and say why, until they are
// started again: then they refuse the topics.
func TestPartitionsAdded(t *testing.T) {
	t.Parallel()
	c := kafkatest.Shared(t)
	k := openKafka(t, kafka.Options{Brokers: c.Brokers})
	s := newTopics(t, c, k, 2)
	lines := crowdLines(24)
	want := string(mineLines(t, lines, "--format", "vhost_combined"))
	miners := []*member{startMiner(t, c, s, "one"), startMiner(t, c, s, "two")}
	log := &server{t: t, path: filepath.Join(t.TempDir(), "access.log"), lines: lines}
	log.write(len(lines) / 3)
	flags := []string{"--tail", log.path, "--state", t.TempDir(), "--format", "vhost_combined", "--window", "0", "--rules-topic", s.rules}
	agentAt := &member{name: "agent", admin: freeAddress(t)}
	a := startAgent(t, c, s.observations, append(flags, "--admin-listen", agentAt.admin)...)
	for _, m := range append(miners, agentAt) {
		m.awaitReady(t, "ok")
		awaitAnswer(t, "http://"+m.admin+"/metrics", "\ndustbuster_unserved_partitions 0\n")
	}
	must(t, k.Grow(t.Context(), s.observations, 5))
	const said = "partitions were added to the topic of observations"
	for _, log := range []*stderr{&miners[0].stderr, &miners[1].stderr, &a.stderr} {
		log.awaits(t, said)
	}
	log.write(len(lines))
	awaitLikely(t, want, patience, miners...)
	time.Sleep(15 * time.Second) // three looks
	awaitLikely(t, want, patience, miners...)
	for _, m := range append(miners, agentAt) {
		m.awaitReady(t, "More partitions")
		awaitAnswer(t, "http://"+m.admin+"/metrics", "\ndustbuster_unserved_partitions 3\n")
	}
	ranges, err := k.Offsets(t.Context(), s.observations)
	must(t, err)
	for p, at := range ranges {
		if (at.End > 0) != (p < 2) {
			t.Errorf("partition %d has %d records", p, at.End)
		}
	}
	a.end(t)
	for _, m := range miners {
		m.end(t)
	}
	for name, log := range map[string]*stderr{"one": &miners[0].stderr, "two": &miners[1].stderr, "agent": &a.stderr} {
		if n := strings.Count(log.String(), said); n != 1 {
			t.Errorf("%s says it %d times\n%s", name, n, log)
		}
	}
	again := startAgent(t, c, s.observations, flags...)
	anew := startMiner(t, c, s, "anew")
	for name, p := range map[string]*exec.Cmd{again.cmd.Path + " agent": again.cmd, "miner": anew.cmd} {
		_ = p.Wait() // the exit code is looked at
		if code := p.ProcessState.ExitCode(); code != 78 {
			t.Errorf("%s: exit code %d, want 78", name, code)
		}
	}
	for _, log := range []*stderr{&again.stderr, &anew.stderr} {
		for _, text := range []string{s.observations, s.rules, "has 2 partitions, want 5", "do not add partitions", "More partitions"} {
			if !strings.Contains(log.String(), text) {
				t.Errorf("%q is not said: %s", text, log)
			}
		}
	}
}

// An agent that may not see the topic of rules, or is given none, says what it cannot compare.
func TestAgentWithoutRules(t *testing.T) {
	t.Parallel()
	c := kafkatest.Shared(t)
	k := openKafka(t, kafka.Options{Brokers: c.Brokers})
	a := startAgent(t, c, topicOf(t, k, 2, nil), "--tail", filepath.Join(t.TempDir(), "access.log"), "--state", t.TempDir(), "--rules-topic", "nosuch")
	a.stderr.awaits(t, "only the number of partitions of the rules would show that")
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
	c := kafkatest.Shared(t)
	k := openKafka(t, kafka.Options{Brokers: c.Brokers})
	s := newTopics(t, c, k, 2)
	lines := crowdLines(24)
	third := len(lines) / 3 // of the sites, too
	log := &server{t: t, path: filepath.Join(t.TempDir(), "access.log"), lines: lines}
	log.write(third)
	state, dir := t.TempDir(), t.TempDir()
	a := startAgent(t, c, s.observations, "--tail", log.path, "--state", state, "--format", "vhost_combined", "--window", "1000h", "--rules-topic", s.rules)
	old := []*member{startMiner(t, c, s, "one", "--window", "1000h"), startMiner(t, c, s, "two", "--window", "1000h")}
	awaitLikely(t, string(mineLines(t, slices.Clone(lines[:third]), "--format", "vhost_combined")), patience, old...)

	prefix := kafkatest.Name(t)
	script := strings.NewReplacer("dust2", prefix, "--partitions 48", "--partitions 5", "sleep 5", "sleep 1").Replace(growScript(t))
	writeFile(t, filepath.Join(dir, "grow.sh"), []byte(script))
	writeFile(t, filepath.Join(dir, "platform.sh"), []byte(platform))
	must(t, os.Symlink(program, filepath.Join(dir, "dustbuster")))
	t.Cleanup(func() { killAll(t, filepath.Join(dir, "pids")) })
	anew := []*member{{name: "three", admin: freeAddress(t)}, {name: "four", admin: freeAddress(t)}}
	sh := exec.Command("sh", "grow.sh")
	sh.Dir = dir
	sh.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "DUSTBUSTER_KAFKA_BROKERS="+strings.Join(c.Brokers, ","), "DUSTBUSTER_KEEP_HASH_KEY="+hashKey,
		"DUSTBUSTER_READ_WINDOW=1000h", "LOG="+log.path, "STATE="+state, fmt.Sprintf("AGENT=%d", a.cmd.Process.Pid),
		fmt.Sprintf("OLD=%d %d", old[0].cmd.Process.Pid, old[1].cmd.Process.Pid),
		"OLD_MINERS="+old[0].admin+" "+old[1].admin, "NEW_MINERS="+anew[0].admin+" "+anew[1].admin)
	var out stderr
	sh.Stdout, sh.Stderr = &out, &out
	for _, p := range []*exec.Cmd{a.cmd, old[0].cmd, old[1].cmd} {
		go p.Wait() //nolint:errcheck // the script ends it, and waits until it is gone
	}
	must(t, sh.Start())
	ended := make(chan error)
	go func() { ended <- sh.Wait() }()
	var err error
	for running := true; running; {
		log.write(min(third/20, max(0, len(log.lines)-third)))
		select {
		case err = <-ended:
			running = false
		case <-time.After(200 * time.Millisecond):
		}
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, &out)
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
		t.Logf("%s", &out)
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
