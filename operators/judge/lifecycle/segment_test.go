package lifecycle_test

import (
	"fmt"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
)

// visits are a site whose paths hold a value.
type visits struct {
	name   string
	url    string // of a value and the rest
	value  func(n int) string
	page   func(n, rest int) int // the page that a value and a rest show
	left   string                // of the rest: the URL without the value that the server knows; "": none
	want   string                // after, class and to of the rule that holds; "": none does
	likely bool                  // the log alone cannot tell that no rule holds
}

func digits(n int) string { return fmt.Sprint(100003 + 7919*n) }
func hex(n int) string    { return fmt.Sprintf("%08x", 0x7f3a9c21+n*0x01234567) }

func sessions(_, rest int) int { return rest }
func own(n, rest int) int      { return 100*n + rest }

var allVisits = []visits{
	{"digits", "/%s/catalog/%d", digits, sessions, "/catalog/%d", "/ digits /", true},
	{"hex", "/%s/catalog/%d", hex, sessions, "/catalog/%d", "/ hex /", true},
	{"digits behind a mark", "/s/%s/catalog/%d", digits, sessions, "/s/catalog/%d", "/s/ digits /s/", true},
	{"hex with its mark", "/s/%s/catalog/%d?page=2", hex, sessions, "/catalog/%d?page=2", "/s/ hex /", true},
	{"digits at depth 2", "/shop/s/%s/catalog/%d", digits, sessions, "/shop/catalog/%d", "/shop/s/ digits /shop/", true},
	{"never without a value", "/%s/catalog/%d", digits, sessions, "", "", true},
	{"users", "/user/%s/list%d", digits, own, "/user/list%d", "", false},
	{"users without posts", "/user/%s/list%d", digits, func(n, rest int) int { return 5000 + rest }, "", "", true},
	{"items", "/item/%s/view", digits, func(n, _ int) int { return n }, "/item/view", "", false},
	{"commits", "/commit/%s/file%d", hex, own, "/commit/file%d", "", false},
	{"days", "/%s/05/story%d", func(n int) string { return fmt.Sprint(2005 + n%19) }, own, "/05/story%d", "", false},
	{"years of equal pages", "/%s/page%d", func(n int) string { return fmt.Sprint(1995 + n) }, sessions, "/page%d", "", false},
	{"pages", "/list/%s/%d", digits, own, "/list/%d", "", false},
	{"a rest that many values share by chance", "/%s/catalog/%d", digits, func(n, rest int) int { return rest + 30*(n%2) }, "/catalog/%d", "", false},
}

// crowd returns the log of the site: 24 values, with 8 of 30 rests each. Some clients share a value.
func (v *visits) crowd() *crowd {
	c := newCrowd()
	c.Many()
	for n := range 24 {
		for i := range 8 {
			rest := (5*n + 7*i) % 30
			url := strings.Replace(v.url, "%s", v.value(n), 1)
			if strings.Contains(url, "%d") {
				url = fmt.Sprintf(url, rest)
			}
			c.Asked(url, v.page(n, rest), uint8(n), uint8(n+1), uint8(n+5))
			if left := v.left; left != "" {
				if strings.Contains(left, "%d") {
					left = fmt.Sprintf(left, rest)
				}
				c.Asked(left, v.page(0, rest)) // nobody asks for it
			}
		}
	}
	return c
}

// A segment that is a session is cut out of the path; a date, a user, an item, a commit is not. All
// that is fetched may be fetched.
func TestSegments(t *testing.T) {
	for _, v := range allVisits {
		t.Run(v.name, func(t *testing.T) {
			c := v.crowd()
			all := c.Mined.AllRules()
			likely := 0
			for _, r := range all {
				if r.Rule.Kind() == rule.KindSegment {
					likely++
					if r.Weight < 10 && v.want != "" {
						t.Errorf("%s has the weight %.1f", r.Rule.Words(), r.Weight)
					}
				}
			}
			if v.likely != (likely > 0) {
				t.Errorf("%d likely rules", likely)
			}
			m := New("visits", madeup.Options())
			m.Load(forms.WindowOf(c.Mined), forms.Candidates(all))
			looks := 0
			c.town.live(m, 1_800_000_000, func(test lifecycle.Look) {
				if looks++; !lifecycle.GuardOf(m).Allows(test.U, test.V) && test.Purpose != lifecycle.Control {
					t.Errorf("asked for %s and %s", test.U, test.V)
				}
			})
			var got []string
			for _, r := range rulesOf(m) {
				if r.Kind() == rule.KindSegment {
					got = append(got, fmt.Sprint(r.Sides().From, " ", r.Params().Pattern.Class, " ", r.Sides().To))
				}
			}
			if strings.Join(got, ", ") != v.want {
				t.Errorf("valid: %q, want %q", got, v.want)
			}
			t.Logf("%d likely, %d looks", likely, looks)
		})
	}
}
