package export

import (
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/rule"
)

// Each format lists the differences of its readers from canon, in lines of their own.
func TestDiffers(t *testing.T) {
	for _, f := range Formats() {
		if len(f.Differs) == 0 {
			t.Errorf("%s: nothing", f.Name)
		}
		for i, d := range f.Differs {
			if d == "" || strings.ContainsAny(string(d), "\n\r") || slices.Contains(f.Differs[:i], d) {
				t.Errorf("%s: %q", f.Name, d)
			}
		}
	}
}

// For formats whose readers are not run here, oracles check the listed differences.
func TestDiffersOfOracles(t *testing.T) {
	s := Site{Host: "a.test", Rules: []rule.Rule{{Kind: rule.Drop, Param: "n"}}, Separators: known(1, 0)}
	rest := "m=" + strings.Repeat("x", rule.MaxBytes)
	long, without := "/p?n=1&"+rest, "/p?"+rest

	robots, c := told(t, "clean-param", s)
	if form(c, long) != long || clean(cleanLines(t, robots), long) != without {
		t.Error(CountsLong)
	}

	header, c := told(t, "no-vary-search", s)
	cache := varianceOf(t, strings.TrimSpace(strings.TrimPrefix(header, "No-Vary-Search:")))
	for a, b := range map[string]string{long: without, "/?%6E=1": "/", "/?a": "/?a=", "/?a&&b": "/?a&b", "/?a=%41": "/?a=A"} {
		if form(c, a) == form(c, b) || !cache.equivalent(a, b) {
			t.Errorf("%.20q and %.20q: canon takes them for one %v, a cache %v", a, b, form(c, a) == form(c, b), cache.equivalent(a, b))
		}
	}

	e, _ := express(urlHead(&s), &s.Rules[0])
	for url, want := range map[string]string{
		"http://a.test" + long:           "http://a.test" + without,
		"http://a.test./p?n=1":           "http://a.test./p?n=1",
		"http://a.test/p?n=1&m=2#a?n=1&": "http://a.test/p?m=2#a?n=1&",
	} {
		if got := replaceAll(t, edit{pattern: e.removed}, url); got != want {
			t.Errorf("%.40q becomes %.40q", url, got)
		}
	}
}
