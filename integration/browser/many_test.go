package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// file returns the path of a new file that only its owner can read.
func file(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// vhostFormat is the format of the log of vhosts.
const vhostFormat = `$host $remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"`

// vhosts returns the log of many hosts, with at least so many likely rules on one of them.
func vhosts(sites, rules int) string {
	var b strings.Builder
	add := func(host, target string, size int) {
		fmt.Fprintf(&b, "%s 10.0.0.%d - - [%s] \"GET %s HTTP/1.1\" 200 %d \"-\" \"-\"\n", host, size%200, stamp, target, size)
	}
	for i := range sites {
		for k := range 3 {
			add(fmt.Sprintf("www%d.example", i), fmt.Sprintf("/p%d", k), 1000+i+k*40)
		}
	}
	for i := range rules {
		for k := range 4 {
			size := 1000 + 50*(4*i+k)
			add("big.example", fmt.Sprintf("/a%d/p%d_%d", i, i, k), size)
			add("big.example", fmt.Sprintf("/b%d/p%d_%d", i, i, k), size)
		}
	}
	return b.String()
}

// With 10,000 sites, and 1,000 rules on one of them, tables are cut into pages, and the first
// paint comes soon. The test prints the time of the first paint, of the best of five visits;
// the machine may be busy.
func TestManySites(t *testing.T) {
	d := start(t, vhosts(10_000, 1_000), "--format", vhostFormat, "--max-sites", "20000", "--no-withhold")
	d.await("sites", func(s *status) bool { return s.CaughtUp && len(s.Sites) == 10_001 })
	b := open(t, d.url)
	b.look(1440, "light")
	for _, c := range []struct{ name, path string }{{"overview", ""}, {"search", "?q=big"}, {"last", "?by=site&page=201"}, {"likely", "likely?site=big.example"}, {"left", "left"}, {"inputs", "inputs"}} {
		best := 1e9
		for range 5 {
			b.visit(d.url + c.path)
			best = min(best, b.firstPaint())
		}
		rows, nodes := eval[int](b, `document.querySelectorAll("tbody tr").length`), eval[int](b, `document.querySelectorAll("*").length`)
		t.Logf("%s: first paint after %.0f ms, %d rows, %d elements", c.name, best, rows, nodes)
		if rows > 120 || nodes > 2000 {
			t.Errorf("%s has %d rows and %d elements", c.name, rows, nodes)
		}
		b.shoot("many-" + c.name)
		b.check(c.name)
	}
	b.visit(d.url + "likely?site=big.example")
	if !strings.Contains(b.text(), "1 to 50 of ") {
		t.Errorf("the rules are on one page:\n%s", b.text())
	}
}
