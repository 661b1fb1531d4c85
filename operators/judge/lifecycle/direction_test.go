package lifecycle_test

import (
	"fmt"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// Where both directions hold, pages that name the longer URL as canonical turn the rule, if nearly all
// of them do, nobody prefers the other direction, and those URLs exist. Two runs choose the same.
func TestDirectionByCanonical(t *testing.T) {
	const long, short = "/story/3", "/s?id=3"
	for _, c := range []struct {
		name   string
		one    int // in so many pairs, the longer URL is named as canonical by one; 0: none names any
		prefer []string
		fails  bool
		want   string
	}{
		{"none", 0, nil, false, short},
		{"all name the longer", 1, nil, false, long},
		{"half of them", 2, nil, false, short},
		{"preferred otherwise", 1, []string{"/s?id="}, false, short},
		{"preferred, too", 1, []string{"/story/"}, false, long},
		{"does not hold there", 1, nil, true, short},
	} {
		w := noTown()
		for i := range 60 {
			size, text := int64(1000+37*i), fmt.Sprint("story ", i)
			w.Add(fmt.Sprintf("/story/%d", i), text, size)
			w.Add(fmt.Sprintf("/s?id=%d", i), text, size)
		}
		if c.fails {
			for i := range 40 { // pages that exist only in the short form
				w.Add(fmt.Sprintf("/s?id=x%d", i), fmt.Sprint("only ", i), int64(100_000+999*i))
			}
		}
		for range 2 {
			o := madeup.Options()
			o.Prefer = c.prefer
			m := w.machine(o)
			now, n := int64(1), 0
			for test, ok := m.Next(now); ok; test, ok = m.Next(now) {
				seen := w.see(m, test)
				if seen.Compared != nil && c.one > 0 {
					seen.Compared.Leads = leading(test.U, test.V, n%c.one == 0)
					n++
				}
				m.Dialogue.Outcome(test, seen, 1, now)
				now++
			}
			if formOf(m, long) != c.want || formOf(m, short) != c.want {
				t.Errorf("%s: %s and %s, want %s", c.name, formOf(m, long), formOf(m, short), c.want)
			}
			for _, e := range saved(m) {
				if turned := e.Verdict.Reason == book.ByCanonical; turned && (e.State != rule.Retired || len(e.Followers) != 1) {
					t.Errorf("%s: %+v", c.name, e)
				}
			}
		}
	}
}

// leading returns the lead of a pair whose pages both name the longer URL, or the shorter.
func leading(u, v string, longer bool) int {
	if strings.HasPrefix(u, "/story/") == strings.HasPrefix(v, "/story/") {
		return 0
	}
	if strings.HasPrefix(v, "/story/") == longer {
		return 1
	}
	return -1
}

// A lead, or a redirect, of the reversed pair is the opposite.
func TestLeadTurns(t *testing.T) {
	s := trial.Seen{Compared: &trial.Compared{Leads: 1, Moved: -1}}
	if turned, ok := s.Turned(); !ok || turned.Compared.Leads != -1 || turned.Compared.Moved != 1 || s.Compared.Leads != 1 || s.Compared.Moved != -1 {
		t.Errorf("%+v", turned.Compared)
	}
}
