package topics

import (
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"dustbuster/operators/window/evidence"
	"dustbuster/stream/kafka"
)

var plan = Plan{Create: "do create them", Observations: "o", Rules: "r", Events: "e", Lines: []string{"l"}, DeadLetters: "d", Keep: Keep(24*time.Hour, 2*time.Hour)}

// good returns the facts of three brokers with correct topics.
func good(p Plan) Facts {
	f := Facts{Brokers: 3, AutoCreate: "false", Topics: map[string]Topic{}}
	for _, w := range p.topics() {
		f.Topics[w.name] = Topic{Missing: true}
	}
	f = After(f, Steps(p, f))
	f.each(func(t *Topic) {
		t.Used, t.Allowed = true, map[kafka.Operation]bool{kafka.Read: true, kafka.Write: true}
	})
	return f
}

func (f Facts) each(change func(*Topic)) {
	for name := range f.Topics {
		f.change(name, change)
	}
}

func (f Facts) change(name string, change func(*Topic)) {
	t := f.Topics[name]
	change(&t)
	f.Topics[name] = t
}

func TestKeep(t *testing.T) {
	for _, c := range []struct{ window, pane, want time.Duration }{
		{24 * time.Hour, 2 * time.Hour, 50 * time.Hour},
		{0, time.Hour, Forever},
		{math.MaxInt64, time.Hour, Forever},
		{math.MaxInt64/2 - time.Hour, time.Hour, math.MaxInt64 - time.Hour - 1},
	} {
		if got := Keep(c.window, c.pane); got != c.want {
			t.Errorf("Keep(%v, %v) = %v, want %v", c.window, c.pane, got, c.want)
		}
	}
}

// The topics made by the steps have no findings.
func TestGood(t *testing.T) {
	for _, keep := range []time.Duration{0, Forever, time.Minute, Keep(24*time.Hour, 2*time.Hour), 10_000 * time.Hour} {
		p := plan
		p.Keep = keep
		for _, role := range []Role{Operator, Agent, Miner, Subscriber} {
			if found := Judge(p.For(role), good(p)); len(found) > 0 {
				t.Errorf("keep %v, role %d: %v", keep, role, found)
			}
		}
	}
}

