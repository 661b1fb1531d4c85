package apply

import (
	"bytes"
	"strings"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// The end of a line that is too long is not read as another line, whatever the line's end.
func TestCanonLongLines(t *testing.T) {
	sites, err := canon.NewSites([]canon.Site{{Name: "a.example", Rules: []rule.Rule{{Edit: rule.Drop{Param: "sid"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	const url, canonical = "http://a.example/?sid=1", "http://a.example/"
	for _, size := range []int{maxURL, 2 * maxURL} {
		for _, end := range []string{"", "\r", url} {
			long := strings.Repeat("x", size) + end + "\n"
			for _, test := range []struct {
				asKey bool
				want  string
			}{{false, canonical + "\n"}, {true, url + "\t" + canonical + "\n"}} {
				c, out := canonizing{asKey: test.asKey}, bytes.Buffer{}
				if err := c.use(sites); err != nil {
					t.Fatal(err)
				}
				if err := c.run(strings.NewReader(url+"\n"+long+url), &out); err != nil {
					t.Fatal(err)
				}
				if got := out.String(); got != test.want+long+test.want {
					t.Errorf("%d bytes and %q, as key %v: %d bytes come out, want %d", size, end, test.asKey, len(got), len(test.want+long+test.want))
				}
			}
		}
	}
}
