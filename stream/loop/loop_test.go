package loop_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/event"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/journal"
	"dustbuster/stream/loop"
	"dustbuster/stream/prober"
	"dustbuster/stream/records"
	sites "dustbuster/stream/site"
)

// script is a source of given batches; Read waits where a batch is nil until
// time has passed.
type script struct {
	batches []*records.Batch
	pause   time.Duration
	caught  int64 // batches after which the source has caught up
	given   atomic.Int64
}

func (s *script) Read(ctx context.Context) (*records.Batch, error) {
	if len(s.batches) == 0 {
		return nil, io.EOF
	}
	b := s.batches[0]
	s.batches = s.batches[1:]
	s.given.Add(1)
	if b == nil {
		select {
		case <-time.After(s.pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		b = new(records.Batch)
	}
	return b, nil
}

func (s *script) CaughtUp(int64) bool {
	return s.given.Load() >= s.caught
}

func (s *script) Positions(end map[uint64]int64) ([]byte, error) {
	return fmt.Appendf(nil, "%v", end), nil
}

// recorder records the events and lists given to a sink.
type recorder struct {
	list   []string
	events []string
	held   map[string]bool
}

// likely returns the likely rules of all sites.
func likely(l *loop.Loop) (all []rule.Likely) {
	for _, list := range l.State().Rules {
		all = append(all, list.Rules...)
	}
	return all
}

func (r *recorder) Publish(_ context.Context, rules jsonl.List) error {
	r.list = nil
	for published := range rules.All() {
		w, likely := published.(rule.WireLikely)
		switch {
		case !likely:
			r.list = append(r.list, fmt.Sprintf("%v", published))
		case w.Alpha != nil:
			r.list = append(r.list, *w.Alpha+"\n"+*w.Beta)
		default:
			r.list = append(r.list, "drop "+w.Params[0])
		}
	}
	return nil
}

func (r *recorder) Emit(_ context.Context, events []event.Event) error {
	for _, e := range events {
		text := e.Rule.Rule.Text()
		r.events = append(r.events, string(e.Kind)+" "+text)
		switch e.Kind {
		case event.Snapshot:
			r.held = map[string]bool{}
			for _, held := range e.Rules {
				r.held[held.Rule.Text()] = true
			}
		case event.Likely:
			if r.held == nil {
				r.held = map[string]bool{}
			}
			r.held[text] = true
		case event.Faded:
			delete(r.held, text)
		}
	}
	return nil
}

// sink takes lists and events.
type sink interface {
	loop.Publisher
	loop.Emitter
}

// start returns a loop restored from a journal.
func start(t testing.TB, o loop.Options, store checkpoint.Store, out sink) *loop.Loop {
	t.Helper()
	l := loop.New(o, store, out, out)
	_, err := l.Restore()
	must(t, err)
	return l
}

// machines lists the machines of all sites.
func machines(l *loop.Loop) (all []*miner.Machine) {
	l.Sites(func(m *miner.Machine, _ []rule.Likely) { all = append(all, m) })
	return all
}

// urls returns the number of URLs in the windows of all sites.
func urls(l *loop.Loop) (n int) {
	for _, m := range machines(l) {
		n += m.Stats().Envelope.URLs
	}
	return n
}

// likelyPairs lists the likely rules of all machines; without those to withhold, if open is false.
func likelyPairs(l *loop.Loop, open bool) map[string]bool {
	all := map[string]bool{}
	for _, m := range machines(l) {
		pairs := m.Likely()
		alone, hidden := m.OneClient(pairs), m.Hidden(pairs, secret.Veil{})
		for i := range pairs {
			if open || !alone[i] && !hidden[i] {
				all[pairs[i].Rule.Text()] = true
			}
		}
	}
	return all
}

// inLoop runs a test of a loop in a bubble.
func inLoop(t *testing.T, o loop.Options, test func(t *testing.T, l *loop.Loop, out *recorder)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		out := &recorder{}
		test(t, start(t, o, open(t, t.TempDir()), out), out)
	})
}

