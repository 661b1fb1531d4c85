package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// shownLines are the lines of a log, with the seconds since a time, and the counts.
func shownLines(seen *observer.ObservedLogs, since time.Time) (all []string) {
	for _, e := range seen.TakeAll() {
		all = append(all, fmt.Sprintf("%v %s %v: %v", int(e.Time.Sub(since).Seconds()), e.Message, e.ContextMap()["error"], e.ContextMap()["times"]))
	}
	return all
}

// Of each cause the log has a line at once, and then one a minute with the number of times.
// What is counted at the end is told at the end.
func TestRepeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core, seen := observer.New(zap.InfoLevel)
		log, begun := zap.New(newRepeats(core)), time.Now()
		full := errors.New("disk full")
		for i := range 130 {
			log.Error("cannot save", Retried(fmt.Errorf("write %d: %w", i, full)))
			log.Error("cannot reach", Retried(fmt.Errorf("dial 127.0.0.1:%d for %q: refused", i, fmt.Sprint("topic", i))), zap.Int("partition", i))
			if i%7 == 0 && i < 20 {
				log.Error("cannot read", Retried(&fs.PathError{Op: "open", Path: string('a' + rune(i%2)), Err: full}))
			}
			if i == 10 {
				log.With(zap.Int("id", 1)).Error("cannot reach", Retried(fmt.Errorf("%w: the last: %w", full, errors.New("timeout"))))
			}
			time.Sleep(1100 * time.Millisecond)
		}
		want := []string{"0 cannot read open a: disk full: <nil>", "7 cannot read open b: disk full: <nil>", "60 cannot read open a: disk full: 1", "0 cannot save write 0: disk full: <nil>", `0 cannot reach dial 127.0.0.1:0 for "topic0": refused: <nil>`, "11 cannot reach disk full: the last: timeout: <nil>",
			"60 cannot save write 54: disk full: 54", `60 cannot reach dial 127.0.0.1:54 for "topic54": refused: 54`,
			"120 cannot save write 109: disk full: 55", `120 cannot reach dial 127.0.0.1:109 for "topic109": refused: 55`}
		got := shownLines(seen, begun)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		_ = log.Sync()
		got = shownLines(seen, begun)
		slices.Sort(got)
		if want := []string{`143 cannot reach dial 127.0.0.1:129 for "topic129": refused: 20`, "143 cannot save write 129: disk full: 20"}; !slices.Equal(got, want) {
			t.Errorf("at the end %q, want %q", got, want)
		}
		time.Sleep(5 * time.Minute) // quiet: nothing is told, and the next is told at once
		log.Error("cannot save", Retried(full))
		if got := shownLines(seen, begun); !slices.Equal(got, []string{"443 cannot save disk full: <nil>"}) {
			t.Errorf("after a while %q", got)
		}
	})
}

// Lines about what is not tried again are all written, whatever they say; lines below the
// level are not.
func TestRepeatsOthers(t *testing.T) {
	core, seen := observer.New(zap.InfoLevel)
	log := zap.New(newRepeats(core))
	for range 20 {
		log.Error("lines were deleted before they were read", Cause(errors.New("retention")))
		log.Info("rule valid", zap.String("id", "x"))
		log.Debug("cannot look", Retried(errors.New("no")))
	}
	if n := seen.Len(); n != 40 {
		t.Errorf("%d lines, want 40", n)
	}
}

// A flood of causes is bounded, in lines and in memory.
func TestRepeatsManyCauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core, seen := observer.New(zap.InfoLevel)
		log := zap.New(newRepeats(core))
		for i := range 10_000 {
			log.Error("cannot save "+strings.Repeat("x", i), Retried(errors.New("no")))
		}
		if n := seen.Len(); n != mostCauses+1 {
			t.Errorf("%d lines, want %d", n, mostCauses+1)
		}
		time.Sleep(repeatEvery)
		synctest.Wait()
		if n := seen.Len(); n != mostCauses+2 {
			t.Errorf("%d lines after a minute, want %d", n, mostCauses+2)
		}
	})
}
