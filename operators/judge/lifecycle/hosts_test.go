package lifecycle

import (
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// A record names the hosts of its texts.
func TestRecordHosts(t *testing.T) {
	groups := map[string][]string{"shop": {"a.example", "*.b.example"}, "alone.example": nil}
	for _, c := range []struct {
		site     string
		byDomain bool // of the options
		want     bool
		hosts    []string
	}{
		{"", false, false, nil},
		{"", true, false, nil}, // a log without host names
		{"c.example", false, false, nil},
		{"c.example", true, true, nil},
		{"shop", false, true, []string{"a.example", "*.b.example"}},
		{"shop", true, true, []string{"a.example", "*.b.example"}},
		{"alone.example", false, true, []string{"alone.example"}},
	} {
		o := madeup.Options()
		o.ByDomain, o.Groups = c.byDomain, groups
		r := New(c.site, o).publisher.record(&book.Entry{Rule: rule.Rule{Edit: rule.Substring{From: "a", To: "b"}}})
		if r.ByDomain != c.want || !slices.Equal(r.Hosts, c.hosts) {
			t.Errorf("%+v: %v, %q", c, r.ByDomain, r.Hosts)
		}
		if _, err := canon.NewSites([]canon.Site{{Name: r.Site, ByDomain: r.ByDomain, Hosts: r.Hosts}}); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// A rule whose exceptions have changed is published again.
func TestIsPublished(t *testing.T) {
	p := New("s", madeup.Options()).publisher
	e := &book.Entry{Rule: rule.Rule{Edit: rule.Substring{From: "a", To: "b"}}, Rank: 1, State: rule.Valid}
	for _, url := range []string{"", "/a", "/b"} {
		if url != "" {
			e.Rule.Except, _ = rule.NewExcept(nil, []string{url})
		}
		if p.isPublished([]*book.Entry{e}, []*book.Entry{e}) {
			t.Errorf("exception %q: published before", url)
		}
		p.book.Publication.Records = []rule.Record{p.record(e)}
		if !p.isPublished([]*book.Entry{e}, []*book.Entry{e}) {
			t.Errorf("exception %q: not published after", url)
		}
	}
}

// A group whose hosts have changed after a restart is published again. Other groups are
// not.
func TestHostsChange(t *testing.T) {
	w, o := newTown(20), madeup.Options()
	o.Groups = map[string][]string{"town": {"a.example"}}
	m := w.machine(o)
	now := w.live(m, 1, nil)
	first := m.Published()
	if first.Sequence == 0 || !slices.Equal(first.Records[0].Hosts, []string{"a.example"}) {
		t.Fatalf("published: %+v", first)
	}
	for _, c := range []struct {
		hosts []string
		want  int64
	}{{[]string{"a.example"}, first.Sequence}, {[]string{"a.example", "b.example"}, first.Sequence + 1}} {
		o.Groups = map[string][]string{"town": c.hosts}
		again := w.machine(o)
		for a := range m.Dump {
			again.Restore(a)
		}
		w.live(again, now, nil)
		if p := again.Published(); p.Sequence != c.want || !slices.Equal(p.Records[0].Hosts, c.hosts) || len(p.Records) != len(first.Records) {
			t.Errorf("%q: sequence %d of %d rules for %q, want %d", c.hosts, p.Sequence, len(p.Records), p.Records[0].Hosts, c.want)
		}
	}
}
