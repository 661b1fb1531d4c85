package integration

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/stream/fetch"
	"dustbuster/stream/prober"
)

var keys = flag.Int("keys", 0, "with how many keys of the draw TestKeys tries the rules of the real sites; with one, of docs alone, as TestLiveSites does")

// Which pairs are drawn is chance, and no key may be an unlucky one. Here the rules
// of the real sites are tried with many keys, by the daemon's own worker; a document
// is asked of the site once for all keys, and charged to each.
func TestKeys(t *testing.T) {
	t.Parallel()
	if *keys == 0 {
		return // TestLiveSites tries one
	}
	data, tried := dataFolder(t), goals
	if *keys == 1 { // gitweb takes minutes
		tried = goals[:1]
	}
	for _, g := range tried {
		t.Run(g.site, func(t *testing.T) {
			folder := filepath.Join(data, "sites", g.site)
			origin := setUp(t, folder, g.path)
			site := &siteOnce{origin: origin, documents: map[string]answered{}}
			mined := mineSite(t, filepath.Join(folder, "access.log.gz"))
			var coverage, wrong []float64
			for k := range *keys {
				list := filepath.Join(t.TempDir(), "rules.jsonl")
				published, requests := site.try(t, mined, [2]uint64{uint64(k), uint64(k) << 32})
				var text []byte
				for i := range published.Records {
					line, err := json.Marshal(&published.Records[i])
					must(t, err)
					text = append(append(text, line...), '\n')
				}
				writeFile(t, list, text)
				q := qualityOf(t, filepath.Join(folder, "bodies.tsv.gz"), list)
				byCrawl, bySite := falseMerges(t, filepath.Join(folder, "bodies.tsv.gz"), list, origin)
				t.Logf("key %d: %d rules, coverage %.3f, %.1f false merges per 10,000 by the crawl, %d of %d on the site; %d requests",
					k, q.rules, q.coverage, q.wrong, len(bySite), len(byCrawl), requests)
				coverage, wrong = append(coverage, q.coverage), append(wrong, q.wrong)
				least := g.least
				if *fetches != 1000 {
					least = g.whole
				}
				if q.coverage < least || q.rules > 60 {
					t.Errorf("key %d: coverage %.3f, want %.2f; %d rules, at most 60", k, q.coverage, least, q.rules)
				}
			}
			slices.Sort(coverage)
			slices.Sort(wrong)
			t.Logf("coverage %.3f, false merges by the crawl %.1f", coverage, wrong)
		})
	}
}

func minerOptions() miner.Options {
	e := envelope.Defaults()
	return miner.Options{Table: table.Options{MaxURLs: 1_000_000}, Envelope: e, Params: params.Options{Similarity: e.Similarity}}
}

// mineSite folds a site's log.
func mineSite(t *testing.T, path string) *miner.Machine {
	t.Helper()
	m := miner.New("", minerOptions())
	eachObservation(t, logLines(t, path), func(o *evidence.Observation) { m.Fold(o) })
	return m
}

// siteOnce answers for a site, which it asks for each document once.
type siteOnce struct {
	origin    string
	documents map[string]answered
}

type answered struct {
	document fetch.Document
	err      error
	requests int
}

// life is what one key's worker fetches from.
type life struct {
	site     *siteOnce
	fetcher  *fetch.Fetcher
	budget   int // requests; 0: no limit
	requests int
	seen     map[string]bool
}

// try runs a worker until it rests.
func (s *siteOnce) try(t *testing.T, mined *miner.Machine, key [2]uint64) (book.Publication, int) {
	t.Helper()
	o := book.Defaults()
	o.Miner, o.Key, o.Kinds = minerOptions(), key, book.AnyKind // the log is of a crawl
	l := &life{site: s, budget: requestsOf(*fetches), seen: map[string]bool{}}
	if *fetches != 1000 {
		o.LevelEvery = 1
	}
	var err error
	if l.fetcher, err = fetch.New(fetch.Options{Origin: s.origin, Delay: 1, Budget: -1, CacheBytes: 1, Digest: prober.Digest}); err != nil {
		t.Fatal(err)
	}
	w := prober.New(prober.Options{Lifecycle: o, Fetcher: l, Reserve: l.budget / 4})
	defer w.Close()
	w.TakeWindows(func(context.Context, string) (*miner.Machine, []rule.Candidate) {
		return mined, forms.Candidates(mined.Rules())
	})
	for before, idle := -1, 0; idle < 3; idle++ { // levels come a second apart
		w.Offer("", forms.Candidates(mined.Rules()))
		for w.Busy() {
			time.Sleep(10 * time.Millisecond)
		}
		if l.requests != before {
			before, idle = l.requests, 0
		}
		time.Sleep(time.Second)
	}
	p := w.Published()[""]
	if p == nil {
		t.Fatalf("key %x: nothing is published", key)
	}
	return *p, l.requests
}

func (l *life) Where(string, string) (string, error) { return "", errors.New("nowhere") }
func (l *life) CanFetch(string) bool                 { return true }

func (l *life) Origin(string) string { return "" }

func (l *life) Opens(string) time.Time { return time.Time{} }

func (l *life) Pass(string) (*fetch.Pass, func()) { return nil, func() {} }

func (l *life) Limits(string) fetch.Limits {
	may := fetch.Limits{Left: 1 << 30, LeftInAll: math.MaxInt}
	if l.budget > 0 {
		may.Left = l.budget - l.requests
	}
	return may
}

func (l *life) Get(ctx context.Context, q fetch.Request) (fetch.Document, error) {
	if !q.Fresh {
		return l.fetch(ctx, "get "+q.Target, q.Target)
	}
	l.seen["again "+q.Target] = false // it is charged each time
	return l.fetch(ctx, "again "+q.Target, q.Target)
}

func (l *life) fetch(ctx context.Context, what, target string) (fetch.Document, error) {
	if l.Limits("").Left <= 0 {
		return fetch.Document{}, &fetch.Error{Reason: fetch.Budget, Target: target, Err: errors.New("used up"), Until: time.Now().Add(time.Hour)}
	}
	a, known := l.site.documents[what]
	if !known {
		before := l.fetcher.Stats().Requests
		a.document, a.err = l.fetcher.Get(ctx, fetch.Request{Target: target, Fresh: true})
		a.requests = int(l.fetcher.Stats().Requests - before)
		l.site.documents[what] = a
	}
	if !l.seen[what] {
		l.seen[what] = true
		l.requests += a.requests
	}
	return a.document, a.err
}

func (l *life) Refusal(fetch.Request) error { return nil }

func (l *life) States() []fetch.State { return nil }

func (l *life) Restore([]fetch.State) {}
