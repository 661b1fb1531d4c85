package integration

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/internal/kafkatest"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/public"
	"dustbuster/operators/window/table"
	"dustbuster/operators/window/urllist"
	"dustbuster/stream/kafka"
)

// agentKills is how often agents are killed.
var agentKills = flag.Int("agentkills", 12, "times that agents are killed")

const hashKey = "000102030405060708090a0b0c0d0e0f"

func hashKeys() [2]uint64 {
	b, _ := hex.DecodeString(hashKey)
	return [2]uint64{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

// startAgent starts an agent that sends into a topic.
func startAgent(t testing.TB, c *kafkatest.Cluster, to string, args ...string) *running {
	t.Helper()
	admin := freeAddress(t)
	cmd := exec.Command(program, append([]string{"agent", "--brokers", strings.Join(c.Brokers, ","), "--observations-topic", to,
		"--admin-listen", admin, "--session-timeout", "6s", "--checkpoint-interval", "100ms"}, args...)...)
	cmd.Env = append(os.Environ(), "DUSTBUSTER_KEEP_HASH_KEY="+hashKey)
	a := begin(t, "the agent", cmd)
	a.admin, a.begun = admin, []string{"following logs", "reading topics"}
	return a
}

// tables are what is known of sites.
type tables map[string]*table.Table

func (s tables) fold(site string, o *evidence.Observation) {
	if s[site] == nil {
		s[site] = table.New(table.Options{Pane: 7200, Window: 1e9, MaxURLs: 1e7}, urllist.New())
	}
	s[site].Fold(o)
}

// String is all that they hold. Of a settled URL it holds no clients: an agent sends only some of them.
func (s tables) String() string {
	var lines []string
	for site, t := range s {
		clients := map[string]uint16{}
		for o := range t.Observations() {
			lines = append(lines, fmt.Sprintf("%s %s %d %d: %d-%d", site, o.URL, o.Time, o.Class, o.Min, o.Max))
			clients[string(o.URL)] |= o.Clients
		}
		urls, masks := slices.Sorted(maps.Keys(clients)), []uint16{}
		for _, url := range urls {
			masks = append(masks, clients[url])
		}
		for i, settled := range public.Settle(masks, slices.All(urls)) {
			if !settled {
				lines = append(lines, fmt.Sprintf("%s %s: %b", site, urls[i], masks[i]))
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// tablesOf folds lines as mine does.
func tablesOf(t testing.TB, format string, lines [][]byte) tables {
	t.Helper()
	o := admit.Defaults()
	o.Key = hashKeys()
	s := tables{}
	eachAdmitted(t, format, o, lines, s.fold)
	return s
}

// follower folds what comes into a topic of observations.
type follower struct {
	tables
	reader     *kafka.Reader
	partitions []*kafka.Partition
	records    int
	bytes      int
	list       int // observations
}

func follow(t testing.TB, c *kafka.Cluster, topic string) *follower {
	t.Helper()
	info, err := c.Topic(t.Context(), topic)
	must(t, err)
	f := &follower{tables: tables{}, reader: kafka.NewReader(c, kafka.ReaderOptions{})}
	t.Cleanup(f.reader.Close)
	for p := range info.Partitions {
		f.partitions = append(f.partitions, f.reader.Add(topic, p, kafka.First))
	}
	return f
}

// read folds what there is, and returns when nothing has come for some time.
func (f *follower) read(t testing.TB) {
	t.Helper()
	d := evidence.NewDecoder(nil)
	for n, p := range f.partitions {
		for {
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			b, err := p.Read(ctx)
			cancel()
			if err != nil {
				break
			}
			for _, r := range b.Records {
				v, err := d.Decode(r.Value)
				if err != nil || v.Refused > 0 || v.Pane != 7200 {
					t.Fatalf("record of %q: %+v, %v", r.Key, v, err)
				}
				if want := kafka.PartitionOf(r.Key, len(f.partitions)); want != n {
					t.Fatalf("%q in partition %d, want %d", r.Key, n, want)
				}
				for i := range v.List {
					f.fold(string(r.Key), &v.List[i])
				}
				f.records++
				f.list += len(v.List)
				f.bytes += len(r.Key) + len(r.Value)
			}
		}
	}
}

// await reads until the tables are as wanted.
func (f *follower) await(t testing.TB, want tables, agents ...*running) {
	t.Helper()
	text := want.String()
	if _, ok := expect.Poll(patience, func() (any, bool) { f.read(t); return nil, f.String() == text }); ok {
		return
	}
	got := f.String()
	for _, a := range agents {
		t.Log(a)
	}
	t.Fatalf("%d lines of tables from the topic, %d from the log; the first that differs:\n%s", strings.Count(got, "\n"), strings.Count(text, "\n"), difference(got, text))
}

func difference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return as[i] + "\n" + bs[i]
		}
	}
	return "one is the beginning of the other"
}

// An agent that follows a log brings what it says to Kafka, ends in good order,
// and does not send it again.
func TestAgentTail(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	topic := topicOf(t, k, 5, nil)
	dir := t.TempDir()
	s := &server{t: t, path: filepath.Join(dir, "access.log"), lines: logLines(t, "testdata/semicomplete.log.gz")}
	want := tablesOf(t, "combined", s.lines)
	s.write(len(s.lines) / 2)
	f := follow(t, k, topic)
	args := []string{"--tail", s.path, "--state", filepath.Join(dir, "state"), "--site", "www.example.org"}
	all := tables{"www.example.org": want[""]}
	a := startAgent(t, c, topic, args...)
	time.Sleep(2 * time.Second)
	s.rotate()
	s.write(len(s.lines))
	f.await(t, all, a)
	a.end(t)
	sent, err := k.Offsets(t.Context(), topic)
	must(t, err)
	a = startAgent(t, c, topic, args...)
	a.stderr.awaits(t, "following logs")
	time.Sleep(2 * time.Second)
	a.end(t)
	if now, err := k.Offsets(t.Context(), topic); err != nil || !slices.Equal(now, sent) {
		t.Errorf("something was sent again: to %v, %v; before %v\n%s", now, err, sent, a)
	}
	t.Logf("%d observations in %d records", f.list, f.records)
}

// Killed again and again while lines are written and files rotate, agents lose
// nothing.
func TestAgentTailSurvivesKills(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	topic := topicOf(t, k, 5, nil)
	dir := t.TempDir()
	all := logLines(t, "testdata/semicomplete.log.gz")
	s := &server{t: t, path: filepath.Join(dir, "access.log"), lines: all}
	want := tablesOf(t, "combined", all)
	args := []string{"--tail", s.path, "--state", filepath.Join(dir, "state")}
	s.write(1)
	for range *agentKills {
		a := startAgent(t, c, topic, args...)
		for range 1 + rand.IntN(4) {
			s.write(rand.IntN(1 + len(all) / *agentKills / 2))
			time.Sleep(time.Duration(rand.IntN(700)) * time.Millisecond)
			if rand.IntN(3) == 0 {
				s.rotate()
				s.write(1 + rand.IntN(50))
			}
		}
		a.kill(t)
	}
	s.write(len(all))
	f := follow(t, k, topic)
	a := startAgent(t, c, topic, args...)
	f.await(t, want, a)
	a.end(t)
	t.Logf("%d kills, %d rotations, %d observations sent", *agentKills, s.rotated, f.list)
}

// produceLines writes lines into a topic in random order, some twice, several a
// record, by kcat, which is no client of ours; with our own if it is missing.
func produceLines(t testing.TB, c *kafkatest.Cluster, k *kafka.Cluster, topic string, partitions int, lines [][]byte) {
	t.Helper()
	kcat, missing := exec.LookPath("kcat")
	if missing != nil {
		t.Log("kcat is missing (Debian: apt-get install kcat): lines are written by our own client")
	}
	for p := range partitions {
		var text bytes.Buffer
		for i := p; i < len(lines); i += partitions {
			text.Write(lines[i])
		}
		if missing == nil {
			cmd := exec.Command(kcat, "-b", strings.Join(c.Brokers, ","), "-P", "-t", topic, "-p", fmt.Sprint(p), "-z", []string{"none", "gzip", "lz4", "snappy"}[p%4])
			cmd.Stdin = &text
			succeed(t, cmd)
			continue
		}
		var records []kafka.Record
		for line := range bytes.Lines(text.Bytes()) {
			records = append(records, kafka.Record{Value: bytes.TrimSuffix(line, []byte("\n"))})
		}
		for batch := range slices.Chunk(records, 1000) {
			must(t, k.Produce(t.Context(), topic, p, batch))
		}
	}
}

// shuffled are lines in random order, some of them twice.
func shuffled(lines [][]byte) [][]byte {
	lines = slices.Clone(lines)
	for range len(lines) / 5 {
		lines = append(lines, lines[rand.IntN(len(lines))])
	}
	rand.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return lines
}

// Members of a group are killed with -9, paused beyond the session, and ended,
// while lines come into their topic: nothing is lost.
func TestAgentGroupSurvives(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	const partitions = 4
	from, to := topicOf(t, k, partitions, nil), topicOf(t, k, 5, nil)
	all := logLines(t, "testdata/semicomplete.log.gz")
	want := tablesOf(t, "combined", all)
	lines := shuffled(all)
	args := []string{"--lines-topic", from, "--consumer-group", from, "--state", t.TempDir(), "--format", "combined"}
	agents := []*running{startAgent(t, c, to, args...), startAgent(t, c, to, args...)}
	kills, pauses, ends := 0, 0, 0
	for n := range *agentKills {
		part := lines[n*len(lines) / *agentKills : (n+1)*len(lines) / *agentKills]
		produceLines(t, c, k, from, partitions, part)
		time.Sleep(time.Duration(rand.IntN(3000)) * time.Millisecond)
		i := rand.IntN(len(agents))
		switch n % 3 {
		case 0:
			agents[i].kill(t)
			agents[i] = startAgent(t, c, to, args...)
			kills++
		case 1:
			agents[i].end(t)
			agents[i] = startAgent(t, c, to, args...)
			ends++
		case 2:
			agents[i].signal(t, syscall.SIGSTOP)
			time.Sleep(8 * time.Second) // the session is 6 s
			agents[i].signal(t, syscall.SIGCONT)
			pauses++
		}
	}
	f := follow(t, k, to)
	f.await(t, want, agents...)
	end(t, agents...)
	t.Logf("%d kills, %d pauses, %d ends in order; %d lines, %d observations", kills, pauses, ends, len(lines), f.list)
}

// The broker is killed and away for a while, as lines are followed: nothing is
// lost, and agents go on by themselves. The second time they are killed as well,
// with lines read that cannot have arrived.
func TestAgentOutlivesBroker(t *testing.T) {
	t.Parallel()
	c, k := ownKafka(t)
	from, to := topicOf(t, k, 2, nil), topicOf(t, k, 3, nil)
	dir := t.TempDir()
	all := logLines(t, "testdata/semicomplete.log.gz")
	half := len(all) / 2
	s := &server{t: t, path: filepath.Join(dir, "access.log"), lines: all[:half]}
	s.write(half / 4)
	produceLines(t, c, k, from, 2, all[half:])
	start := func() (tail, group *running) {
		return startAgent(t, c, to, "--tail", s.path, "--state", filepath.Join(dir, "tail")),
			startAgent(t, c, to, "--lines-topic", from, "--consumer-group", from, "--state", filepath.Join(dir, "group"))
	}
	tail, group := start()
	tail.stderr.awaits(t, "following logs") // at their start they ask for brokers
	group.stderr.awaits(t, "reading topics")
	time.Sleep(2 * time.Second)
	c.Kill(t, 1)
	s.write(half / 4)
	tail.stderr.awaits(t, "Kafka unavailable, retrying")
	time.Sleep(15 * time.Second)
	c.Run(t, 1)
	back := time.Now()
	s.write(half / 4)
	follow(t, k, to).await(t, tablesOf(t, "combined", append(slices.Clone(all[:half/4*3]), all[half:]...)), tail, group)
	t.Logf("all is there %v after the broker was started again", time.Since(back).Round(time.Second))
	c.Kill(t, 1)
	s.write(half)
	time.Sleep(4 * time.Second)
	tail.kill(t)
	group.kill(t)
	c.Run(t, 1)
	tail, group = start()
	follow(t, k, to).await(t, tablesOf(t, "combined", all), tail, group)
	end(t, tail, group)
}

// Values of topics are lines in a shipper's JSON: each partition in that of its
// producer, or every line in another.
func TestAgentWrapped(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	all := logLines(t, "testdata/semicomplete.log.gz")[:2000]
	want := tablesOf(t, "combined", all)
	shippers := []string{"filebeat", "vector", "fluentbit", "journal_json", "docker"}
	partitions := len(shippers)
	produce := func(topic string, shipper func(i int) string) {
		wrapped := make([][]byte, 0, len(all))
		for i, line := range shuffled(all) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			if wrap := wrappers[shipper(i)]; wrap != nil {
				line = []byte(wrap(1, line))
			}
			wrapped = append(wrapped, append(line, '\n'))
		}
		produceLines(t, c, k, topic, partitions, wrapped)
	}
	run := func(from string, args ...string) {
		to := topicOf(t, k, 2, nil)
		a := startAgent(t, c, to, append([]string{"--lines-topic", from, "--consumer-group", from, "--state", t.TempDir()}, args...)...)
		follow(t, k, to).await(t, want, a)
		a.end(t)
	}
	each := topicOf(t, k, partitions, nil)
	produce(each, func(i int) string { return shippers[i%partitions] })
	run(each)
	mixed, either := topicOf(t, k, partitions, nil), append([]string{"cri", "syslog", "none"}, shippers...)
	produce(mixed, func(int) string { return either[rand.IntN(len(either))] })
	run(mixed, "--format", "any/combined")
}

// Lines that retention took before they were read are counted, and those that are
// left are read.
func TestAgentGap(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	from, to := topicOf(t, k, 1, map[string]string{"retention.ms": "3600000", "file.delete.delay.ms": "0"}), topicOf(t, k, 1, nil)
	lines := logLines(t, "testdata/semicomplete.log.gz")[:20]
	produce := func(at time.Time, lines [][]byte) {
		var records []kafka.Record
		for _, line := range lines {
			records = append(records, kafka.Record{Time: at, Value: line})
		}
		must(t, k.Produce(t.Context(), from, 0, records))
	}
	produce(time.Now().Add(-2*time.Hour), lines[:5])
	g, err := k.Join(t.Context(), kafka.GroupOptions{Group: from, Topics: []string{from}, Session: 30 * time.Second})
	must(t, err)
	given, err := g.Next(t.Context())
	must(t, err)
	must(t, given.Commit(kafka.Offset{Topic: from, Partition: 0, Offset: 2}))
	g.Close()
	eventually(t, func() bool {
		ranges, err := k.Offsets(t.Context(), from)
		return err == nil && ranges[0].First == 5
	})
	produce(time.Now(), lines[5:])
	a := startAgent(t, c, to, "--lines-topic", from, "--consumer-group", from, "--state", t.TempDir(), "--format", "combined")
	follow(t, k, to).await(t, tablesOf(t, "combined", lines[5:]), a)
	a.awaits(t, "/metrics", "\ndustbuster_lost_offsets_total 3\n")
	a.end(t)
}

// Partitions that a topic of lines is given later are read as well.
func TestAgentMorePartitions(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	from, to := topicOf(t, k, 1, nil), topicOf(t, k, 1, nil)
	lines := logLines(t, "testdata/semicomplete.log.gz")[:1000]
	produceLines(t, c, k, from, 1, lines[:500])
	a := startAgent(t, c, to, "--lines-topic", from, "--consumer-group", from, "--state", t.TempDir(), "--format", "combined")
	f := follow(t, k, to)
	f.await(t, tablesOf(t, "combined", lines[:500]), a)
	must(t, k.Grow(t.Context(), from, 3))
	eventually(t, func() bool {
		topic, err := k.Topic(t.Context(), from)
		return err == nil && topic.Partitions == 3
	})
	_, err := k.Offsets(t.Context(), from)
	must(t, err) // all have leaders
	produceLines(t, c, k, from, 3, lines[500:])
	f.await(t, tablesOf(t, "combined", lines), a)
	a.end(t)
}

// Records hold several lines with newlines between. What cannot be parsed goes to
// a topic of its own, without addresses. The admin listener tells of it.
func TestAgentDeadLetters(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	from, to, dead := topicOf(t, k, 1, nil), topicOf(t, k, 1, nil), topicOf(t, k, 2, nil)
	var lines [][]byte
	for i := range 10 {
		lines = append(lines, []byte(line(fmt.Sprintf("/%d", i), 10+i)))
	}
	var records []kafka.Record
	records = append(records, kafka.Record{Value: bytes.Join(lines[:5], nil)}, kafka.Record{Value: []byte("192.0.2.77 what is this\n192.0.2.78 and this")},
		kafka.Record{Key: []byte("tombstone")}, kafka.Record{Value: []byte{}}, kafka.Record{Value: bytes.Join(lines[5:], nil)})
	must(t, k.Produce(t.Context(), from, 0, records))
	a := startAgent(t, c, to, "--lines-topic", from, "--consumer-group", from, "--state", t.TempDir(), "--dead-letters-topic", dead, "--log-level", "debug")
	follow(t, k, to).await(t, tablesOf(t, "combined", lines), a)
	a.awaits(t, "/readyz", "ok")
	a.awaits(t, "/healthz", "ok")
	for _, want := range []string{"dustbuster_sent_observations_total 10", "dustbuster_sent_dead_letters_total 2", "dustbuster_lag_offsets 0",
		`dustbuster_lines_total{result="malformed"} 2`, "dustbuster_waiting_observations 0",
		`dustbuster_input_lag_records{input="` + from + `/0"} 0`, `dustbuster_input_caught_up{input="` + from + `/0"} 1`} {
		a.awaits(t, "/metrics", "\n"+want+"\n")
	}
	a.end(t)
	r := kafka.NewReader(k, kafka.ReaderOptions{})
	defer r.Close()
	var letters []string
	for p := range 2 {
		ranges, err := k.Offsets(t.Context(), dead)
		must(t, err)
		for _, l := range readTo(t, r.Add(dead, p, kafka.First), ranges[p].End) {
			letters = append(letters, fmt.Sprintf("%s %s", l.Value, l.Headers[0].Value))
		}
	}
	slices.Sort(letters)
	if want := []string{"ADDRESS and this " + from + "/0", "ADDRESS what is this " + from + "/0"}; !slices.Equal(letters, want) {
		t.Errorf("got %q, want %q", letters, want)
	}
	if log := a.stderr.String(); !strings.Contains(log, "malformed line") || strings.Contains(log, "192.0.2.7") {
		t.Errorf("log: %s", log)
	}
}
