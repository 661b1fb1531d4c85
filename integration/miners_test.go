package integration

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/internal/kafkatest"
	"dustbuster/operators/publish/ledger"
	"dustbuster/stream/kafka"
	"dustbuster/stream/rulelog"

	kafkago "github.com/segmentio/kafka-go"
)

// minerBlows is how often members of the group of miners are killed, paused, sent
// away or joined by others.
var minerBlows = flag.Int("minerblows", 50, "blows that the group of miners gets")

// deployment is the topics and the group of some miners.
type deployment struct {
	observations, rules, events string
	group                       string
}

// newTopics makes topics as the program does, for observations that are kept for
// ever, and has the rules compacted as often as can be.
func newTopics(t testing.TB, c *kafkatest.Cluster, k *kafka.Cluster, partitions int) deployment {
	t.Helper()
	name := kafkatest.Name(t)
	d := deployment{name + ".observations", name + ".rules", name + ".events", name}
	cmd := exec.Command(program, "topics", "create", "--brokers", strings.Join(c.Brokers, ","), "--partitions", fmt.Sprint(partitions), "--replicas", "1",
		"--window", "0", "--observations-topic", d.observations, "--rules-topic", d.rules, "--events-topic", d.events)
	succeed(t, cmd)
	often := map[string]string{"segment.ms": "1000", "min.cleanable.dirty.ratio": "0.01", "max.compaction.lag.ms": "1000"}
	must(t, k.Alter(t.Context(), d.rules, often))
	return d
}

// startMiner starts a member of the group.
func startMiner(t testing.TB, c *kafkatest.Cluster, s deployment, name string, args ...string) *running {
	t.Helper()
	return startMinerOf(t, program, c, s, name, nil, args...)
}

// startMinerOf is startMiner with another program, and more in its environment.
func startMinerOf(t testing.TB, program string, c *kafkatest.Cluster, s deployment, name string, environment []string, args ...string) *running {
	t.Helper()
	admin := freeAddress(t)
	cmd := exec.Command(program, append([]string{"run", "--brokers", strings.Join(c.Brokers, ","), "--consumer-group", s.group, "--session-timeout", "3s",
		"--observations-topic", s.observations, "--rules-topic", s.rules, "--events-topic", s.events, "--admin-listen", admin,
		"--refine-interval", "100ms", "--checkpoint-interval", "50ms", "--window", "0", "--no-withhold", "--shutdown-timeout", "5s"}, args...)...)
	cmd.Env = append(append(os.Environ(), "DUSTBUSTER_KEEP_HASH_KEY="+hashKey), environment...)
	m := begin(t, name, cmd)
	m.admin, m.begun = admin, []string{"joining the group of miners"}
	return m
}

// likelyOf is the list of likely rules of all members, by site.
func likelyOf(miners ...*running) string {
	bySite := map[string][]string{}
	for _, m := range miners {
		for line := range strings.Lines(string(onlineRules([]byte(m.get("/api/v1/rules?state=likely"))))) {
			var rule struct{ Site string }
			_ = json.Unmarshal([]byte(line), &rule)
			bySite[rule.Site] = append(bySite[rule.Site], line)
		}
	}
	var all strings.Builder
	for _, site := range slices.Sorted(maps.Keys(bySite)) {
		all.WriteString(strings.Join(bySite[site], ""))
	}
	return all.String()
}

// awaitLikely waits until members have the rules of mine.
func awaitLikely(t testing.TB, want string, within time.Duration, miners ...*running) {
	t.Helper()
	got, ok := expect.Poll(within, func() (string, bool) { got := likelyOf(miners...); return got, got == want })
	if ok {
		return
	}
	for _, m := range miners {
		t.Logf("%s\n%v", m.get("/api/v1/status"), m)
	}
	t.Fatalf("%d bytes of rules, mine has %d; the first line that differs:\n%s", len(got), len(want), difference(got, want))
}

