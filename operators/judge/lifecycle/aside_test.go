package lifecycle_test

import (
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/rule"
)

// Second looks at pages that differ come a minute after the first, other rules are tried meanwhile, and no more is
// requested than without the wait, but for trials that would have followed the verdict.
func TestSecondLooksComeLater(t *testing.T) {
	t.Parallel()
	made := map[int64]int{}
	for _, after := range []int64{0, 60} {
		w, rules := falseTown()
		rules = rules[:30]
		o := madeup.Options()
		o.SecondAfter = after
		m := given(o, w, rules...)
		now, first, seconds := int64(1_000_000), map[string]int64{}, 0
		for range 5_000 {
			look, ok := m.Next(now)
			if s := m.Answers.Status().Now; !ok && s.Why == lifecycle.SecondLook {
				if now = s.Until; s.Until <= now-60 {
					t.Fatalf("waits until %d at %d", s.Until, now)
				}
				continue
			} else if !ok {
				break
			}
			pair := look.U + " " + look.V
			if at, seen := first[pair]; look.Second && look.Purpose == lifecycle.Trial {
				if seconds++; !seen || now-at < after {
					t.Errorf("a second look %d s after the first", now-at)
				}
			}
			if made[after] += 2; !look.Second {
				first[pair] = now
			}
			m.Dialogue.Outcome(look, w.see(m, look), 1, now)
			now += 2
		}
		if s := m.Answers.Status(); seconds < 5 || s.States[rule.Refuted] != len(rules) {
			t.Errorf("%d second looks, %+v: %+v", seconds, s.States, s.Now)
		}
	}
	if made[60] > made[0]+made[0]/20 {
		t.Errorf("%d requests with the wait, %d without", made[60], made[0])
	}
}

// A pair of the set that differs at its first look alone delays the last publication by a minute, and does not prevent it.
func TestSetThatWaitsIsPublished(t *testing.T) {
	for _, after := range []int64{0, 60} {
		w := newTown(60)
		o := madeup.Options()
		o.SecondAfter = after
		m := w.machine(o)
		now, differed := int64(1_000_000), false
		for range 20_000 {
			look, ok := m.Next(now)
			if s := m.Answers.Status().Now; !ok && s.Why == lifecycle.SecondLook {
				now = s.Until
				continue
			} else if !ok {
				break
			}
			s := w.see(m, look)
			if look.Purpose == lifecycle.SetTrial && !look.Second && !differed && lifecycle.StateOf(m) == "publish the rest" {
				s, differed = w.see(m, lifecycle.Look{U: look.U, V: "/other_1", Purpose: look.Purpose}), true
			}
			m.Dialogue.Outcome(look, s, 1, now)
			now += 2
		}
		if n := len(m.Published().Records); !differed || n != 2 {
			t.Errorf("%d s between looks, differed %v: %d rules are published: %+v", after, differed, n, m.Answers.Status().Now)
		}
	}
}
