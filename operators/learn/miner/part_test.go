package miner

import (
	"fmt"
	"reflect"
	"testing"

	"dustbuster/operators/window/evidence"
)

// Sites that were split and merged tell of each site what Sites tell that took in all by themselves.
func TestSplitAndMerge(t *testing.T) {
	o := options(0, 1000)
	o.Tally, o.Visits = true, true
	whole, split := NewSites(10, o), NewSites(10, o)
	parts := split.Split(3)
	for i := range 300 {
		site := fmt.Sprint("site", i%2)
		see := evidence.Observation{URL: fmt.Appendf(nil, "/%c/%d?sid=%d", 'a'+i%3, i%40, i%5), Time: int64(i/7) * evidence.SecondsOfDay / 4, Families: 1 << (i % 4), Min: int64(100 + i%40), Max: int64(100 + i%40), Clients: 1 << (i/2%3*4 + i/6%3)} // no part sees enough clients
		whole.Fold(site, &see)
		parts[i/2%3].Fold(site, &see)
	}
	split.Merge(parts[1:])
	tell := func(s *Sites) (told []any) {
		for m := range s.All() {
			tallies, visits := map[string]tally{}, map[string]uint32{}
			for _, v := range m.Visits() {
				visits[fmt.Sprint(v.Date, string(m.urls.Text(v.URL)))] |= v.Families
			}
			for id := range m.urls.All() {
				tallies[string(m.urls.Text(id))] = m.tally.of(id)
			}
			told = append(told, m.Site(), m.kept, m.clients, m.HadManyClients(), m.Rules(), tallies, visits)
		}
		return told
	}
	want := tell(whole)
	if got := tell(split); !reflect.DeepEqual(got, want) {
		t.Errorf("merged:\n%v\nwant\n%v", got, want)
	}
	if m := whole.inOrder()[0]; len(m.Rules()) == 0 || !m.HadManyClients() || len(m.Visits()) < 50 {
		t.Error("a site has nothing to tell")
	}
}