func testOptions() loop.Options {
	phase1 := envelope.Defaults()
	return loop.Options{
		Miner: miner.Options{
			Table:    table.Options{Pane: 10, MaxURLs: 1000},
			Envelope: phase1,
			Params:   params.Options{MinSupport: phase1.MinSupport, Similarity: phase1.Similarity},
		},
		MaxSites: 10, Pace: loop.Pace{Refine: time.Second, Checkpoint: time.Second, FlushTimeout: time.Second},
	}
}

// openOptions are the test options without withholding.
func openOptions() loop.Options {
	o := testOptions()
	o.NoWithhold = true
	return o
}

func open(t testing.TB, dir string) checkpoint.Journal {
	t.Helper()
	return openPane(t, dir, 10)
}

func openPane(t testing.TB, dir string, pane int64) checkpoint.Journal {
	t.Helper()
	store, err := journal.Open(journal.Options{Dir: dir, Pane: pane})
	must(t, err)
	t.Cleanup(func() { _ = store.Close() }) // again, if the test has
	return checkpoint.Journal{Journal: store}
}

// see returns a batch of hits on URLs of the same size.
func see(file uint64, end int64, size int64, client uint8, urls ...string) *records.Batch {
	b := new(records.Batch)
	b.File, b.End = file, end
	for _, u := range urls {
		b.Records = append(b.Records, records.Record{Observation: evidence.Observation{URL: []byte(u), Min: size, Max: size, Clients: 1 << (client % 16)}})
	}
	return b
}

// stories returns batches of pages, each of which has two URLs.
func stories(from, to int, client uint8) (batches []*records.Batch) {
	for i := from; i < to; i++ {
		batches = append(batches, see(1, int64(i), int64(1000+100*i), client, fmt.Sprintf("/story?id=%d", i), fmt.Sprintf("/story_%d", i)))
	}
	return batches
}

// No event comes before the source has caught up. Then comes a snapshot, and then the
// changes. A restart restores the same rules.
func TestRunAndRestore(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		store := open(t, dir)
		o := openOptions()
		out := &recorder{}
		l := start(t, o, store, out)
		source := &script{batches: slices.Concat(stories(0, 3, 1), []*records.Batch{nil}, stories(3, 4, 1), []*records.Batch{see(1, 99, 77, 1, "/story_0"), nil}), caught: 4, pause: 3 * time.Second}
		must(t, l.Run(t.Context(), source))
		if out.events[0] != "snapshot " || !out.held["?id=\n_"] || len(out.list) == 0 {
			t.Errorf("events %q, list %q", out.events, out.list)
		}
		state := l.State()
		if !state.Status.CaughtUp || state.Status.Sites[0].URLs != 8 || state.Status.Saved.IsZero() || len(likely(l)) != len(out.list) {
			t.Errorf("state %+v", state.Status)
		}
		must(t, store.Close())

		again := &recorder{}
		store = open(t, dir)
		m := loop.New(o, store, again, again)
		positions, err := m.Restore()
		if err != nil || string(positions) != "map[1:99]" {
			t.Fatalf("positions %q, %v", positions, err)
		}
		must(t, m.Run(t.Context(), &script{batches: []*records.Batch{nil}}))
		if !slices.Equal(again.list, out.list) || fmt.Sprint(again.held) != fmt.Sprint(out.held) {
			t.Errorf("after the restart: %q, %v; before: %q, %v", again.list, again.held, out.list, out.held)
		}
	})
}

// A reader of the events of a random history holds, at each refinement, the likely rules
// that are not withheld. Rules from a single client are withheld.
func TestEventsAndWithholding(t *testing.T) {
	for seed := range uint64(20) {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			out := &recorder{}
			l := start(t, testOptions(), open(t, dir), out)
			source := &script{pause: 2 * time.Second}
			for range 150 {
				i, client := rng.IntN(8), uint8(rng.IntN(12))
				source.batches = append(source.batches, see(1, 1, int64(1000+100*i+rng.IntN(3)/2*5000), client,
					fmt.Sprintf("/s%d?k=%d", rng.IntN(3), i), fmt.Sprintf("/s%d", i)))
				if rng.IntN(20) == 0 {
					source.batches = append(source.batches, nil)
				}
			}
			source.batches = append(source.batches, nil)
			must(t, l.Run(t.Context(), source))
			if want := likelyPairs(l, false); !maps.Equal(out.held, want) {
				t.Errorf("seed %d: held %v, want %v", seed, out.held, want)
			}
		})
	}
}