// Each deviation is found, and nothing else.
func TestFindings(t *testing.T) {
	set := func(topic, setting, value string) func(*Plan, *Facts) {
		return func(_ *Plan, f *Facts) { f.Topics[topic].Config[setting] = value }
	}
	change := func(topic string, to func(*Topic)) func(*Plan, *Facts) {
		return func(_ *Plan, f *Facts) { f.change(topic, to) }
	}
	for _, c := range []struct {
		name     string
		spoil    func(*Plan, *Facts)
		severity Severity
		says     []string // parts of the finding's line
		set      string   // the correct value
	}{
		{"missing", change("r", func(t *Topic) { *t = Topic{Missing: true} }), Wrong, []string{`topic "r": does not exist`, "do create them", "kafka.rules"}, ""},
		{"denied", change("e", func(t *Topic) { *t = Topic{Denied: true} }), Wrong, []string{`topic "e"`, "Describe", "ACL"}, ""},
		{"retention", set("o", "retention.ms", "179999999"), Wrong, []string{"want at least 180000000 (50h)", "two windows and a pane"}, "180000000"},
		{"retention not a time", set("o", "retention.ms", "x"), Wrong, []string{"retention.ms is x"}, "180000000"},
		{"limited for ever", func(p *Plan, f *Facts) { p.Keep = Forever; f.Topics["o"].Config["retention.ms"] = "604800000" }, Wrong, []string{"604800000 (168h)", "-1 (for ever)"}, "-1"},
		{"limited bytes", set("o", "retention.bytes", "1000"), Doubtful, []string{"retention.bytes is 1000"}, "-1"},
		{"limited bytes, always", func(p *Plan, f *Facts) {
			p.Keep = Forever
			maps.Copy(f.Topics["o"].Config, map[string]string{"retention.ms": "-1", "retention.bytes": "9"})
		}, Wrong, []string{"retention.bytes is 9"}, "-1"},
		{"observations compact", set("o", "cleanup.policy", "delete, compact"), Wrong, []string{"want delete"}, "delete"},
		{"rules deleted", set("r", "cleanup.policy", "compact,delete"), Wrong, []string{"want compact"}, "compact"},
		{"events compact", set("e", "cleanup.policy", "compact"), Wrong, []string{"one event"}, "delete"},
		{"lines compact", set("l", "cleanup.policy", "compact"), Doubtful, []string{"one line"}, ""},
		{"letters compact", set("d", "cleanup.policy", "compact"), Wrong, []string{"no key"}, "delete"},
		{"clocks", set("o", "message.timestamp.type", "CreateTime"), Doubtful, []string{"clocks"}, "LogAppendTime"},
		{"clocks of miners", set("r", "message.timestamp.type", "CreateTime"), Doubtful, []string{`topic "r"`, "clock is ahead", "not served"}, "LogAppendTime"},
		{"clocks, events", set("e", "message.timestamp.type", "CreateTime"), Doubtful, []string{`topic "e"`, "clock is ahead", "events are lost"}, "LogAppendTime"},
		{"clocks, letters", set("d", "message.timestamp.type", "CreateTime"), Doubtful, []string{`topic "d"`, "clock is ahead", "the agent ends"}, "LogAppendTime"},
		{"rules cut", change("r", func(t *Topic) { t.Deleted = 2 }), Doubtful, []string{`topic "r": 2 partitions begin above offset 0`, "miss verdicts"}, ""},
		{"everything cut", func(p *Plan, f *Facts) {
			p.Keep = Forever
			*f = good(*p)
			f.change("o", func(t *Topic) { t.Deleted = 1 })
		}, Doubtful, []string{"1 partition begins above", "everything counts"}, ""},
		{"tombstones", set("r", "delete.retention.ms", "3600000"), Doubtful, []string{"3600000 (1h)", "retired"}, "604800000"},
		{"open segment", set("r", "segment.ms", "604800000"), Doubtful, []string{"not compacted"}, "3600000"},
		{"lag of compaction", set("r", "min.compaction.lag.ms", "604800000"), Doubtful, []string{"not compacted"}, "0"},
		{"long segment", set("o", "segment.ms", "604800000"), Doubtful, []string{"as a whole"}, "7200000"},
		{"small batches", set("r", "max.message.bytes", "1048588"), Doubtful, []string{"at least 8388608"}, "8388608"},
		{"smaller batches", set("o", "max.message.bytes", "1000000"), Wrong, []string{"at least 1048576"}, "1048588"},
		{"unclean", set("r", "unclean.leader.election.enable", "true"), Doubtful, []string{"behind"}, "false"},
		{"one in sync", set("r", "min.insync.replicas", "1"), Doubtful, []string{"want 2 to 2"}, "2"},
		{"all in sync", set("r", "min.insync.replicas", "3"), Doubtful, []string{"nothing can be written"}, "2"},
		{"one replica", change("o", func(t *Topic) { t.Replicas = 1; t.Config["min.insync.replicas"] = "1" }), Doubtful, []string{"one replica"}, ""},
		{"no settings", change("o", func(t *Topic) { t.Config = nil }), Unseen, []string{"DescribeConfigs"}, ""},
		{"fewer rules", change("r", func(t *Topic) { t.Partitions = 3 }), Wrong, []string{`has 3 partitions, want 12 as topic "o" has`, "do not add partitions", "More partitions"}, ""},
		{"fewer rules, empty", change("r", func(t *Topic) { t.Partitions = 3; t.Used = false }), Wrong, []string{"want 12", "do create them", "empty"}, ""},
		{"more events, empty", change("e", func(t *Topic) { t.Partitions = 13; t.Used = false }), Wrong, []string{"want 12", "delete it"}, ""},
		{"too few", func(p *Plan, _ *Facts) { p.Partitions = 13 }, Wrong, []string{"has 12 partitions, want at least 13", "do not add partitions", "More partitions"}, ""},
		{"another key", change("o", func(t *Topic) { t.Heads = []evidence.Head{{Pane: 7200, Check: 1}, {Pane: 7200, Check: 2}} }), Doubtful, []string{"of 1 partition were", "keep.hash_key is another: its mark is 00000002 there, and 00000001 here"}, ""},
		{"another version", change("o", func(t *Topic) { t.Heads = []evidence.Head{{Pane: 7200, Check: 1, Rule: 9}} }), Doubtful, []string{"of 1 partition were", "version 9 there, and by version 0 here"}, ""},
		{"another pane", change("o", func(t *Topic) { t.Heads = []evidence.Head{{Pane: 5400, Check: 1}} }), Doubtful, []string{"of 1 partition were", "read.pane is 1h30m there, and read.pane is 2h here"}, ""},
		{"no window", change("o", func(t *Topic) { t.Heads = []evidence.Head{{Check: 2}, {Pane: 7200, Check: 2}} }), Doubtful, []string{"of 2 partitions were", "read.window is 0 there, and read.pane is 2h here; keep.hash_key is another", ": miners leave out"}, ""},
		{"another grouping", func(p *Plan, f *Facts) {
			p.Head.Sites = 3
			f.change("o", func(t *Topic) { t.Heads = []evidence.Head{{Pane: 7200, Check: 1, Sites: 2}} })
		}, Doubtful, []string{"site.groups are others: their mark is 00000002 there, and 00000003 here", "two names"}, ""},
		{"twice", func(p *Plan, _ *Facts) { p.Lines = append(p.Lines, "d") }, Wrong, []string{`topic "d": is configured for two uses`}, ""},
		{"made by mistake", func(_ *Plan, f *Facts) { f.AutoCreate = "true" }, Doubtful, []string{"auto.create.topics.enable"}, ""},
		{"no ids", func(_ *Plan, f *Facts) { f.NoIDs = true }, Doubtful, []string{"Kafka 2.8"}, ""},
		{"one partition", func(p *Plan, f *Facts) { p.Partitions = 1; *f = good(*p) }, Doubtful, []string{`topic "o": has one partition`}, ""}, // a choice that cannot be undone
	} {
		t.Run(c.name, func(t *testing.T) {
			p, f := plan, good(plan)
			p.Head = &evidence.Head{Pane: 7200, Check: 1}
			c.spoil(&p, &f)
			found := Judge(p, f)
			if len(found) != 1 {
				t.Fatalf("got %d findings, want one: %v", len(found), found)
			}
			got := found[0]
			if got.Severity != c.severity || (got.Set == nil) != (c.set == "") || got.Set != nil && *got.Set != c.set {
				t.Errorf("got %+v", got)
			}
			for _, says := range c.says {
				if !strings.Contains(got.String(), says) {
					t.Errorf("%q does not say %q", got, says)
				}
			}
		})
	}
}