// told are the rules that readers of the topic of events hold, as lines in order.
func told(t testing.TB, k *kafka.Cluster, topic string) string {
	t.Helper()
	held := map[string]map[string]string{} // by site and rule
	readAll(t, k, topic, func(_ int, r kafka.Record) {
		var e struct {
			Event string
			Site  string
			Rules []json.RawMessage
		}
		if err := json.Unmarshal(r.Value, &e); err != nil {
			t.Fatalf("%s: %v", r.Value, err)
		}
		if held[e.Site] == nil || e.Event == "snapshot" {
			held[e.Site] = map[string]string{}
		}
		switch e.Event {
		case "snapshot":
			for _, rule := range e.Rules {
				held[e.Site][identity(t, rule)] = string(rule)
			}
		case "likely":
			held[e.Site][identity(t, r.Value)] = ""
		case "faded":
			delete(held[e.Site], identity(t, r.Value))
		}
	})
	var lines []string
	for _, rules := range held {
		lines = slices.AppendSeq(lines, maps.Values(rules))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}

// identity is a rule without its counts.
func identity(t testing.TB, text []byte) string {
	t.Helper()
	var rule map[string]any
	if err := json.Unmarshal(text, &rule); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	for _, count := range []string{"support", "support_high", "comparable", "schema", "event", "id", "pane"} {
		delete(rule, count)
	}
	b, _ := json.Marshal(rule)
	return string(b)
}

// readAll reads a topic up to its end, partition by partition, refusing what is
// older than what came before, as readers of events should.
func readAll(t testing.TB, k *kafka.Cluster, topic string, each func(partition int, r kafka.Record)) {
	t.Helper()
	ranges, err := k.Offsets(t.Context(), topic)
	must(t, err)
	reader := kafka.NewReader(k, kafka.ReaderOptions{})
	defer reader.Close()
	for p, at := range ranges {
		var newest ledger.Tuple
		from := reader.Add(topic, p, at.First)
		for next := at.First; next < at.End; {
			b, err := from.Read(t.Context())
			must(t, err)
			for _, r := range b.Records {
				tuple, err := ledger.ReadTuple(func(name string) []byte {
					for _, h := range r.Headers {
						if h.Key == name {
							return h.Value
						}
					}
					return nil
				})
				if err != nil {
					t.Fatalf("record %d of partition %d: %v", r.Offset, p, err)
				}
				if tuple.Compare(newest) >= 0 {
					newest = tuple
					each(p, r)
				}
			}
			next = b.Next
		}
		from.Close()
	}
}

// sixLogs are the logs that the expected rules were computed from, each as a site
// of its own.
func sixLogs(t testing.TB) (lines [][]byte) {
	t.Helper()
	data := os.Getenv("DUSTBUSTER_DATA")
	if data == "" {
		t.Skip("REAL LOGS ARE NOT THERE: DUSTBUSTER_DATA does not say where")
	}
	for _, c := range []struct{ site, path string }{{"semicomplete", "logs/semicomplete.log.gz"}, {"nasa95", "logs/nasa95.log.gz"}, {"nspw", "logs/nspw.log.gz"},
		{"bplogs", "logs/bplogs.log.gz"}, {"docs", "sites/docs/access.log.gz"}, {"gitweb", "sites/gitweb/access.log.gz"}} {
		for _, line := range logLines(t, filepath.Join(data, c.path)) {
			lines = append(lines, append([]byte(c.site+".example:80 "), line...))
		}
	}
	return lines
}

// The six real logs go as raw lines in random order, some twice, through Kafka,
// two agents and three miners: the likely rules are those of mine, byte for byte,
// as the miners list them and as their topic tells them.
func TestMinersAgreeWithMine(t *testing.T) {
	t.Parallel()
	lines := sixLogs(t)
	c, k := sharedKafka(t)
	const partitions = 4
	from, s := topicOf(t, k, partitions, nil), newTopics(t, c, k, 7)
	want := string(mineLines(t, lines, "--format", "vhost_combined"))
	whole := string(mineLines(t, lines, "--format", "vhost_combined", "--no-refine"))
	args := []string{"--lines-topic", from, "--consumer-group", from, "--state", t.TempDir(), "--format", "vhost_combined", "--window", "0"}
	agents := []*running{startAgent(t, c, s.observations, args...), startAgent(t, c, s.observations, args...)}
	miners := []*running{startMiner(t, c, s, "one"), startMiner(t, c, s, "two"), startMiner(t, c, s, "three")}
	began := time.Now()
	produceLines(t, c, k, from, partitions, shuffled(lines))
	awaitLikely(t, want, 5*time.Minute, miners...)
	t.Logf("%d lines (and a fifth of them again): the rules of mine after %v", len(lines), time.Since(began))
	end(t, append(miners, agents...)...)
	fresh := []*running{startMiner(t, c, s, "four"), startMiner(t, c, s, "five"), startMiner(t, c, s, "six")}
	awaitLikely(t, want, patience, fresh...)
	end(t, fresh...)
	all := strings.Split(strings.TrimSuffix(whole, "\n"), "\n")
	slices.Sort(all)
	if got, want := told(t, k, s.events), strings.Join(all, "\n")+"\n"; got != want {
		t.Errorf("events tell %d bytes of rules, mine has %d; the first line that differs:\n%s", len(got), len(want), difference(got, want))
	}
}

// crowd is some sites on one server, which sees who asks for what and when.
type crowd struct {
	*liveSite
	mu     sync.Mutex
	now    map[string]map[string]int // requests at this moment, by host and member
	meets  []string                  // requests to a host that met one of another member
	visits int
}

func (s *crowd) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	member := r.UserAgent()
	s.mu.Lock()
	s.visits++
	if s.now[host] == nil {
		s.now[host] = map[string]int{}
	}
	for other, n := range s.now[host] {
		if n > 0 && other != member {
			s.meets = append(s.meets, fmt.Sprintf("%s: %s while %s", host, member, other))
		}
	}
	s.now[host][member]++
	s.mu.Unlock()
	s.liveSite.ServeHTTP(w, r)
	s.mu.Lock()
	s.now[host][member]--
	s.mu.Unlock()
}

