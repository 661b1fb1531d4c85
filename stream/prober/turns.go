package prober

import (
	"math"
	"time"

	"dustbuster/stream/fetch"
	"dustbuster/stream/turns"
)

// keptFor is how long a view stays after a turn of its site, even if others want the memory. Sites whose
// servers are asked every few seconds keep their views, since to derive one takes up to a second.
const keptFor = 10 * time.Second

// NewTurns returns Turns for sites that are asked by a Fetcher.
func NewTurns(f Fetcher, o TurnsOptions) *Turns {
	t := &Turns{fetcher: f, o: o, loaded: newLRU[*site, view](math.MaxInt, nil)}
	t.timer = time.AfterFunc(forever, t.wake)
	return t
}

// join puts a site in the queue, or changes its rank there.
func (t *Turns) join(s *site, rank turns.Rank) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case s.worker.ctx.Err() != nil, s.turn.now:
		return
	case s.turn.waits && s.turn.later: // what is new may be done at once
		t.count(s, -1)
		t.queue.Remove(&s.turn.site)
		t.put(s, rank, 0)
	case s.turn.waits:
		t.count(s, -1)
		t.queue.Rerank(&s.turn.site, rank)
		t.count(s, 1)
	default:
		t.put(s, rank, 0)
	}
	t.start()
}

// put puts a site in the queue, for a turn at a time or later. The caller holds mu.
func (t *Turns) put(s *site, rank turns.Rank, later int64) {
	at := &s.turn.site
	at.Of, at.Origin, at.Rank, at.Ready = s, t.fetcher.Origin(s.name), rank, t.fetcher.Limits(s.name).Ready
	from := time.Unix(later, 0)
	if s.turn.later = later > 0 && from.After(at.Ready); s.turn.later {
		at.Ready = from
	}
	s.turn.waits = true
	t.queue.Put(at, time.Now())
	t.count(s, 1)
}

// busy reports whether a site waits for a turn, or has one.
func (t *Turns) busy(s *site) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return s.turn.waits || s.turn.now
}

// queued reports whether a site waits for its turn, and none of its trials is under way.
func (t *Turns) queued(s *site) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return s.turn.waits && !s.turn.site.Rank.Begun
}

// count counts a site of the queue if its trial is under way. The caller holds mu.
func (t *Turns) count(s *site, n int) {
	if s.turn.site.Rank.Begun {
		t.begun += n
	}
}

func (t *Turns) wake() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.start()
}

// start gives as many turns as may be, and sees to it that the next is given in time. The caller holds mu.
func (t *Turns) start() {
	for {
		now := time.Now()
		l := turns.Limits{Opens: t.fetcher.Opens, Room: t.hasRoom(now)}
		at := t.fetcher.Opens("")
		if !at.After(now) {
			if next := t.queue.Next(now, l); next != nil {
				t.give(next.Of.(*site))
				continue
			}
			at = t.queue.Wake(l)
		}
		if soon := now.Add(time.Second); !l.Room && (at.IsZero() || at.After(soon)) {
			at = soon // there may be room
		}
		if !at.IsZero() {
			t.timer.Reset(max(0, at.Sub(now)))
		}
		return
	}
}

// give gives a site its turn. The caller holds mu.
func (t *Turns) give(s *site) {
	t.count(s, -1)
	t.begun++
	s.turn.waits, s.turn.now = false, true
	if s.view.Load() == 0 {
		s.turn.deriving = true
		t.deriving++
	}
	pass, end := t.fetcher.Pass(s.name)
	s.worker.done.Go(func() {
		t.run(s, pass)
		end()
		t.wake()
	})
}

