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

// With a site for lines without a host, a host without a dot is none unless the settings name it.
func TestSiteBeforeWords(t *testing.T) {
	for _, c := range []struct{ name, site, host, want string }{
		{"a tag", "www.example.org", "httpd", "www.example.org"},
		{"no site", "", "httpd", "httpd"},
		{"a host", "www.example.org", "shop.example.org", "shop.example.org"},
		{"an address", "www.example.org", "192.0.2.1", "192.0.2.1"},
		{"ipv6", "www.example.org", "[2001:db8::1]", "[2001:db8::1]"},
		{"the site itself", "intranet", "intranet", "intranet"},
		{"one of a group", "www.example.org", "intranet", "all"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := admit.Defaults()
			o.Site, o.Groups = c.site, map[string][]string{"all": {"intranet"}}
			if c.name == "the site itself" {
				o.Groups = nil
			}
			g, err := admit.New(o)
			if err != nil {
				t.Fatal(err)
			}
			var ob evidence.Observation
			h := weblog.Hit{Host: []byte(c.host), Method: []byte("GET"), Target: []byte("/a"), Status: 200}
			if site, why := g.Admit(&ob, &h); why != admit.Admitted || site != c.want {
				t.Errorf("site %q, %s; want %q", site, why, c.want)
			}
		})
	}
}
