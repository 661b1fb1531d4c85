package topics

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// demand is the required value of one setting of a topic.
type demand struct {
	setting  string
	severity Severity
	ok       func(value string) bool
	want     string // in words
	why      string // the consequence of another value
	set      string // the value for a correction, and for new topics
}

const (
	day       = 24 * time.Hour
	mebibyte  = 1 << 20
	shortest  = day       // that tombstones are kept
	tombstone = 7 * day   // the same, in new topics
	active    = time.Hour // until a segment of rules is closed, so that the segment can be compacted
)

// demands returns the demands on a topic of a kind with the given number of replicas.
func demands(p *Plan, k kind, replicas int) (all []demand) {
	add := func(setting string, s Severity, ok func(string) bool, want, set, why string) {
		all = append(all, demand{setting, s, ok, want, why, set})
	}
	clean := func(s Severity, policy, why string) {
		add("cleanup.policy", s, is(policy), policy, policy, why)
	}
	large := func(s Severity, least, set int64) {
		enough := number(func(n int64) bool { return n >= least })
		add("max.message.bytes", s, enough, fmt.Sprintf("at least %d", least), strconv.FormatInt(set, 10), "a larger record batch is refused")
	}
	brokersClock := func(why string) {
		add("message.timestamp.type", Doubtful, is("LogAppendTime"), "LogAppendTime", "LogAppendTime", why)
	}
	switch k {
	case observed:
		clean(Wrong, "delete", "compaction leaves one record of each site, and the other observations are lost")
		all = append(all, kept(p.Keep)...)
		brokersClock("retention, and which sites count as silent, then depend on the agents' clocks, and one wrong clock spoils both")
		large(Wrong, mebibyte, mebibyte+12)
	case rules:
		const late = "newer records are not compacted, and every reader reads them at its start"
		clean(Wrong, "compact", "rules are deleted with time, or the topic grows without end")
		add("delete.retention.ms", Doubtful, atLeast(shortest), "at least "+milliseconds(shortest), millis(tombstone),
			"a reader that was away for longer does not learn which rules were retired")
		add("segment.ms", Doubtful, atMost(day), "at most "+milliseconds(day), millis(active), late)
		add("min.compaction.lag.ms", Doubtful, atMost(day), "at most "+milliseconds(day), "0", late)
		large(Doubtful, 8*mebibyte, 8*mebibyte)
		brokersClock("brokers refuse what a miner whose clock is ahead writes, so its partitions are not served")
	case events:
		clean(Wrong, "delete", "compaction leaves one event of each site")
		large(Wrong, mebibyte, mebibyte+12)
		brokersClock("brokers refuse what a miner whose clock is ahead writes, so its events are lost")
	case reports:
		clean(Wrong, "delete", "compaction leaves one report of each site")
		brokersClock("brokers refuse the reports of a crawler whose clock is ahead")
	case lines:
		clean(Doubtful, "delete", "compaction leaves one line of each key")
		return all
	case deadLetters:
		clean(Wrong, "delete", "its records have no key, and a compacted topic refuses them")
		brokersClock("brokers refuse what an agent whose clock is ahead writes, and the agent ends")
	}
	add("unclean.leader.election.enable", Doubtful, is("false"), "false", "false", "acknowledged records are lost when a replica that is behind takes over")
	return append(all, inSync(replicas))
}

// kept returns the demands on how long observations are kept.
func kept(keep time.Duration) []demand {
	const why = "a miner that takes over a partition reads the partition from its start, and must find all observations that still count"
	bytes := demand{"retention.bytes", Doubtful, is("-1"), "-1 (no limit)",
		"a flood of lines pushes out observations that still count", "-1"}
	switch {
	case keep == 0:
		return nil
	case keep < 0:
		bytes.severity = Wrong
		return []demand{{"retention.ms", Wrong, is("-1"), "-1 (for ever)", "with the window 0 nothing may expire: " + why, "-1"}, bytes}
	}
	segment := max(keep, 2*shortestSegment)
	return []demand{
		{"retention.ms", Wrong, atLeast(keep), "at least " + milliseconds(keep) + ", two windows and a pane", why, millis(keep)},
		bytes,
		{"segment.ms", Doubtful, atMost(segment), "at most " + milliseconds(segment),
			"a segment is deleted as a whole, so the topic keeps many more observations than count, and each start reads them", millis(max(keep/25, shortestSegment))},
	}
}