func newCrowd() *crowd {
	return &crowd{liveSite: newLive(), now: map[string]map[string]int{}}
}

// crowdLines are the logs of some sites, one after the other: what is valid for a
// site may hang on how much of its log is there when its rules are tried.
func crowdLines(sites int) (lines [][]byte) {
	for n := range sites {
		begin := len(lines)
		for line := range strings.Lines(liveLog()) {
			lines = append(lines, fmt.Appendf(nil, "s%d.example:80 %s", n, line))
		}
		rand.Shuffle(len(lines)-begin, func(i, j int) { lines[begin+i], lines[begin+j] = lines[begin+j], lines[begin+i] })
	}
	return lines
}

// reader follows the topic of rules as a crawler's library does, and notes what
// it must never see.
type reader struct {
	stop func()

	mu    sync.Mutex
	sets  []ledger.Sets // by partition
	wrong []string
}

func follows(t *testing.T, k *kafka.Cluster, topic string) *reader {
	t.Helper()
	info, err := k.Topic(t.Context(), topic)
	must(t, err)
	r := &reader{sets: make([]ledger.Sets, info.Partitions)}
	ctx, cancel := context.WithCancel(t.Context())
	from := kafka.NewReader(k, kafka.ReaderOptions{Compacted: true})
	var done sync.WaitGroup
	for p := range r.sets {
		at := from.Add(topic, p, kafka.First)
		done.Go(func() {
			for {
				b, err := at.Read(ctx)
				if err != nil {
					return
				}
				for i := range b.Records {
					r.take(p, &b.Records[i])
				}
			}
		})
	}
	r.stop = sync.OnceFunc(func() { cancel(); done.Wait(); from.Close() })
	t.Cleanup(r.stop)
	return r
}

func (r *reader) take(p int, in *kafka.Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	record, err := rulelog.Record(in)
	if err != nil {
		r.wrong = append(r.wrong, err.Error())
		return
	}
	was := ledger.SiteSet{}
	if key, err := ledger.ParseKey(record.Key); err == nil && r.sets[p].Of(key.Site) != nil {
		was = *r.sets[p].Of(key.Site)
	}
	site, changed, err := r.sets[p].Apply(record)
	if err != nil {
		r.wrong = append(r.wrong, err.Error())
	}
	if !changed {
		return
	}
	if is := r.sets[p].Of(site); is.Tuple.Compare(was.Tuple) < 0 || is.Sequence < was.Sequence {
		r.wrong = append(r.wrong, fmt.Sprintf("%s: publication %d at %v follows %d at %v", site, is.Sequence, is.Tuple, was.Sequence, was.Tuple))
	}
}

// held are the ids of the rules of each site.
func (r *reader) held() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	held := map[string]string{}
	for p := range r.sets {
		for set := range r.sets[p].All {
			var ids []string
			for _, record := range set.Records {
				ids = append(ids, record.ID)
			}
			slices.Sort(ids)
			held[set.Site] = strings.Join(ids, " ")
		}
	}
	return held
}

