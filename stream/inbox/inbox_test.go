package inbox_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/stream/inbox"
)

// held owns an inbox until the returned function is called.
func held(b *inbox.Inbox) (release func()) {
	gate, in := make(chan struct{}), make(chan struct{})
	go b.Do(func() {
		close(in)
		<-gate
	})
	<-in
	return func() { close(gate) }
}

// Letters are read in their order, each once. Of two of a kind the later is read in the place of the first. What others
// see is shown before each owner begins, and at last.
func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log []string
		note := func(what string) func() { return func() { log = append(log, what) } }
		b := &inbox.Inbox{Leave: note("shown")}
		release := held(b)
		b.Post("a", note("a1"))
		b.Post("", note("b"))
		asked := make(chan bool)
		go func() { asked <- b.Ask(t.Context(), time.Minute, note("asked")) }()
		synctest.Wait()
		go b.Do(note("owned"))
		synctest.Wait()
		b.Post("a", note("a2"))
		b.Post("", note("c"))
		if log != nil {
			t.Errorf("%q beside the owner", log)
		}
		release()
		if !<-asked {
			t.Error("not answered")
		}
		synctest.Wait()
		want := []string{"a2", "b", "asked", "shown", "owned", "c", "shown"}
		if !slices.Equal(log, want) {
			t.Errorf("%q, want %q", log, want)
		}
	})
}

// A question that was not answered in time is never read. One that is being read is answered.
func TestDeadlines(t *testing.T) {
	for _, c := range []struct {
		name string
		gone bool // the caller
		most time.Duration
		held time.Duration
		read bool
	}{
		{"in time", false, 2 * time.Second, time.Second, true},
		{"too late", false, time.Second, 2 * time.Second, false},
		{"the caller has gone", true, time.Minute, time.Second, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, read := &inbox.Inbox{}, false
				release := held(b)
				time.AfterFunc(c.held, release)
				began := time.Now()
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if c.gone {
					cancel()
				}
				answered := b.Ask(ctx, c.most, func() { read = true })
				if took := time.Since(began); took > min(c.most, c.held) {
					t.Errorf("it took %v", took)
				}
				time.Sleep(time.Hour)
				if read != c.read || answered != c.read {
					t.Errorf("read %v, answered %v", read, answered)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		b := &inbox.Inbox{}
		release := held(b)
		answered := make(chan bool)
		go func() { answered <- b.Ask(t.Context(), time.Second, func() { time.Sleep(time.Minute) }) }()
		synctest.Wait()
		release()
		if !<-answered {
			t.Error("not answered though it was being read at its deadline")
		}
	})
}

// Beyond Room, questions are refused at once. Letters of other sorts are not.
func TestRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, read, posted := &inbox.Inbox{}, 0, 0
		release := held(b)
		var asking sync.WaitGroup
		for range inbox.Room {
			asking.Go(func() { _ = b.Ask(context.Background(), time.Hour, func() { read++ }) })
		}
		synctest.Wait()
		began := time.Now()
		if b.Ask(t.Context(), time.Hour, func() { read++ }) || !time.Now().Equal(began) {
			t.Errorf("one question too many waited %v", time.Since(began))
		}
		b.Post("", func() { posted++ })
		release()
		asking.Wait()
		synctest.Wait()
		if read != inbox.Room || posted != 1 {
			t.Errorf("%d questions read, %d letters", read, posted)
		}
	})
}

// Many goroutines of all sorts never own the thing together, and nothing that was accepted is lost.
func TestOneOwner(t *testing.T) {
	var all sync.WaitGroup
	n, shown := 0, -1
	b := &inbox.Inbox{}
	b.Leave = func() { shown = n }
	accepted := make(chan int, 8)
	for g := range 8 {
		all.Go(func() {
			rng, mine := rand.New(rand.NewPCG(1, uint64(g))), 0
			defer func() { accepted <- mine }()
			for range 2000 {
				switch add := func() { n++ }; rng.IntN(3) {
				case 0:
					b.Do(add)
					mine++
				case 1:
					b.Post("", add)
					mine++
				default:
					if b.Ask(context.Background(), time.Duration(rng.IntN(1000))*time.Nanosecond, add) {
						mine++
					}
				}
			}
		})
	}
	all.Wait()
	want := 0
	for range 8 {
		want += <-accepted
	}
	b.Do(func() {
		if n != want {
			t.Errorf("%d of %d were read", n, want)
		}
	})
	if shown != want {
		t.Errorf("shown %d of %d", shown, want)
	}
}