// shortestSegment of observations: shorter segments would only make many small files.
const shortestSegment = 10 * time.Minute

// inSync demands that an acknowledged record is on two brokers, and that one broker may
// be down.
func inSync(replicas int) demand {
	if replicas < 3 {
		return demand{"min.insync.replicas", Doubtful, is("1"), "1", "nothing can be written while one broker is down", "1"}
	}
	return demand{"min.insync.replicas", Doubtful, number(func(n int64) bool { return 2 <= n && n < int64(replicas) }), fmt.Sprintf("2 to %d", replicas-1),
		"below 2, acknowledged records are lost with one broker; with as many as there are replicas, nothing can be written while one broker is down", "2"}
}

// settings finds settings with wrong values.
func settings(p *Plan, w wanted, t *Topic) (found []Finding) {
	all := demands(p, w.kind, t.Replicas)
	if t.Config == nil {
		if p.Role != Operator && p.Role != Miner || len(all) == 0 {
			return nil
		}
		return []Finding{{Severity: Unseen, Topic: w.name, What: "the user may not see its settings",
			Why: "the settings cannot be checked", Remedy: "allow the user DescribeConfigs on the topic, or check the topics as a user with the permission"}}
	}
	for _, d := range all {
		value, told := t.Config[d.setting]
		if !told || d.ok(value) {
			continue
		}
		f := Finding{Severity: d.severity, Topic: w.name, Setting: d.setting,
			What: fmt.Sprintf("%s is %s, want %s", d.setting, shown(d.setting, value), d.want), Why: d.why}
		if f.Remedy = "set " + d.setting + "=" + d.set; w.kind != lines { // topics of lines belong to other programs
			f.Remedy = p.createOr() + ": the command sets " + d.setting + "=" + d.set
			f.Set = &d.set
		}
		found = append(found, f)
	}
	return found
}

// is compares lists without regard to order.
func is(want string) func(string) bool {
	return func(v string) bool {
		list := strings.Split(strings.ReplaceAll(v, " ", ""), ",")
		slices.Sort(list)
		return strings.Join(list, ",") == want
	}
}

// number accepts the numbers for which ok is true.
func number(ok func(n int64) bool) func(string) bool {
	return func(v string) bool {
		n, err := strconv.ParseInt(v, 10, 64)
		return err == nil && ok(n)
	}
}

// atLeast accepts -1, too: without limit.
func atLeast(d time.Duration) func(string) bool {
	return number(func(n int64) bool { return n == -1 || n >= d.Milliseconds() })
}

func atMost(d time.Duration) func(string) bool {
	return number(func(n int64) bool { return n <= d.Milliseconds() })
}

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// milliseconds returns a time as a number for Kafka and in words.
func milliseconds(d time.Duration) string {
	return millis(d) + " (" + short.Replace(d.String()) + ")"
}

// short drops the parts that are zero: 50h, not 50h0m0s.
var short = strings.NewReplacer("h0m0s", "h", "m0s", "m")

// shown returns a setting's value, in words too if it is a time.
func shown(setting, value string) string {
	n, err := strconv.ParseInt(value, 10, 64)
	switch {
	case value == "":
		return `""`
	case !strings.HasSuffix(setting, ".ms") || err != nil || n < 0 || n > math.MaxInt64/int64(time.Millisecond):
		return value
	}
	return milliseconds(time.Duration(n) * time.Millisecond)
}

// key returns the name of the topic's setting in the configuration.
func (k kind) key() string {
	return [...]string{"kafka.observations", "kafka.rules", "kafka.events", "kafka.lines", "kafka.dead_letters", "kafka.reports"}[k]
}
