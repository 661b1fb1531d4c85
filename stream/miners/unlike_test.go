package miners

import (
	"errors"
	"strings"
	"testing"
	"time"

	"dustbuster/operators/window/evidence"
)

// Observations of agents with other settings are counted by setting. They make a member not ready if they
// come now; what is old, or only of another version, does not.
func TestUnlikeRecords(t *testing.T) {
	own := evidence.Head{Pane: 7200, Check: 1, Rule: 1, Sites: 1}
	key, version, crawlers := own, own, own
	key.Check, version.Rule, crawlers.Crawlers = 0xab, 2, 7
	now := time.Now()
	for _, c := range []struct {
		name     string
		theirs   evidence.Head
		sent     time.Time
		fresh    bool
		counted  evidence.Difference // Same: none
		notReady bool
	}{
		{"before the start", key, now.Add(-time.Hour), false, evidence.Same, false},
		{"just before the start", key, now.Add(-time.Minute), false, evidence.OtherKey, true},
		{"fresh, by a clock that is behind", key, now.Add(-time.Hour), true, evidence.OtherKey, true},
		{"an agent that is upgraded", version, now, true, evidence.OtherRule, false},
		{"an agent with other lists of crawlers", crawlers, now, true, evidence.OtherCrawlers, false},
	} {
		reports := 0
		p := &partition{member: New(Options{Head: own, Report: func(r Report) { reports++ }})}
		for range 3 {
			p.unlikeRecord(c.theirs, c.sent, c.fresh, 5)
		}
		for d := range evidence.Differences {
			if got, want := p.unlike.counts[d].Load(), int64(15); (got == want) != (d == c.counted && d != evidence.Same) {
				t.Errorf("%s: difference %d has %d observations", c.name, d, got)
			}
		}
		err := p.unlike.err(time.Now())
		if (err != nil) != c.notReady || (reports > 0) != c.notReady || reports > 2 {
			t.Errorf("%s: %d reports, %v", c.name, reports, err)
		}
		var unlike *UnlikeError
		if c.notReady && (!errors.As(err, &unlike) || !strings.Contains(err.Error(), "mark is 000000ab there, and 00000001 here: clients cannot be compared")) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err := p.unlike.err(now.Add(unlikeFor + time.Minute)); err != nil {
			t.Errorf("%s: not ready for ever: %v", c.name, err)
		}
	}
}