// deleteGroup makes a group's generations begin anew.
func deleteGroup(t *testing.T, c *kafkatest.Cluster, group string) {
	t.Helper()
	client := kafkago.Client{Addr: kafkago.TCP(c.Brokers...)}
	await(t, patience, "the end of a group", func() (any, bool) {
		resp, err := client.DeleteGroups(t.Context(), &kafkago.DeleteGroupsRequest{GroupIDs: []string{group}})
		if err == nil {
			err = resp.Errors[group]
		}
		return err, err == nil
	})
}

// What grows out of its partitions moves to new topics with more of them, as
// docs/kafka.md says, while lines go on coming: agents of another group read their
// topic from its start, and new miners have the rules before the old ones go.
func TestMorePartitions(t *testing.T) {
	t.Parallel()
	lines := shuffled(crowdLines(24))
	c, k := sharedKafka(t)
	from, old := topicOf(t, k, 2, nil), newTopics(t, c, k, 2)
	send := func(group, to string) *running {
		return startAgent(t, c, to, "--lines-topic", from, "--consumer-group", group, "--state", t.TempDir(), "--format", "vhost_combined", "--window", "0")
	}
	half := len(lines) / 2
	agent, miner := send("old."+from, old.observations), startMiner(t, c, old, "old")
	produceLines(t, c, k, from, 2, lines[:half])
	awaitLikely(t, string(mineLines(t, lines[:half], "--format", "vhost_combined")), patience, miner)

	more := newTopics(t, c, k, 9)
	miners := []*running{startMiner(t, c, more, "new"), startMiner(t, c, more, "another")}
	agent.end(t)
	agent = send("new."+from, more.observations)
	produceLines(t, c, k, from, 2, lines[half:])
	awaitLikely(t, string(mineLines(t, lines, "--format", "vhost_combined")), patience, miners...)
	end(t, append(miners, miner, agent)...)
}

// What comes of lines does not depend on what happens to the miners: members join,
// leave, are killed with -9 and paused beyond the session while lines flow, and at
// the end the rules are those of one miner that was left alone. No reader of the
// topic sees a set of rules be followed by an older one; and no site is asked by
// two members at once, but for the request that was on its way when a member was
// stopped.
func TestMinersSurvive(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	const sites = 16
	lines := crowdLines(sites)
	quiet := newCrowd()
	want := mineAlone(t, c, k, quiet, lines, sites)

	site := newCrowd()
	web := serve(t, site)
	s := newTopics(t, c, k, 5)
	log := &server{t: t, path: filepath.Join(t.TempDir(), "access.log"), lines: lines}
	each := len(lines) / sites
	log.write(each)
	startAgent(t, c, s.observations, "--tail", log.path, "--state", t.TempDir(), "--format", "vhost_combined", "--window", "0")
	readers := []*reader{follows(t, k, s.rules)}
	members := map[int]*running{}
	started, stops := 0, 0
	start := func() {
		started++
		members[started] = startMiner(t, c, s, fmt.Sprint("member ", started), trialArgs(web.URL, started)...)
	}
	start()
	counts := map[string]int{}
	for blow := range *minerBlows {
		if blow*sites / *minerBlows > (blow-1)*sites / *minerBlows {
			log.write(each)
		}
		time.Sleep(time.Duration(200+rand.IntN(1500)) * time.Millisecond)
		ids := slices.Sorted(maps.Keys(members))
		id := ids[rand.IntN(len(ids))]
		m := members[id]
		kind := []string{"join", "leave", "kill", "pause"}[rand.IntN(4)]
		switch {
		case len(members) == 1 && (kind == "leave" || kind == "kill"), kind == "join" && len(members) < 4:
			kind = "join"
			start()
		case kind == "leave":
			m.end(t)
			delete(members, id)
		case kind == "kill":
			stops++
			m.kill(t)
			delete(members, id)
		default:
			kind = "pause"
			stops++
			m.signal(t, syscall.SIGSTOP)
			time.Sleep(4*time.Second + time.Duration(rand.IntN(2000))*time.Millisecond) // the session is 3 s
			m.signal(t, syscall.SIGCONT)
		}
		counts[kind]++
		if blow%10 == 5 {
			readers = append(readers, follows(t, k, s.rules))
		}
	}
	log.write(len(lines))
	awaitSets(t, want, readers[0], slices.Collect(maps.Values(members)))

	// The group's generations begin anew.
	end(t, slices.Collect(maps.Values(members))...)
	deleteGroup(t, c, s.group)
	started++
	again := startMiner(t, c, s, fmt.Sprint("member ", started), trialArgs(web.URL, started)...)
	late := follows(t, k, s.rules)
	readers = append(readers, late)
	awaitSets(t, want, late, []*running{again})
	again.end(t)
	subscribed(t, c, s, sites)
	for _, r := range readers {
		r.stop()
		awaitSets(t, want, r, nil)
		for _, wrong := range r.wrong {
			t.Error(wrong)
		}
	}
	site.mu.Lock()
	defer site.mu.Unlock()
	if len(site.meets) > stops {
		t.Errorf("%d requests to a site met one of another member, and %d members were stopped:\n%s", len(site.meets), stops, strings.Join(site.meets, "\n"))
	}
	t.Logf("%v; %d requests, alone it took %d; %d requests met another's, %d members were stopped", counts, site.visits, quiet.visits, len(site.meets), stops)
}