// An agent compares the partitions of the topic of rules, and looks at nothing else there.
func TestAgentCompares(t *testing.T) {
	for _, c := range []struct {
		name     string
		rules    Topic
		severity Severity
		says     string // "": there is no finding
	}{
		{name: "alike", rules: Topic{Topic: kafka.Topic{Partitions: 12, Replicas: 1, Config: map[string]string{"cleanup.policy": "delete"}}, Used: true}},
		{"fewer", Topic{Topic: kafka.Topic{Partitions: 3}, Used: true}, Wrong, `topic "r": has 3 partitions, want 12 as topic "o" has`},
		{"missing", Topic{Missing: true}, Unseen, "allow the user Describe"},
		{"invisible", Topic{Denied: true}, Unseen, "kafka.rules"},
	} {
		f := good(plan)
		f.Topics["r"] = c.rules
		found := Judge(plan.For(Agent), f)
		if c.says == "" && len(found) == 0 {
			continue
		}
		if len(found) != 1 || found[0].Severity != c.severity || !strings.Contains(found[0].String(), c.says) {
			t.Errorf("%s: %v", c.name, found)
		}
		if got := (&Error{found}).Unlike(); got != (c.name == "fewer") {
			t.Errorf("%s: Unlike is %v", c.name, got)
		}
	}
}

// A role is told the permissions it lacks, and nothing about topics that it does not use.
func TestPermissions(t *testing.T) {
	f := good(plan)
	f.each(func(t *Topic) { t.Allowed = map[kafka.Operation]bool{} })
	for _, c := range []struct {
		role Role
		want []string
	}{
		{Operator, nil},
		{Agent, []string{"o Write", "l Read", "d Write"}},
		{Miner, []string{"o Read", "r Read", "r Write", "e Write"}},
		{Subscriber, []string{"r Read"}},
	} {
		var got []string
		for _, found := range Judge(plan.For(c.role), f) {
			_, operation, _ := strings.Cut(found.Remedy, "allow the user ")
			operation, _, _ = strings.Cut(operation, " ")
			got = append(got, found.Topic+" "+operation)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("role %d: got %q, want %q", c.role, got, c.want)
		}
	}
	denied := Facts{Topics: map[string]Topic{"r": {Denied: true}}}
	if found := Judge(plan.For(Subscriber), denied); len(found) != 1 || !strings.Contains(found[0].Remedy, "Describe and Read") {
		t.Errorf("%v", found)
	}
}

