package topics

import (
	"slices"
	"testing"
	"time"

	"dustbuster/stream/kafka"
)

// watched is a watch of good topics, and what it tells.
func watched(t *testing.T) (w *Watch, look func(change func(*Facts), takeover bool, at int) (told []string)) {
	t.Helper()
	var told []string
	facts := good(plan)
	w = NewWatch(nil, plan, facts, func(f Finding) { told = append(told, f.Says()) })
	return w, func(change func(*Facts), takeover bool, at int) []string {
		told = nil
		f := good(plan)
		change(&f)
		w.take(f, takeover, time.Unix(int64(at), 0))
		return told
	}
}

// A finding is told once two looks in a row have it, once, and again when partitions have moved.
func TestWatchTells(t *testing.T) {
	w, look := watched(t)
	same := func(*Facts) {}
	cut := func(f *Facts) { f.Topics["o"].Config["retention.ms"] = "1000" }
	const says = `topic "o": retention.ms is 1000 (1s), want at least 180000000 (50h), two windows and a pane`
	for i, step := range []struct {
		change   func(*Facts)
		takeover bool
		at       int
		told     []string
		wrong    bool
	}{
		{same, false, 0, nil, false},
		{cut, false, 15, nil, false},
		{same, false, 20, nil, false}, // one broker was behind
		{cut, false, 35, nil, false},
		{cut, false, 40, []string{says}, true},
		{cut, false, 55, nil, true},
		{cut, true, 60, nil, true}, // told just now
		{cut, true, 100, []string{says}, true},
		{cut, false, 170, nil, true},
		{same, false, 185, nil, false},
		{cut, false, 200, nil, false},
		{cut, true, 205, []string{says}, true},
	} {
		if told := look(step.change, step.takeover, step.at); !slices.Equal(told, step.told) {
			t.Errorf("step %d: told %q, want %q", i, told, step.told)
		}
		if err := w.Err(); (err != nil) != step.wrong {
			t.Errorf("step %d: %v", i, err)
		}
	}
}

// A topic that was made again is told at once. An unknown id is no other id.
func TestWatchRecreated(t *testing.T) {
	w, look := watched(t)
	id := func(n byte) func(*Facts) {
		return func(f *Facts) { f.change("r", func(t *Topic) { t.ID = kafka.TopicID{n} }) }
	}
	gone := func(f *Facts) { f.change("r", func(t *Topic) { *t = Topic{Missing: true} }) }
	for i, step := range []struct {
		change func(*Facts)
		told   int
	}{{id(1), 0}, {id(0), 0}, {gone, 0}, {id(2), 1}, {id(2), 0}, {id(1), 1}} {
		told := look(step.change, false, i)
		if len(told) != step.told || step.told > 0 && told[0] != `topic "r": was deleted and made again` {
			t.Errorf("step %d: told %q", i, told)
		}
	}
	if err := w.Err(); err != nil {
		t.Error(err)
	}
}

// What was told at the start is not told again before partitions move.
func TestWatchKnowsTheStart(t *testing.T) {
	facts := good(plan)
	facts.Topics["r"].Config["segment.ms"] = "604800000"
	n := 0
	w := NewWatch(nil, plan, facts, func(Finding) { n++ })
	w.take(facts, false, time.Now())
	w.take(facts, true, time.Now().Add(2*time.Second))
	if n != 0 {
		t.Errorf("told %d times", n)
	}
	if w.take(facts, true, time.Now().Add(2*time.Minute)); n != 1 {
		t.Errorf("told %d times after a takeover", n)
	}
}