// run is a turn of a site.
func (t *Turns) run(s *site, pass *fetch.Pass) {
	rank, goesOn := s.take(s.worker.ctx, pass)
	if !goesOn || !rank.Begun {
		s.pack()
	}
	t.derived(s)
	if goesOn = goesOn && s.worker.ctx.Err() == nil; !goesOn {
		s.stopped()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begun--
	if s.turn.now = false; goesOn {
		t.put(s, rank, s.later)
	}
}

// derived notes that the view of a site in its turn is in memory, if the site has one.
func (t *Turns) derived(s *site) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.use(s)
	if s.turn.deriving {
		s.turn.deriving = false
		t.deriving--
		t.start()
	}
}

// hasRoom reports whether trials of further sites may begin: there is memory for their views, not too many are
// being derived, and there are enough requests if these are limited. The caller holds mu.
func (t *Turns) hasRoom(now time.Time) bool {
	if left := t.fetcher.Limits("").LeftInAll; left < math.MaxInt && t.begun >= max(1, left/requestsOfSite) {
		return false
	}
	_, oldest, some := t.loaded.GetOldest()
	return t.deriving < mostDerived && (t.o.Views == 0 || t.used < t.o.Views || some && now.Sub(oldest.at) >= keptFor)
}

// Bounds of the trials that begin. If requests are limited, each tried site has requestsOfSite requests: many
// rules with a few requests each would get no verdict. A view is derived by one core.
const (
	requestsOfSite = 500
	mostDerived    = 4
)

// use notes that a site has used its view, and drops the views used least recently, to make room. The caller
// holds mu.
func (t *Turns) use(s *site) {
	t.forget(s)
	if n := s.view.Load(); n > 0 && s.worker.ctx.Err() == nil {
		t.loaded.Add(s, view{n, time.Now()})
		t.used += n
	}
	for t.o.Views > 0 && t.used > t.o.Views && t.loaded.Len() > 1 {
		old, _, _ := t.loaded.GetOldest()
		t.forget(old)
		if old.turn.now {
			continue
		}
		old.view.Store(0)
		old.worker.done.Go(old.unload)
		if rank := old.turn.site.Rank; old.turn.waits && rank.Begun {
			rank.Begun = false
			t.count(old, -1)
			t.queue.Rerank(&old.turn.site, rank)
		}
	}
}

// forget forgets the view of a site. The caller holds mu.
func (t *Turns) forget(s *site) {
	if v, known := t.loaded.Peek(s); known {
		t.used -= v.bytes
		t.loaded.Remove(s)
	}
}

// leave takes a worker's sites out of the line.
func (t *Turns) leave(w *Worker) {
	for _, s := range w.all() {
		if t.remove(s) {
			s.stopped()
		}
	}
}

// remove takes a site out of the queue, and reports whether it waited there.
func (t *Turns) remove(s *site) (waited bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forget(s)
	if s.turn.waits {
		t.count(s, -1)
		t.queue.Remove(&s.turn.site)
		s.turn.waits = false
		return true
	}
	return false
}

// Waiting describes the sites that wait for a turn.
type Waiting struct {
	Sites int `json:"sites"`
	First int `json:"first_turn"` // of these, sites that had no turn yet
	Views int `json:"views"`      // sites whose views are in memory

	Rate        float64 `json:"rate_needed,omitempty"`         // requests a second with which none waits too long; 0: the rate is enough
	OriginDelay float64 `json:"origin_delay_needed,omitempty"` // seconds; the same of the origin with the most sites
}

// requestsOfTurn is the number of requests that a turn takes, about.
const requestsOfTurn = 2

// Waiting returns how many sites wait for a turn, and what they need.
func (t *Turns) Waiting() Waiting {
	t.mu.Lock()
	defer t.mu.Unlock()
	need := t.queue.Need()
	w := Waiting{Sites: need.Waiting, First: need.Fresh, Views: t.loaded.Len()}
	if rate := requestsOfTurn * need.Rate; t.o.Rate > 0 && rate > t.o.Rate {
		w.Rate = math.Ceil(rate)
	}
	if rate := requestsOfTurn * need.Origin; rate*t.o.OriginDelay.Seconds() > 1 {
		w.OriginDelay = 1 / rate
	}
	return w
}
