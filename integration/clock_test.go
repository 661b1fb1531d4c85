package integration

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// clockVariable holds the seconds by which a program of movedProgram runs ahead.
const clockVariable = "DUSTBUSTER_TEST_CLOCK_AHEAD"

// movedClock is added to package time: time.Now is ahead by the seconds of the variable.
const movedClock = `package time

import "syscall"

var ahead = func() (sec int64) {
	text, _ := syscall.Getenv("` + clockVariable + `")
	for _, digit := range []byte(text) {
		sec = 10*sec + int64(digit-'0')
	}
	return sec
}()
`

var moved sync.Mutex // one build at a time

// movedProgram builds the program with a clock that tests move. The program itself has no
// such thing: an overlay changes package time.
func movedProgram(t *testing.T) string {
	t.Helper()
	moved.Lock()
	defer moved.Unlock()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	must(t, err)
	source, dir := filepath.Join(strings.TrimSpace(string(root)), "src/time"), t.TempDir()
	const now = "sec, nsec, mono := runtimeNow()\n"
	text := string(readFile(t, filepath.Join(source, "time.go")))
	if strings.Count(text, "func Now() Time {\n\t"+now) != 1 {
		t.Fatal("time.Now of this Go is unlike that of Go 1.26: change this test")
	}
	text = strings.Replace(text, "func Now() Time {\n\t"+now, "func Now() Time {\n\t"+now+"\tsec += ahead\n", 1)
	replace := map[string]string{}
	for _, c := range []struct{ name, text string }{{"time.go", text}, {"ahead.go", movedClock}} {
		replace[filepath.Join(source, c.name)] = filepath.Join(dir, c.name)
		writeFile(t, filepath.Join(dir, c.name), []byte(c.text))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	must(t, err)
	list, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "dustbuster")
	writeFile(t, list, overlay)
	if out, err := exec.Command("go", "build", "-overlay", list, "-o", program, "dustbuster/cmd/dustbuster").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// A miner whose clock is two hours ahead says that its claims are refused, by how much its clock
// differs, and counts the partitions that nobody serves. With the topics as the program makes them
// the clock does no harm.
func TestMinerClockAhead(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 2)
	for _, topic := range []string{s.rules, s.events} {
		if info, err := k.Topic(t.Context(), topic); err != nil || info.Config["message.timestamp.type"] != "LogAppendTime" {
			t.Errorf("%+v, %v", info, err)
		}
		must(t, k.Alter(t.Context(), topic, map[string]string{"message.timestamp.type": "CreateTime"}))
	}
	sendAll(t, c, s.observations, crowdLines(2))
	ahead := movedProgram(t)
	m := startMinerOf(t, ahead, c, s, "ahead", []string{clockVariable + "=7200"})
	m.stderr.awaits(t, `this machine's clock is 2h0m0s ahead of the broker's`, `this machine's clock is 1h59m59s ahead of`, `this machine's clock is 2h0m1s ahead of`)
	m.stderr.awaits(t, "cannot claim the partition, which nobody serves now")
	m.stderr.awaits(t, "brokers refuse what a miner whose clock is ahead writes, so its partitions are not served")
	m.awaits(t, "/metrics", "\ndustbuster_unserved_partitions 2\n")
	m.awaitReady(t, "is not served: claim partition")
	m.awaitReady(t, "ahead of the broker's")
	for _, topic := range []string{s.rules, s.events} {
		must(t, k.Alter(t.Context(), topic, map[string]string{"message.timestamp.type": "LogAppendTime"}))
	}
	m.awaits(t, "/readyz", "ok")
	m.awaits(t, "/metrics", "\ndustbuster_unserved_partitions 0\n")
	if got := likelyOf(m); got == "" {
		t.Errorf("no rules: %v", m)
	}
	m.end(t)
}
