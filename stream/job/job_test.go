package job_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/stream/job"
)

// work returns a job that waits for gate and notes in log what its parts do.
func work(name string, gate <-chan struct{}, log *[]string) job.Begin {
	return func() job.Run {
		*log = append(*log, name+" begins")
		return func() job.Take {
			if gate != nil {
				<-gate
			}
			return func(context.Context) { *log = append(*log, name+" is taken") }
		}
	}
}

// Hosts get the turn of a limited class one after the other, in the order in which they asked. Other classes do not wait.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, gate, log := job.NewQueue(), make(chan struct{}), []string(nil)
		hosts := []*job.Host{q.NewHost(), q.NewHost(), q.NewHost()}
		for i, h := range hosts {
			h.Go(job.Look, work(fmt.Sprint("look ", i), gate, &log))
		}
		hosts[2].Go(job.Save, work("save 2", nil, &log))
		hosts[2].Wait(t.Context(), job.Save)
		for i, h := range hosts {
			if !h.Busy(job.Look) || h.Busy(job.Save) {
				t.Errorf("host %d: looks %v, saves %v", i, h.Busy(job.Look), h.Busy(job.Save))
			}
		}
		close(gate)
		for _, h := range hosts {
			h.Wait(t.Context(), job.Look)
		}
		want := []string{"look 0 begins", "save 2 begins", "save 2 is taken", "look 0 is taken", "look 1 begins", "look 1 is taken", "look 2 begins", "look 2 is taken"}
		if !slices.Equal(log, want) {
			t.Errorf("%q, want %q", log, want)
		}
	})
}

// A job that is cancelled before it begins never begins, whether it waits or its turn has just come, and others do not
// wait for it. A job that runs goes on.
func TestCancel(t *testing.T) {
	for _, c := range []struct {
		name      string
		end       func(first, second *job.Host, gate chan struct{}) // of the first look
		cancelled int
		want      []string
	}{
		{"waits", func(_, second *job.Host, gate chan struct{}) { second.Cancel(job.Look); close(gate) }, 1,
			[]string{"0 begins", "0 is taken", "2 begins", "2 is taken"}},
		{"its turn has come", func(first, second *job.Host, gate chan struct{}) {
			close(gate)
			first.Wait(context.Background(), job.Look)
			second.Cancel(job.Look)
		}, 1, []string{"0 begins", "0 is taken", "2 begins", "2 is taken"}},
		{"runs", func(first, _ *job.Host, gate chan struct{}) { first.Cancel(job.Look); close(gate) }, 0,
			[]string{"0 begins", "0 is taken", "1 begins", "1 is taken", "2 begins", "2 is taken"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q, gate, log := job.NewQueue(), make(chan struct{}), []string(nil)
				hosts := []*job.Host{q.NewHost(), q.NewHost(), q.NewHost()}
				for i, h := range hosts {
					h.Go(job.Look, work(fmt.Sprint(i), gate, &log))
				}
				c.end(hosts[0], hosts[1], gate)
				for _, h := range hosts {
					h.Wait(t.Context(), job.Look)
				}
				if !slices.Equal(log, c.want) {
					t.Errorf("%q, want %q", log, c.want)
				}
			})
		})
	}
}

// A job without anything to run ends at once and leaves its turn.
func TestNothingToRun(t *testing.T) {
	q := job.NewQueue()
	for range 2 {
		h := q.NewHost()
		if h.Go(job.Look, func() job.Run { return nil }); h.Busy(job.Look) {
			t.Error("the job goes on")
		}
	}
}

// Oldest tells since when a job runs, and not for how long it has waited.
func TestOldest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, gate, log := job.NewQueue(), make(chan struct{}), []string(nil)
		first, second := q.NewHost(), q.NewHost()
		first.Go(job.Look, work("first", gate, &log))
		second.Go(job.Look, work("second", gate, &log))
		time.Sleep(time.Minute)
		for _, c := range []struct {
			name string
			got  time.Duration
			want time.Duration
		}{{"runs", first.Oldest(job.Save, job.Look), time.Minute}, {"of another class", first.Oldest(job.Save), 0}, {"waits", second.Oldest(job.Look), 0}} {
			if c.got != c.want {
				t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
			}
		}
		close(gate)
		first.Wait(t.Context(), job.Look)
		second.Wait(t.Context(), job.Look)
	})
}
