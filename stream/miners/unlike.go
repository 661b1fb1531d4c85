package miners

import (
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"dustbuster/operators/metric"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/topics"
)

// UnlikeError reports observations that agents with other settings send.
type UnlikeError struct{ Theirs, Ours evidence.Head }

// Error names the setting, both values, the cost, and the remedy.
func (e *UnlikeError) Error() string {
	return fmt.Sprintf("agents with other settings send observations: %s: %s; give all agents and miners the same settings",
		topics.Unlike(e.Theirs, e.Ours), topics.Harm(e.Theirs, e.Ours))
}

// unlikeFor is how long a member is not ready after it has read an observation of an agent with other
// settings.
const unlikeFor = 10 * time.Minute

// unlike counts the observations of agents with other settings.
type unlike struct {
	counts [evidence.Differences]atomic.Int64
	last   atomic.Pointer[lastUnlike] // nil: none
	told   atomic.Int64               // the second of the last report
}

type lastUnlike struct {
	err *UnlikeError
	at  time.Time // read
}

// unlikeRecord takes in a record of an agent with other settings, and its number of observations. What was
// sent long before it was read, as before a start, tells nothing of the agents of now. Another version of
// the rules for clients is no mistake, nor are other addresses of crawlers: agents are upgraded one after the
// other.
func (p *partition) unlikeRecord(theirs evidence.Head, sent time.Time, fresh bool, n int) {
	now := time.Now()
	if !fresh && now.Sub(sent) > unlikeFor {
		return
	}
	ours := p.member.o.Head
	d := theirs.Differs(ours)
	p.unlike.counts[d].Add(int64(n))
	if d >= evidence.OtherRule {
		return
	}
	err := &UnlikeError{theirs, ours}
	told := p.unlike.told.Load()
	if now.Unix() > told && p.unlike.told.CompareAndSwap(told, now.Unix()) {
		p.report(Report{Kind: Unlike, Count: p.unlike.counts[d].Load(), Err: err})
	}
	p.unlike.last.Store(&lastUnlike{err, now})
}

// err returns the error of an agent with other settings that has sent lately; nil if there is none.
func (u *unlike) err(now time.Time) error {
	if last := u.last.Load(); last != nil && now.Sub(last.at) < unlikeFor {
		return last.err
	}
	return nil
}

// unlikeNames are the settings, as labels.
var unlikeNames = [evidence.Differences]string{evidence.OtherPane: "pane", evidence.OtherKey: "hash_key", evidence.OtherSites: "sites", evidence.OtherRule: "version", evidence.OtherCrawlers: "crawlers"}

// metrics returns the counts of a partition.
func unlikeMetrics(partition int, counts *[evidence.Differences]int64) (all []metric.Metric) {
	for d := evidence.OtherPane; d < evidence.Differences; d++ {
		all = append(all, metric.Counter("unlike_observations_total", "Observations of agents with other settings, by partition and setting.", counts[d],
			metric.Label{Name: "partition", Value: strconv.Itoa(partition)}, metric.Label{Name: "setting", Value: unlikeNames[d]}))
	}
	return all
}