// A topic in use keeps its partitions, and the other topics follow.
func TestStepsFollowWhatIsUsed(t *testing.T) {
	p := plan
	p.Partitions = 24
	f := good(plan) // 12 partitions, in use
	f.Topics["r"] = Topic{Missing: true}
	f.Topics["e"] = Topic{Topic: kafka.Topic{Partitions: 5, Replicas: 3, Config: maps.Clone(f.Topics["e"].Config)}}
	got := Steps(p, f)
	if len(got) != 2 || got[0].Do != Make || got[0].Topic != "r" || got[0].Partitions != 12 || got[0].Settings["cleanup.policy"] != "compact" ||
		got[1].String() != `give topic "e" 12 partitions` {
		t.Errorf("%v", got)
	}
	if left := Judge(p, After(f, got)); len(left) != 1 || !strings.Contains(left[0].String(), "want at least 24") {
		t.Errorf("%v", left)
	}
}

// For all facts, the steps correct everything that can be corrected, in one round:
// afterwards there are no more steps. No topic in use gets or loses partitions, and no
// topic at all loses partitions. Remaining errors are still reported.
func TestStepsMend(t *testing.T) {
	values := []string{"-1", "0", "1", "2", "3", "100", "3600000", "86400000", "604800000", "8388608", "compact", "delete", "compact,delete", "true", "false", "CreateTime", "LogAppendTime", ""}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 0))
		p := plan
		p.Keep = []time.Duration{Forever, time.Minute, 50 * time.Hour}[r.IntN(3)]
		p.Partitions, p.Replicas = []int{0, 1, 6, 12, 24}[r.IntN(5)], r.IntN(4)
		f := good(p)
		for _, name := range slices.Sorted(maps.Keys(f.Topics)) {
			topic := f.Topics[name]
			switch r.IntN(8) {
			case 0:
				topic = Topic{Missing: true}
			case 1:
				topic = Topic{Denied: true}
			default:
				topic.Used, topic.Partitions, topic.Replicas = r.IntN(2) == 0, 1+r.IntN(24), 1+r.IntN(4)
				for _, setting := range slices.Sorted(maps.Keys(topic.Config)) {
					if r.IntN(3) == 0 {
						topic.Config[setting] = values[r.IntN(len(values))]
					}
				}
			}
			f.Topics[name] = topic
		}
		steps := Steps(p, f)
		after := After(f, steps)
		if again := Steps(p, after); len(again) > 0 {
			t.Fatalf("seed %d: after %v there is still to do: %v", seed, steps, again)
		}
		for name, was := range f.Topics {
			is := after.Topics[name]
			if is.Partitions < was.Partitions || was.Used && is.Partitions != was.Partitions || was.Denied != is.Denied {
				t.Fatalf("seed %d: %q was %+v, is %+v", seed, name, was, is)
			}
		}
		for _, left := range Judge(p, after) {
			if left.Set != nil || strings.Contains(left.What, "does not exist") && !strings.Contains(left.What, "may not see") {
				t.Fatalf("seed %d: left: %v", seed, left)
			}
		}
	}
}

func TestErrorSaysAll(t *testing.T) {
	f := good(plan)
	f.Topics["o"], f.Topics["r"] = Topic{Missing: true}, Topic{Missing: true}
	err := error(&Error{only(Judge(plan, f), Wrong)})
	var e *Error
	if !errors.As(err, &e) || strings.Count(err.Error(), "\n") != 1 || !strings.HasPrefix(err.Error(), `check topics: topic "o": does not exist`) {
		t.Errorf("%v", err)
	}
}

func TestTogether(t *testing.T) {
	one := Finding{Severity: Doubtful, Topic: "a", What: "has one replica", Why: "w", Remedy: "r"}
	two, other, brokers := one, one, Finding{Severity: Doubtful, What: "has one replica", Why: "w", Remedy: "r"}
	two.Topic, other.What = "b", "has two"
	got := Together([]Finding{brokers, one, other, two})
	if len(got) != 3 || got[0].String() != "has one replica: w; r" || got[1].String() != `topic "a", "b": has one replica: w; r` || got[2].String() != `topic "a": has two: w; r` {
		t.Errorf("%v", got)
	}
}

// A value above the minimum is not a finding.
func TestEnough(t *testing.T) {
	f := good(plan)
	maps.Copy(f.Topics["o"].Config, map[string]string{"retention.ms": "-1", "segment.ms": "180000000", "max.message.bytes": "10485760"})
	maps.Copy(f.Topics["r"].Config, map[string]string{"delete.retention.ms": "86400000", "segment.ms": "86400000"})
	maps.Copy(f.Topics["e"].Config, map[string]string{"retention.ms": "1000"})
	if found := Judge(plan, f); len(found) > 0 {
		t.Errorf("%v", found)
	}
}

