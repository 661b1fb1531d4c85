package topics

import "fmt"

// DefaultPartitions is the number of partitions of new topics: enough for twelve
// miners, and divisible among two, three, four and six.
const DefaultPartitions = 12

// count is the number of partitions that observations, rules and events should have,
// with the reason.
type count struct {
	want int
	of   string // the topic in use with this number; "": no topic is in use, and all can be given the number
}

// count returns the number of partitions of the first topic in use. If no topic is in
// use, the number is the larger of the plan's and those already there.
func (f *Facts) count(p *Plan) (c count) {
	for _, w := range p.topics() {
		t, looked := f.Topics[w.name]
		if !looked || t.Missing || t.Denied || !w.kind.owned() {
			continue
		}
		if t.Used {
			return count{t.Partitions, w.name}
		}
		c.want = max(c.want, t.Partitions)
	}
	if c.want = max(c.want, p.Partitions); c.want == 0 {
		c.want = DefaultPartitions
	}
	return c
}

// partitionsSetting stands for the number of partitions in a Finding.
const partitionsSetting = "partitions"

const (
	sameOwner = "the owner of a partition of the observations owns the partitions of the same number of the rules and of the events"
	moves     = "do not add partitions to a topic in use: its sites would move to others and lose their owner, their observations and their rules"
	another   = `make a set of topics under other names and move to it, as docs/kafka.md says under "More partitions"`
)

// partitions finds numbers of partitions that differ between topics, or are too small.
func partitions(p *Plan, w wanted, t *Topic, c count) []Finding {
	if !w.kind.owned() {
		return nil
	}
	found := Finding{Severity: Wrong, Topic: w.name, Setting: partitionsSetting, What: fmt.Sprintf("has %s, want %d", Count(t.Partitions, "partition"), c.want), Why: sameOwner}
	if c.of != "" {
		found.What += fmt.Sprintf(" as topic %q has", c.of)
	}
	switch {
	case t.Partitions != c.want && t.Used:
		found.Remedy = moves + "; " + another
	case t.Partitions < c.want:
		found.Remedy = p.createOr() + ": the topic is empty and can be given more partitions"
	case t.Partitions > c.want:
		found.Remedy = "the topic is empty: delete it, and " + p.createOr()
	case t.Partitions < p.Partitions && w.name == c.of:
		found.What = fmt.Sprintf("has %s, want at least %d", Count(t.Partitions, "partition"), p.Partitions)
		found.Why = "more miners than partitions have nothing to do"
		found.Remedy = moves + "; " + another
	case t.Partitions == 1 && w.kind == observed:
		found.Severity = Doubtful
		found.What = "has one partition"
		found.Why = "one miner does all the work, others only wait to replace it"
		found.Remedy = "if more are to share it, " + another
	default:
		return nil
	}
	return []Finding{found}
}

// replicas finds topics that would be lost with one broker.
func replicas(w wanted, t *Topic) []Finding {
	if w.kind == lines || t.Replicas != 1 {
		return nil
	}
	return []Finding{{Severity: Doubtful, Topic: w.name, Setting: "replication.factor", What: "has one replica",
		Why:    "its records are lost with its broker's disk, and no program can use it while that broker is down",
		Remedy: "give it three replicas with kafka-reassign-partitions.sh (Kafka's own tool), unless this is only a trial"}}
}
