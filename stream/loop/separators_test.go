package loop

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/fetch"
	"dustbuster/stream/prober"
	"dustbuster/stream/records"
)

// closed is a fetcher for sites that must not be fetched from now.
type closed struct{ prober.Fetcher }

func (closed) CanFetch(string) bool  { return false }
func (closed) States() []fetch.State { return nil }
func (closed) Restore([]fetch.State) {}

// A publication names the parameter separators found in a line within moments, even though
// the site must not be fetched from now. A restart keeps the separators, even though the
// line's pane has left the window.
func TestSeparatorsAreTold(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		o := testOptions()
		o.Miner.Table.Window = 20
		run := func(acts []checkpoint.Change, batches ...*records.Batch) *lifecycle.Publication {
			t.Helper()
			store, out := open(t, dir), &recorder{}
			defer store.Close()
			o.Validate = prober.New(prober.Options{Lifecycle: lifecycle.Defaults(), Fetcher: closed{}})
			defer o.Validate.Close()
			l := start(t, o, store, out)
			for _, a := range acts {
				o.Validate.Restore(a)
			}
			must(t, l.Run(t.Context(), &script{batches: append(batches, nil), pause: 3 * time.Second}))
			p := l.State().Published[""]
			if p == nil || len(p.Records) != 1 || len(out.list) != 1 || !strings.Contains(out.list[0], "drop") {
				t.Fatalf("published %+v, listed %q", p, out.list)
			}
			return p
		}
		check := func(p *lifecycle.Publication, sequence int64, want urlnorm.Separators) {
			t.Helper()
			if s := p.Records[0].Separators; p.Sequence != sequence || s == nil || *s != want {
				t.Errorf("separators %v under %d, want %q under %d", s, p.Sequence, want, sequence)
			}
		}
		p := lifecycle.Publication{Sequence: 1, Records: []rule.Record{{ID: "1", State: rule.Valid,
			Wire: *rule.NewWire(&rule.Rule{Kind: rule.Drop, Param: "sid"})}}}
		published := checkpoint.Act{Act: &lifecycle.Act{Publication: &p}}
		old := see(1, 1, 1000, 1, "/p?a=1&b=2")
		check(run([]checkpoint.Change{published}, old), 2, urlnorm.Ampersand)
		check(run(nil, see(1, 2, 1000, 1, "/p?a=1;b=2")), 3, urlnorm.Ampersand|urlnorm.Semicolon)
		later := see(1, 3, 1000, 1, "/p")
		later.Records[0].Time = 1000
		check(run(nil, later), 3, urlnorm.Ampersand|urlnorm.Semicolon)
		check(run(nil), 3, urlnorm.Ampersand|urlnorm.Semicolon)
	})
}
