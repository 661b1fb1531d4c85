package integration

import (
	"bytes"
	"flag"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	wideKills = flag.Int("wide-kills", 3, "kills of TestKafkaWide, of its members in turn")
	widePause = flag.Duration("wide-pause", 4*time.Second, "time between two kills of TestKafkaWide")
	wideAway  = flag.Duration("wide-session", 3*time.Second, "--session-timeout of the miners of TestKafkaWide; a very busy machine needs more")
)

// An agent sends the log of many sites to Kafka, and two miners share their trials, while all three are killed in
// turn. Most sites have a list soon, the likely rules are those of mine, no published rule is false, and no host is
// asked twice within its delay, whichever miner has its site.
func TestKafkaWide(t *testing.T) {
	for _, one := range []bool{false, true} {
		t.Run(map[bool]string{false: "origins", true: "origin"}[one], func(t *testing.T) { testKafkaWide(t, one) })
	}
}

func testKafkaWide(t *testing.T, one bool) {
	t.Parallel() // the long form asks for one at a time
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 12)
	w, trials := serveWide(t, one, 2)
	lines := wideLines()
	log := &server{t: t, path: filepath.Join(t.TempDir(), "access.log"), lines: lines}
	state := t.TempDir()
	members := make([]*running, 3)
	start := func(i int) {
		if i == 0 {
			members[i] = startAgent(t, c, s.observations, "--tail", log.path, "--state", state, "--format", wideFormat, "--window", "0")
		} else {
			members[i] = startMiner(t, c, s, fmt.Sprint("miner ", i), append(trials, "--checkpoint-interval", "1s", "--session-timeout", wideAway.String())...)
		}
	}
	log.write(len(lines) / (*wideKills + 1))
	for i := range members {
		start(i)
	}
	rules := follows(t, k, s.rules)
	lists := func() (n int) {
		for _, ids := range rules.held() {
			n += min(len(ids), 1)
		}
		return n
	}
	for n := range *wideKills {
		time.Sleep(*widePause)
		checkMemory(t, members[n%3])
		members[n%3].kill(t)
		t.Logf("%s is killed: %d lists, %s", members[n%3].name, lists(), w)
		start(n % 3)
		log.write(len(lines) / (*wideKills + 1))
	}
	log.write(len(lines))
	w.awaitLists(t, lists)
	miners := members[1:]
	for _, m := range miners {
		t.Logf("%s: %s", m.name, wideFacts(t, m))
	}
	awaitLikely(t, string(mineLines(t, lines, "--format", wideFormat)), patience, miners...)
	w.check(t, miners...)
	end(t, members...)
	var urls strings.Builder
	for i := range *wideSites {
		for _, path := range []string{"/item/3?ref=3", "/old/3", "/like/3", "/look/3"} {
			fmt.Fprintf(&urls, "http://%s%s\n", wideHost(i), path)
		}
	}
	before := strings.Fields(urls.String())
	for i, after := range strings.Fields(canonOf(t, subscribeOnce(t, c, s), urls.String())) {
		from, err := url.Parse(before[i])
		must(t, err)
		to, err := url.Parse(after)
		must(t, err)
		if !bytes.Equal(widePage(from.Host, from.Path), widePage(to.Host, to.Path)) {
			t.Errorf("%s becomes %s, which is another page", from, to)
		}
	}
	rules.stop()
	for _, wrong := range rules.wrong {
		t.Error(wrong)
	}
}
