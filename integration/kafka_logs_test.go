package integration

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"dustbuster/stream/kafka"
)

// trouble is a line of a program's log.
type trouble struct {
	Level, TS, Msg, Error string
	Times                 int
	at                    time.Time
}

// various is what differs from one error of a cause to the next.
var various = regexp.MustCompile(`"[^"]*"|[0-9]+`)

// troubles are the warnings and errors that a program has logged.
func (s *stderr) troubles(t testing.TB) (all []trouble) {
	t.Helper()
	for line := range strings.Lines(s.String()) {
		var l trouble
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Errorf("%q: %v", line, err)
		}
		if l.Level != "info" && l.Level != "debug" {
			var err error
			if l.at, err = time.Parse("2006-01-02T15:04:05.000Z0700", l.TS); err != nil {
				t.Error(err)
			}
			all = append(all, l)
		}
	}
	return all
}

// startSubscriber keeps a file of the rules.
func startSubscriber(t *testing.T, brokers []string, topic, path string, args ...string) *running {
	t.Helper()
	return begin(t, "the subscriber", exec.Command(program, append([]string{"subscribe", "--brokers", strings.Join(brokers, ","), "--rules-topic", topic, "--rules", path}, args...)...))
}

// While the only broker is away for more than a minute, the programs log a line a minute for
// each cause, with the number of times. A group that begins on a new cluster logs no error.
// The loss of the topic of reports is called by the topic's name.
func TestOutageLogs(t *testing.T) {
	t.Parallel()
	c, k := ownKafka(t)
	d := newTopics(t, c, k, 3)
	from, reports := topicOf(t, k, 3, forever), topicOf(t, k, 3, nil)
	lines := crowdLines(8)
	produceLines(t, c, k, from, 3, lines)
	log := &server{t: t, path: filepath.Join(t.TempDir(), "access.log"), lines: crowdLines(20)}
	log.write(1000)
	miner := startMiner(t, c, d, "one", "--reports-topic", reports)
	all := map[string]*stderr{"miner": &miner.stderr}
	begin := func(name string, args ...string) *running {
		a := startAgent(t, c, d.observations, append([]string{"--state", t.TempDir(), "--format", "vhost_combined", "--window", "0"}, args...)...)
		all[name] = &a.stderr
		return a
	}
	tails, topics := begin("agent of logs", "--tail", log.path), begin("agent of topics", "--lines-topic", from, "--consumer-group", from)
	follower := startSubscriber(t, c.Brokers, d.rules, filepath.Join(t.TempDir(), "rules.jsonl"))
	all["subscriber"] = &follower.stderr
	miner.awaitReady(t, "ok")
	topics.stderr.awaits(t, "partitions assigned")
	tails.stderr.awaits(t, "following logs")
	follower.stderr.awaits(t, "rules written")
	for name, s := range all {
		for _, l := range s.troubles(t) {
			if !strings.HasPrefix(l.Msg, "topics: ") {
				t.Errorf("%s, on a new cluster: %+v", name, l)
			}
		}
	}

	c.Stop(t, 1)
	for range 62 {
		log.write(50)
		time.Sleep(time.Second)
	}
	c.Run(t, 1)
	miner.awaitReady(t, "ok")
	time.Sleep(time.Minute) // the rest is counted
	for name, s := range all {
		troubles, before, times := s.troubles(t), map[string]trouble{}, 0
		for _, l := range troubles {
			cause := l.Msg + various.ReplaceAllString(l.Error, "")
			if last, ok := before[cause]; ok && l.at.Sub(last.at) < 59*time.Second {
				t.Errorf("%s: %+v, and soon again %+v", name, last, l)
			}
			before[cause] = l
			times += max(l.Times, 1)
		}
		t.Logf("%s: %d lines for %d troubles", name, len(troubles), times)
		if len(troubles) > 30 {
			t.Errorf("%s has logged %d lines", name, len(troubles))
		}
	}

	deleteTopic(t, c, k, reports)
	eventually(t, func() bool {
		for _, l := range miner.stderr.troubles(t) {
			if !strings.Contains(l.Error, fmt.Sprintf("topic %q", reports)) {
				continue
			}
			if l.Msg != "cannot read reports" {
				t.Fatalf("the loss of the topic of reports is called %+v", l)
			}
			if strings.Contains(l.Error, kafka.ErrNoTopic.Error()) {
				return true
			}
		}
		return false
	})
	end(t, miner, tails, topics)
}