// A rule that looks like a secret is in no event and in no list.
func TestSecretsAreWithheld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &recorder{}
		var told []sites.Withheld
		o := testOptions()
		o.Hidden = func(w sites.Withheld, sites int) { told = append(told, w) }
		l := start(t, o, open(t, t.TempDir()), out)
		source := &script{batches: []*records.Batch{nil}, pause: time.Second}
		for i := range 4 {
			source.batches = append(source.batches, see(1, 1, int64(1000+100*i), 1, fmt.Sprintf("/p%d?key=9f3c2b7d81e04a6fa0", i), fmt.Sprintf("/p%d", i)))
		}
		source.batches = append(source.batches, make([]*records.Batch, 30)...)
		must(t, l.Run(t.Context(), source))
		if told := fmt.Sprint(out.events, out.list); strings.Contains(told, "9f3c2b7d") || !strings.Contains(told, "key") {
			t.Errorf("told %s", told)
		}
		s := l.State().Status.Sites[0]
		if s.Withheld.Secret == 0 || s.Rules == 0 {
			t.Errorf("%+v", s)
		}
		if len(told) != 1 || told[0].Secret == 0 {
			t.Errorf("reported %+v, withheld %+v", told, s.Withheld)
		}
	})
}

// A line may be ahead by an hour, and by an eighth of the window.
func TestClockSkew(t *testing.T) {
	for _, c := range []struct {
		name         string
		window, want time.Duration
	}{
		{"no window", 0, time.Hour},
		{"a day", 24 * time.Hour, time.Hour},
		{"eight hours", 8 * time.Hour, time.Hour},
		{"four hours", 4 * time.Hour, 30 * time.Minute},
		{"a minute", time.Minute, 7500 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := loop.ClockSkew(c.window); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// Lines far ahead of the clock are refused, and do not empty the window.
func TestAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := testOptions()
		o.MaxClockSkew, o.Miner.Table.Window = loop.ClockSkew(24*time.Hour), 100_000
		out := &recorder{}
		l := start(t, o, open(t, t.TempDir()), out)
		b := see(1, 1, 10, 1, "/now", "/later", "/far")
		now := time.Now().Unix()
		b.Records[0].Time, b.Records[1].Time, b.Records[2].Time = now, now+3500, now+23*3600
		must(t, l.Run(t.Context(), &script{batches: []*records.Batch{b}}))
		if s := l.State().Status; s.Ahead != 1 || s.Sites[0].URLs != 2 {
			t.Errorf("status %+v", s)
		}
	})
}

// One line 23 hours ahead moves the window by nothing: the lines after it count, and none is late.
func TestOneFarAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := testOptions()
		o.MaxClockSkew, o.Miner.Table.Window, o.Miner.Table.Pane = loop.ClockSkew(24*time.Hour), 86400, 7200
		l := start(t, o, open(t, t.TempDir()), &recorder{})
		now := time.Now().Unix()
		b := hitsAt(now+23*3600, now-20*3600, now-12*3600, now, now)
		must(t, l.Run(t.Context(), &script{batches: []*records.Batch{b}}))
		if s := l.State().Status; s.Ahead != 1 || s.Late != 0 || s.Sites[0].URLs != 4 || s.LateSites != 0 {
			t.Errorf("status %+v", s)
		}
	})
}

