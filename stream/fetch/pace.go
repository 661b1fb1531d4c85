package fetch

import (
	"context"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// pace says when requests may begin, beside the delays of their hosts: of the process at most Options.Rate
// a second, and of an origin one in Options.OriginDelay.
//
// A caller that has many sites to ask takes a pass before it asks one (Pass). A pass counts like a request
// until the request is made, so no more callers begin than requests may. The later requests of a pass come
// before further passes.
type pace struct {
	limit   *rate.Limiter
	passes  int // not used yet
	origins map[string]*shared
}

// shared is what the hosts behind an origin share.
type shared struct {
	delay  time.Duration
	free   time.Time // earliest next request
	hold   time.Time // the same, as answers asked for
	tempo  tempo     // of all answers
	passes int       // not used yet
}

// burst is the time of which requests may be made up for at once, in seconds.
const burst = 0.1

func newPace(perSecond float64) *pace {
	p := &pace{limit: rate.NewLimiter(rate.Inf, 1), origins: map[string]*shared{}}
	if perSecond > 0 {
		p.limit = rate.NewLimiter(rate.Limit(perSecond), max(1, int(math.Ceil(perSecond*burst))))
	}
	return p
}

// opens returns when the process may make a request that needs a pass; zero: now.
func (p *pace) opens(now time.Time) time.Time {
	if p.limit.Limit() == rate.Inf {
		return time.Time{}
	}
	lacks := 1 + float64(p.passes) - p.limit.TokensAt(now)
	if lacks <= 0 {
		return time.Time{}
	}
	return now.Add(time.Duration(lacks / float64(p.limit.Limit()) * float64(time.Second)))
}

// opens returns when an origin may be asked by a request that needs a pass.
func (s *shared) opens(now time.Time) time.Time {
	at := latest(s.free, s.hold)
	if s.passes == 0 {
		return at
	}
	return latest(at, now).Add(time.Duration(s.passes) * s.tempo.slowed(s.delay))
}

// take takes the next place in the row of requests, and returns when the request may be made. s may be nil.
func (p *pace) take(s *shared, now time.Time) time.Time {
	at := now.Add(p.limit.ReserveN(now, 1).DelayFrom(now))
	if s != nil {
		at = latest(at, s.free, s.hold)
		s.free = at.Add(s.tempo.slowed(s.delay))
	}
	return at
}

// pass is a turn that was given. Its first request is counted before it is made.
type pass struct {
	f    *Fetcher
	site string
	once sync.Once
}

type passKey struct{}

// Pass gives the caller a turn for one site: ctx is for its requests, and the turn ends with done.
func (f *Fetcher) Pass(ctx context.Context, site string) (with context.Context, done func()) {
	p := &pass{f: f, site: site}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reserve(site, 1)
	return context.WithValue(ctx, passKey{}, p), p.end
}

// end gives back what is not used.
func (p *pass) end() {
	p.f.mu.Lock()
	defer p.f.mu.Unlock()
	p.use()
}

// use ends the count before the request. The caller holds mu.
func (p *pass) use() { p.once.Do(func() { p.f.reserve(p.site, -1) }) }

// reserve counts passes that are not used. The caller holds mu.
func (f *Fetcher) reserve(site string, n int) {
	f.pace.passes += n
	if s := f.sharedOf(site); s != nil {
		s.passes += n
	}
}

// sharedOf returns what a site shares with others behind its origin; nil: it has none. The caller holds mu.
func (f *Fetcher) sharedOf(site string) *shared {
	o := f.origin(site)
	if o == nil {
		return nil
	}
	s := f.pace.origins[o.address]
	if s == nil {
		s = &shared{delay: f.o.OriginDelay, free: f.start.Add(f.o.OriginDelay)}
		f.pace.origins[o.address] = s
	}
	return s
}

// holdOrigin lets an origin rest whose hosts are asked side by side, after an answer that asked for a rest: for
// ten of its delays at most, since the answer speaks for its own host. The caller holds mu.
func (f *Fetcher) holdOrigin(site string, now time.Time, hold time.Duration) {
	if s := f.sharedOf(site); s != nil && f.apart() {
		s.hold = latest(s.hold, now.Add(min(hold, 10*s.delay)))
	}
}

// Opens returns when a further caller with a pass may ask an origin, or for "" any; an earlier time than now:
// at once.
func (f *Fetcher) Opens(origin string) time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	if origin == "" {
		return f.pace.opens(time.Now())
	}
	if s := f.pace.origins[origin]; s != nil {
		return s.opens(time.Now())
	}
	return time.Time{}
}

// Ready returns when the hosts of a site may be asked again.
func (f *Fetcher) Ready(site string) time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	if a := f.accounts[site]; a != nil {
		return latest(a.next, a.floor)
	}
	return time.Time{}
}

// await waits for a place in the row of requests.
func (f *Fetcher) await(ctx context.Context, p place) error {
	f.mu.Lock()
	if given, ok := ctx.Value(passKey{}).(*pass); ok {
		given.use()
	}
	at := f.pace.take(f.sharedOf(p.site), time.Now())
	f.mu.Unlock()
	return f.until(ctx, p, at)
}

// until waits until a time.
func (f *Fetcher) until(ctx context.Context, p place, at time.Time) error {
	wait := time.Until(at)
	if wait <= 0 {
		return nil
	}
	if end, ok := ctx.Deadline(); ok && end.Before(at) {
		return p.refuseUntil(Held, at, nil)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return p.refuse(Cancelled, ctx.Err())
	}
}
