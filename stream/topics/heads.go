package topics

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"dustbuster/operators/window/evidence"
	"dustbuster/stream/kafka"
)

const (
	headsTime    = 3 * time.Second  // bounds the wait for the newest records
	headsRecords = 64               // the most looked at of a partition
	lately       = 10 * time.Minute // before the newest of all: what quiet partitions hold tells of former settings
)

// written is the head of a record, with its time.
type written struct {
	head evidence.Head
	at   time.Time
}

// newest returns the heads of the newest records, each once for each partition, as far as readable.
func newest(ctx context.Context, c *kafka.Cluster, topic string, ranges []kafka.Range) (heads []evidence.Head) {
	ctx, cancel := context.WithTimeout(ctx, headsTime)
	defer cancel()
	r := kafka.NewReader(c, kafka.ReaderOptions{})
	defer r.Close()
	parts := map[int]*kafka.Partition{}
	for p, at := range ranges {
		if at.End > at.First {
			parts[p] = r.Add(topic, p, max(at.First, at.End-headsRecords))
		}
	}
	d, all := evidence.NewDecoder(nil), [][]written{}
	for p, from := range parts {
		if list := headsOf(ctx, d, from, ranges[p].End); len(list) > 0 {
			all = append(all, list)
		}
	}
	return late(all)
}

// headsOf reads a partition up to an end.
func headsOf(ctx context.Context, d *evidence.Decoder, from *kafka.Partition, end int64) (list []written) {
	for {
		b, err := from.Read(ctx)
		if err != nil {
			return list
		}
		for i := range b.Records {
			if v, err := d.Decode(b.Records[i].Value); err == nil {
				list = append(list, written{v.Head, b.Records[i].Time})
			}
		}
		if b.Next >= end {
			return list
		}
	}
}

// late returns the heads of the records that are nearly as new as the newest.
func late(all [][]written) (heads []evidence.Head) {
	var since time.Time
	for _, list := range all {
		for _, w := range list {
			if from := w.at.Add(-lately); from.After(since) {
				since = from
			}
		}
	}
	for _, list := range all {
		var seen []evidence.Head
		for _, w := range list {
			if !w.at.Before(since) && !slices.Contains(seen, w.head) {
				seen = append(seen, w.head)
			}
		}
		heads = append(heads, seen...)
	}
	return heads
}

// Unlike says in which settings the observations of another program differ from those of this one, and
// names both values of each; "": in none.
func Unlike(theirs, ours evidence.Head) string {
	var all []string
	say := func(form string, args ...any) { all = append(all, fmt.Sprintf(form, args...)) }
	for {
		switch theirs.Differs(ours) {
		case evidence.OtherPane:
			say("%s there, and %s here", pane(theirs.Pane), pane(ours.Pane))
			theirs.Pane = ours.Pane
		case evidence.OtherKey:
			say("keep.hash_key is another: its mark is %08x there, and %08x here", theirs.Check, ours.Check)
			theirs.Check = ours.Check
		case evidence.OtherSites:
			say("site.by or site.groups are others: their mark is %08x there, and %08x here", theirs.Sites, ours.Sites)
			theirs.Sites = ours.Sites
		case evidence.OtherRule:
			say("clients are counted by version %d there, and by version %d here", theirs.Rule, ours.Rule)
			theirs.Rule = ours.Rule
		case evidence.OtherCrawlers:
			say("the files of read.crawler_addresses are others: their mark is %08x there, and %08x here", theirs.Crawlers, ours.Crawlers)
			theirs.Crawlers = ours.Crawlers
		case evidence.Same, evidence.Differences:
			return strings.Join(all, "; ")
		}
	}
}

func pane(seconds int64) string {
	if seconds == 0 {
		return "read.window is 0"
	}
	return "read.pane is " + short.Replace((time.Duration(seconds) * time.Second).String())
}

// harm is what a difference costs.
var harm = [evidence.Differences]string{
	evidence.OtherPane:  "miners leave out the observations of one of the two",
	evidence.OtherKey:   "clients cannot be compared, so miners count only some of them, and request fewer URLs",
	evidence.OtherSites: "the URLs of one site come under two names, and each has half of the evidence",
	evidence.OtherRule:  "clients cannot be compared, so miners count only some of them, and request fewer URLs",

	evidence.OtherCrawlers: "a client that one counts as a crawler may be a fake crawler to the other",
}

// Harm says what it costs that the observations of another program differ from those of this one.
func Harm(theirs, ours evidence.Head) string { return harm[theirs.Differs(ours)] }

// foreign finds observations of agents with another configuration.
func foreign(p *Plan, w wanted, t *Topic) []Finding {
	if p.Head == nil || w.kind != observed {
		return nil
	}
	if t.Unread && p.Role == Agent {
		return []Finding{{Severity: Unseen, Topic: w.name, What: "its newest records cannot be read", Why: "whether other agents have the same settings is not checked",
			Remedy: "allow the user Read on the topic; or see what the miners say of agents with other settings"}}
	}
	worst, others := evidence.Head{}, 0
	own := slices.ContainsFunc(t.Heads, func(h evidence.Head) bool { return h.Differs(*p.Head) == evidence.Same })
	for _, h := range t.Heads {
		d, before := h.Differs(*p.Head), worst.Differs(*p.Head)
		if d == evidence.Same {
			continue
		}
		if others++; others == 1 || d < before {
			worst = h
		}
	}
	if others == 0 {
		return nil
	}
	found := Finding{Severity: Doubtful, Topic: w.name, Why: harm[worst.Differs(*p.Head)],
		What:   fmt.Sprintf("the newest records of %s were written with other settings: %s", Count(others, "partition"), Unlike(worst, *p.Head)),
		Remedy: "give all agents and miners the same settings, and restart those with other settings; the records already written expire with time"}
	if p.Role == Agent && !own && !p.Changed && worst.Differs(*p.Head) < evidence.OtherRule {
		found.Severity, found.Setting = Wrong, headSetting
		found.Remedy = "give this agent the settings of the others and of the miners; if those of all were changed on purpose, set kafka.settings_changed to true for each agent's next start"
	}
	return []Finding{found}
}

// headSetting stands for the settings of heads in a Finding.
const headSetting = "observations"
