package admit_test

import (
	"testing"

	"dustbuster/operators/read/weblog"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
)

// What servers write in the place of a host that they do not know is no site.
func TestHostless(t *testing.T) {
	for _, c := range []struct {
		host, target string
		hostless     bool
		site         string
	}{
		{"", "/a", true, ""},
		{"-", "/a", true, ""},
		{"-:80", "/a", true, ""},
		{":8080", "/a", true, ""},
		{"_", "/a", true, ""},
		{"_:443", "/a", true, ""},
		{"a.example", "/a", false, "a.example"},
		{"a_b", "/a", false, "a_b"},
		{"", "http://a.example/a", false, "a.example"},
		{"-:80", "http://a.example/a", false, "a.example"},
	} {
		t.Run(c.host+c.target, func(t *testing.T) {
			h := weblog.Hit{Host: []byte(c.host), Method: []byte("GET"), Target: []byte(c.target), Status: 200}
			if got := admit.Hostless(&h); got != c.hostless {
				t.Errorf("hostless %t", got)
			}
			g, err := admit.New(admit.Defaults())
			if err != nil {
				t.Fatal(err)
			}
			var o evidence.Observation
			if site, why := g.Admit(&o, &h); why != admit.Admitted || site != c.site {
				t.Errorf("site %q, %s; want %q", site, why, c.site)
			}
		})
	}
}