// hitsAt is a batch of hits of one site at some times.
func hitsAt(times ...int64) *records.Batch {
	b := new(records.Batch)
	for i, at := range times {
		b.Records = append(b.Records, records.Record{Site: "a.example", Observation: evidence.Observation{URL: fmt.Appendf(nil, "/%d", i), Time: at, Min: 1, Max: 1}})
	}
	return b
}

// A site most of whose newest hits are late is told, until others are its newest.
func TestLateSites(t *testing.T) {
	for _, c := range []struct {
		name            string
		late, taken     int  // hits, in turn as far as they go
		after           int  // hits in time that follow
		told, afterward bool // there is a late site
	}{
		{"all are late", 100, 0, 0, true, true},
		{"too few to say", 15, 0, 0, false, false},
		{"enough to say", 16, 0, 0, true, true},
		{"half of them", 60, 60, 0, false, false},
		{"late at first", 64, 0, 32, true, false},
		{"late for the most part", 64, 0, 31, true, true},
		{"none is late", 0, 100, 0, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := testOptions()
				o.Miner.Table.Window, o.Miner.Table.Pane = 86400, 7200
				var told []loop.Late
				o.Late = func(sites []loop.Late) { told = append(told, sites...) }
				l := start(t, o, open(t, t.TempDir()), &recorder{})
				now := time.Now().Unix()
				times := []int64{now}
				for i := range max(c.late, c.taken) {
					if i < c.late {
						times = append(times, now-2*86400)
					}
					if i < c.taken {
						times = append(times, now)
					}
				}
				batches := []*records.Batch{hitsAt(times...), nil, hitsAt(slices.Repeat([]int64{now}, c.after)...)}
				must(t, l.Run(t.Context(), &script{batches: batches, pause: 5 * time.Second}))
				if (len(told) == 1) != c.told || c.told && (told[0].Site != "a.example" || told[0].Hits < 16 || told[0].Newest.Unix() > now) {
					t.Errorf("told %+v", told)
				}
				if s := l.State().Status; (s.LateSites == 1) != c.afterward || (s.Sites[0].Late > 0) != c.afterward || s.Late != c.late {
					t.Errorf("then %d late sites, %+v", s.LateSites, s.Sites[0])
				}
			})
		})
	}
}

// The next checkpoint saves the changes of a failed checkpoint.
func TestSaveFails(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		store := open(t, dir)
		out, o := &recorder{}, testOptions()
		source := &flaky{script: script{batches: append(stories(0, 3, 1), nil, nil), pause: 3 * time.Second}, fails: 2}
		var failed []string
		o.Failed = func(doing string, err error) { failed = append(failed, doing) }
		l := start(t, o, store, out)
		var failing []bool // before each checkpoint
		source.saving = func() { failing = append(failing, l.State().Status.Failing.Err() != nil) }
		must(t, l.Run(t.Context(), source))
		if err := l.State().Status.Failing.Err(); len(failing) < 3 || !slices.Equal(failing[:3], []bool{false, true, true}) || err != nil {
			t.Errorf("before checkpoints the state says that saving fails: %v; at the end: %v", failing, err)
		}
		must(t, store.Close())
		if n := urls(start(t, testOptions(), open(t, dir), out)); n != 6 || len(failed) != 2 {
			t.Errorf("%d URLs restored, want 6; failed %q", n, failed)
		}
	})
}

// A publication goes out only after the acts behind it have been saved.
// Otherwise, after a crash, another publication could have the same sequence number.
func TestPublishedOnceSaved(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		o := testOptions()
		o.Validate = prober.New(prober.Options{Lifecycle: book.Defaults(), Fetcher: closed{}})
		defer o.Validate.Close()
		said := make(saidSink, 100)
		l := start(t, o, open(t, dir), said)
		o.Validate.Restore(checkpoint.Act{Act: &book.Act{Publication: &book.Publication{Sequence: 1, Records: []rule.Record{
			{ID: "1", State: rule.Valid, Wire: *rule.NewWire(&rule.Rule{Edit: rule.Drop{Param: "sid"}})}}}}})
		source := &flaky{script: script{batches: []*records.Batch{see(1, 1, 1000, 1, "/p?a=1&b=2"), nil}, pause: 5 * time.Second}, fails: 2}
		source.saving = func() { said <- fmt.Sprintf("save, %d published", len(l.State().Published)) }
		must(t, l.Run(t.Context(), source))
		close(said)
		var all []string
		for one := range said {
			all = append(all, one)
		}
		want := []string{"save, 0 published", "save, 0 published", "save, 0 published", "list of 1"}
		if len(all) < len(want) || !slices.Equal(all[:len(want)], want) || len(l.State().Published) != 1 {
			t.Errorf("%q, want at first %q", all, want)
		}
	})
}