// subscribed has a subscriber write the rules of a topic to a file, by which canon
// brings the URLs of each site to the forms that they have.
func subscribed(t *testing.T, c *kafkatest.Cluster, d deployment, sites int) {
	t.Helper()
	rules := subscribeOnce(t, c, d)
	var urls, want strings.Builder
	for n := range sites {
		fmt.Fprintf(&urls, "http://s%d.example/story?id=%d&sid=new\n", n, n)
		fmt.Fprintf(&want, "http://s%d.example/story_%d\n", n, n)
	}
	for _, from := range []string{rules, "kafka://" + c.Brokers[0] + "/" + d.rules} {
		if out := canonOf(t, from, urls.String()); out != want.String() {
			t.Errorf("canon by %s:\n%s\nwant\n%s", from, out, want.String())
		}
	}
}

// subscribeOnce writes the rules of a topic to a file.
func subscribeOnce(t *testing.T, c *kafkatest.Cluster, d deployment) (rules string) {
	t.Helper()
	rules = filepath.Join(t.TempDir(), "rules.jsonl")
	succeed(t, exec.Command(program, "subscribe", "--once", "--brokers", strings.Join(c.Brokers, ","), "--rules-topic", d.rules, "--rules", rules))
	return rules
}

func trialArgs(origin string, n int) []string {
	return []string{"--hosts", "*.example", "--fetch-kinds", "any", "--origin", origin, "--fetch-delay", "5ms", "--fetch-rate", "0", "--fetch-budget", "0", "--publish-interval", "1s", "--hold-share", "1", "--contact", fmt.Sprintf("http://example.org/%d", n)}
}

// mineAlone is what one miner, left alone, publishes of lines.
func mineAlone(t *testing.T, c *kafkatest.Cluster, k *kafka.Cluster, site *crowd, lines [][]byte, sites int) map[string]string {
	t.Helper()
	web := serve(t, site)
	s := newTopics(t, c, k, 5)
	path := write(t, "access.log", bytes.Join(lines, nil))
	a := startAgent(t, c, s.observations, "--tail", path, "--state", t.TempDir(), "--format", "vhost_combined", "--window", "0")
	m := startMiner(t, c, s, "alone", trialArgs(web.URL, 0)...)
	r := follows(t, k, s.rules)
	defer r.stop()
	var last map[string]string
	whole := func() bool { // both rules of each site
		for _, ids := range last {
			if !strings.Contains(ids, " ") {
				return false
			}
		}
		return len(last) == sites
	}
	quiet := time.Now()
	await(t, 2*patience, "all rules", func() (map[string]string, bool) {
		if now := r.held(); !maps.Equal(now, last) {
			last, quiet = now, time.Now()
		}
		return last, whole() && time.Since(quiet) >= 5*time.Second
	}, m)
	end(t, m, a)
	t.Logf("alone: %v", last)
	return last
}

// awaitSets waits until a reader holds what it should.
func awaitSets(t *testing.T, want map[string]string, r *reader, miners []*running) {
	t.Helper()
	if got, ok := expect.Poll(patience, func() (map[string]string, bool) { got := r.held(); return got, maps.Equal(got, want) }); !ok {
		for _, m := range miners {
			t.Logf("%s\n%v", m.get("/api/v1/status"), m)
		}
		t.Fatalf("held %v\nwant %v", got, want)
	}
}
