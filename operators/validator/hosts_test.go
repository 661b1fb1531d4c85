package validator

import (
	"slices"
	"testing"

	"dustbuster/operators/canon"
)

// A record tells of which hosts its texts are.
func TestRecordHosts(t *testing.T) {
	groups := map[string][]string{"shop": {"a.example", "*.b.example"}, "alone.example": nil}
	for _, c := range []struct {
		site     string
		byDomain bool // of the options
		want     bool
		hosts    []string
	}{
		{"", false, false, nil},
		{"", true, false, nil}, // a log that names no host
		{"c.example", false, false, nil},
		{"c.example", true, true, nil},
		{"shop", false, true, []string{"a.example", "*.b.example"}},
		{"shop", true, true, []string{"a.example", "*.b.example"}},
		{"alone.example", false, true, []string{"alone.example"}},
	} {
		o := townOptions()
		o.ByDomain, o.Groups = c.byDomain, groups
		r := New(c.site, o).record(&Entry{Rule: Rule{canon.Rule{From: "a", To: "b"}}})
		if r.ByDomain != c.want || !slices.Equal(r.Hosts, c.hosts) {
			t.Errorf("%+v: %v, %q", c, r.ByDomain, r.Hosts)
		}
		if _, err := canon.NewSites([]canon.Site{{Name: r.Site, ByDomain: r.ByDomain, Hosts: r.Hosts}}); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
