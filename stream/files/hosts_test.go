package files

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestHostsOf(t *testing.T) {
	for _, c := range []struct {
		name  string
		paths []string
		want  []string // hosts of the paths; - is none
	}{
		{"files", []string{"domains/a.example.log", "domains/b.example.log"}, []string{"a.example", "b.example"}},
		{"one host", []string{"a.example.log", "a.example.log.1", "access.log"}, nil},
		{"rotated and packed", []string{"www.a.example.log.1.gz", "b.example.log-20261128.zst", "access.log"}, []string{"www.a.example", "b.example", "-"}},
		{"words around", []string{"a.example-access.log", "ssl_access.b.example.log", "c.example-ssl_log", "d.example_access_log", "access-e.example.log.2"},
			[]string{"a.example", "b.example", "c.example", "d.example", "e.example"}},
		{"months", []string{"a.example-Nov-2026.gz", "b.example-ssl_log-Nov-2026.gz"}, []string{"a.example", "b.example"}},
		{"folders", []string{"/var/www/vhosts/a.example/logs/access_ssl_log", "/var/www/vhosts/b.example/logs/access_log.processed"}, []string{"a.example", "b.example"}},
		{"the inner name counts", []string{"/web1.c.example/a.example.log", "/web2.c.example/b.example.log"}, []string{"a.example", "b.example"}},
		{"capitals", []string{"A.Example.log", "b.example.LOG"}, []string{"a.example", "b.example"}},
		{"many labels", []string{"www.shop-1.a.co.example.log", "xn--a-1.xn--p1ai.log"}, []string{"www.shop-1.a.co.example", "xn--a-1.xn--p1ai"}},
		{"no hosts", []string{"/var/log/nginx/access.log", "/var/log/nginx/access.log.1", "web1/access.log", "web2/access.log", "2026.11/access.log"}, nil},
		{"addresses and machines", []string{"10.0.0.1.log", "10.0.0.2.log", "web-1.internal.log", "web-2.internal.log", "a.lan/access.log", "b.lan/access.log"}, nil},
		{"numbers of IIS", []string{"W3SVC1/u_ex261128.log", "W3SVC2/u_ex261128.log"}, nil},
		{"folders with endings", []string{"/etc/nginx.conf.d/access.log", "/srv/logs.old/access.log", "/srv/x.d/access.log"}, nil},
		{"standard input", []string{Stdin, "a.example.log", "b.example.log"}, []string{"-", "a.example", "b.example"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := hostsOf(c.paths)
			if c.want == nil && len(got) > 0 {
				t.Fatalf("%v, want none", got)
			}
			for i, want := range c.want {
				if host := got[c.paths[i]]; host != strings.Trim(want, "-") {
					t.Errorf("%s: %q, want %q", c.paths[i], host, want)
				}
			}
		})
	}
}

// The hosts do not depend on the order of the paths, and a reader has none unless asked.
func TestHosts(t *testing.T) {
	var paths []string
	for i := range 5 {
		paths = append(paths, write(t, fmt.Sprintf("h%d.a.example.log", i), []byte("x\n")))
	}
	back := slices.Clone(paths)
	slices.Reverse(back)
	if !maps.Equal(hostsOf(paths), hostsOf(back)) {
		t.Error("the order counts")
	}
	for _, on := range []bool{false, true} {
		r, err := Open(paths, Options{Hosts: on})
		must(t, err)
		if hosts := r.Hosts(); len(hosts) != map[bool]int{true: 5}[on] {
			t.Errorf("%t: %v", on, hosts)
		}
		must(t, r.Close())
	}
}