// saidSink says how many rules each list has that is not empty.
type saidSink chan string

func (s saidSink) Publish(_ context.Context, rules jsonl.List) error {
	if n := len(slices.Collect(rules.All())); n > 0 {
		s <- fmt.Sprintf("list of %d", n)
	}
	return nil
}

func (saidSink) Emit(context.Context, []event.Event) error { return nil }

// A crawler accepts no list with both a host and its domain. The newer of the two is
// published. The other is published again when its rules are newer.
func TestPublishedTogether(t *testing.T) {
	acts := []string{"www.a.example", "a.example", "b.example", "www.a.example"}
	for _, c := range []struct {
		name string
		acts int // how many have been saved
		want string
		left int
	}{
		{"a host", 1, "www.a.example", 0},
		{"its domain is newer", 2, "a.example", 1},
		{"another site", 3, "a.example b.example", 1},
		{"the host is newer again", 4, "b.example www.a.example", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := open(t, t.TempDir())
			load(t, store)
			for i, site := range acts[:c.acts] {
				p := &book.Publication{Sequence: int64(i + 1), At: int64(i + 1), Records: []rule.Record{{ID: "1", Site: site, State: rule.Valid, ByDomain: site == "a.example",
					Wire: *rule.NewWire(&rule.Rule{Edit: rule.Drop{Param: "sid"}})}}}
				must(t, store.Save(slices.Values([]checkpoint.Change{checkpoint.Act{Site: site, Act: &book.Act{Publication: p}}})))
			}
			o, failed := testOptions(), 0
			o.Failed = func(string, error) { failed++ }
			o.Validate = prober.New(prober.Options{Lifecycle: book.Defaults(), Fetcher: closed{}})
			defer o.Validate.Close()
			l := start(t, o, store, &recorder{})
			s := l.State()
			if got := strings.Join(slices.Sorted(maps.Keys(s.Published)), " "); got != c.want || l.Restored().Rules != len(strings.Fields(c.want)) || failed != c.left || s.Status.Errors[loop.ClashFailed] != c.left {
				t.Errorf("%s, %d rules, %d failures; want %s", got, l.Restored().Rules, failed, c.want)
			}
		})
	}
}

// flaky is a source whose Positions fails at first.
type flaky struct {
	script
	fails  int
	saving func()
}

func (f *flaky) Positions(end map[uint64]int64) ([]byte, error) {
	f.saving()
	if f.fails--; f.fails >= 0 {
		return nil, errors.New("no room")
	}
	return f.script.Positions(end)
}

// A site that has long been silent is dropped without an event, and begins anew.
func TestSilentSites(t *testing.T) {
	inLoop(t, openOptions(), func(t *testing.T, l *loop.Loop, out *recorder) {
		silent := see(1, 9, 5000, 1, "/story?id=7")
		silent.Silent = []string{""}
		source := &script{batches: append(stories(0, 4, 1), nil, silent, nil), caught: 4, pause: 3 * time.Second}
		must(t, l.Run(t.Context(), source))
		if s := l.State().Status.Sites; len(s) != 1 || s[0].URLs != 1 || len(l.State().Rules) != 0 {
			t.Errorf("%+v", s)
		}
		if events := fmt.Sprint(out.events); strings.Contains(events, "faded") || !out.held["?id=\n_"] {
			t.Errorf("told %s", events)
		}
	})
}

// must ends a test at an error.
var must = expect.NoError
