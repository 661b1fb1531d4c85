package checkpoint

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/operators/window/waste"
	"dustbuster/stream/journal"
)

func open(t *testing.T, dir string) Journal {
	t.Helper()
	j, err := journal.Open(journal.Options{Dir: dir, Pane: 60})
	must(t, err)
	t.Cleanup(func() { _ = j.Close() })
	return Journal{j}
}

// loaded returns the changes in a journal. The lists of observations are copied.
func loaded(t *testing.T, j Journal) (all []Change) {
	t.Helper()
	for c, err := range j.Load() {
		must(t, err)
		if o, ok := c.(Observations); ok {
			list := slices.Clone(o.List)
			for i := range list {
				list[i].URL = slices.Clone(list[i].URL)
			}
			c = Observations{o.Site, list}
		}
		all = append(all, c)
	}
	return all
}

// A journal returns each kind of change as it was saved. Large lists of observations come in
// pieces.
func TestJournal(t *testing.T) {
	dir := t.TempDir()
	var list []evidence.Observation
	for i := range 5000 {
		list = append(list, evidence.Observation{URL: fmt.Appendf(nil, "/%d/%s", i, strings.Repeat("x", i%90)), Time: 120, Min: int64(1 + i), Max: int64(1 + i), Clients: 1<<1 | 1<<9})
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	want := []Change{
		Cuts{"a", []table.Cut{{Pane: 2, Key: 1 << 63, URL: 5}}}, Observations{"a", list}, Observations{"", list[:1]},
		Act{"a", &book.Act{Version: 1, Approved: "mark"}}, Act{"b", &book.Act{Version: 1, Separators: urlnorm.Semicolon}},
		Days{"a", []waste.Day{{Date: 20_000, Crawlers: waste.Figure{Fetched: 9, Pages: 7, Bytes: 55}, Valid: 2, Sample: true}, {Date: 19_999, Came: 1}}}, Days{"\xff<b>", []waste.Day{{Date: -5, Left: 1}}},
		Evidence{"a", "r", []book.Opened{{U: book.Side{URL: "/a"}, V: book.Side{URL: "/b", NoIndex: true}, At: 5, Words: []book.Words{{Before: "the", U: "<b>", V: "\u202e"}}}}},
		Forgotten(1_700_000_000),
		Politeness{{Site: "a", Next: at, Since: at, Used: 7}}, Politeness{}, Positions("here"), Positions{},
	}
	check := func() {
		t.Helper()
		j := open(t, dir)
		defer j.Close()
		var got []Change
		for _, c := range loaded(t, j) {
			if o, ok := c.(Observations); ok && len(got) > 0 {
				if before, ok := got[len(got)-1].(Observations); ok && before.Site == o.Site {
					got[len(got)-1] = Observations{o.Site, append(before.List, o.List...)}
					continue
				}
			}
			got = append(got, c)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %.500v\nwant %.500v", got, want)
		}
	}
	j := open(t, dir)
	loaded(t, j)
	must(t, j.Save(slices.Values(want)))
	must(t, j.Close())
	check()
	j = open(t, dir)
	loaded(t, j)
	must(t, j.Compact(slices.Values(want)))
	must(t, j.Close())
	check()
	j = open(t, dir)
	if last, err := LoadPositions(j.Journal); err != nil || len(last) > 0 {
		t.Errorf("the last positions are %q, %v", last, err)
	}
}

// An entry that cannot be read is an error. Only unreadable cuts do not end the iteration.
func TestUnreadableEntries(t *testing.T) {
	for _, c := range []struct {
		want string
		bad  journal.Entry
	}{
		{"restore: an entry of kind 9", journal.Entry{Kind: 9}},
		{`restore site "a": decode obs`, journal.Entry{Kind: kindObservations, Name: "a", Value: []byte("x")}},
		{`read act "{"`, journal.Entry{Kind: kindAct, Name: "a", Value: []byte("{")}},
		{"read politeness: ", journal.Entry{Kind: kindPoliteness, Value: []byte("{")}},
		{"read waste by day: a newer version", journal.Entry{Kind: kindDays, Name: "a", Value: []byte{9, 1}}},
		{"read cuts: version 1", journal.Entry{Kind: kindCuts, Name: "a", Value: []byte(`{"v":1}`)}},
		{`read evidence of site "a": `, journal.Entry{Kind: kindEvidence, Name: "a", Value: []byte("{")}},
	} {
		j := open(t, t.TempDir())
		loaded(t, j)
		must(t, j.Journal.Save(slices.Values([]journal.Entry{c.bad, {Kind: kindPositions}})))
		told := 0
		for _, err := range j.Load() {
			if err == nil {
				break
			}
			if told++; !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		}
		if told != 1 {
			t.Errorf("%s: told %d times", c.want, told)
		}
	}
}

// must ends a test at an error.
var must = expect.NoError