// A topic in use determines the number of partitions, even if it is not the first.
func TestUsedDecides(t *testing.T) {
	f := good(plan)
	f.change("o", func(t *Topic) { t.Used, t.Partitions = false, 6 })
	if steps := Steps(plan, f); len(steps) != 1 || steps[0].String() != `give topic "o" 12 partitions` {
		t.Errorf("%v", steps)
	}
}

func TestNewTopics(t *testing.T) {
	p := Plan{Rules: "r", Lines: []string{"r"}}
	for _, c := range []struct{ brokers, want int }{{0, 1}, {1, 1}, {2, 2}, {9, 3}} {
		steps := Steps(p, Facts{Brokers: c.brokers, Topics: map[string]Topic{"r": {Missing: true}}})
		if len(steps) != 1 || steps[0].Replicas != c.want || steps[0].Partitions != DefaultPartitions {
			t.Errorf("%d brokers: %v", c.brokers, steps)
		}
	}
}

// A role that needs no settings is not told that the settings are invisible.
func TestSettingsUnseen(t *testing.T) {
	f := good(plan)
	f.each(func(t *Topic) { t.Config = nil })
	for _, c := range []struct {
		role Role
		want int
	}{{Operator, 5}, {Agent, 0}, {Miner, 3}, {Subscriber, 0}} {
		if found := only(Judge(plan.For(c.role), f), Unseen); len(found) != c.want {
			t.Errorf("role %d: %v", c.role, found)
		}
	}
}

// An agent does not begin with other settings than those of the newest observations, unless some have
// its own, it is told to, or only clients are counted by another version.
func TestAgentUnlike(t *testing.T) {
	own, key, version := evidence.Head{Pane: 7200, Check: 1}, evidence.Head{Pane: 7200, Check: 2}, evidence.Head{Pane: 7200, Check: 1, Rule: 9}
	for _, c := range []struct {
		name     string
		heads    []evidence.Head
		unread   bool
		changed  bool
		severity Severity // "": no finding
	}{
		{"own", []evidence.Head{own, own}, false, false, ""},
		{"no observations", nil, false, false, ""},
		{"another key", []evidence.Head{key}, false, false, Wrong},
		{"another pane", []evidence.Head{{Pane: 60, Check: 1}, key}, false, false, Wrong},
		{"another key on purpose", []evidence.Head{key}, false, true, Doubtful},
		{"another key, and own", []evidence.Head{key, own, key}, false, false, Doubtful},
		{"another version", []evidence.Head{version}, false, false, Doubtful},
		{"other lists of crawlers", []evidence.Head{{Pane: 7200, Check: 1, Crawlers: 7}}, false, false, Doubtful},
		{"unread", nil, true, false, Unseen},
	} {
		p := plan
		p.Head, p.Changed = &own, c.changed
		f := good(plan)
		f.change("o", func(t *Topic) { t.Heads, t.Unread = c.heads, c.unread })
		found := Judge(p.For(Agent), f)
		if (len(found) == 1) != (c.severity != "") || len(found) > 1 || len(found) == 1 && found[0].Severity != c.severity {
			t.Errorf("%s: %v", c.name, found)
		}
		if e := (&Error{found}); e.Unlike() != (c.severity == Wrong) {
			t.Errorf("%s: exit code by %v", c.name, e)
		}
	}
}

// What quiet partitions hold of former settings is not new. Each head counts once for each partition.
func TestLate(t *testing.T) {
	at := func(minutes int, check uint32) written {
		return written{evidence.Head{Check: check}, time.Unix(int64(60*minutes), 0)}
	}
	got := late([][]written{{at(0, 1), at(95, 2), at(100, 2)}, {at(20, 1)}, {at(89, 1), at(90, 3)}, {at(99, 2)}})
	if want := []evidence.Head{{Check: 2}, {Check: 3}, {Check: 2}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// What is said of other lists of crawlers' addresses names both marks, and what the difference costs.
func TestUnlikeCrawlers(t *testing.T) {
	theirs, ours := evidence.Head{Crawlers: 7}, evidence.Head{}
	const said, cost = "the files of read.crawler_addresses are others: their mark is 00000007 there, and 00000000 here", "a client that one counts as a crawler may be a fake crawler to the other"
	if got := Unlike(theirs, ours); got != said {
		t.Errorf("%s, want %s", got, said)
	}
	if got := Harm(theirs, ours); got != cost {
		t.Errorf("%s, want %s", got, cost)
	}
}
