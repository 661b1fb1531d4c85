package canon

import (
	"dustbuster/operators/rule"
)

// slot is one trigger of a rule. A rule has several slots if any one of several texts may
// stand in the URLs that it changes. Slots are in the order of their rules.
type slot struct {
	rank    uint32
	trigger rule.Trigger
}

// rarest chooses for each rule the set of triggers that the fewest rules share, the first
// of several. A rule without triggers gets the empty trigger, which is in every URL.
func rarest(rules []rule.Rule) (slots []slot) {
	uses := make(map[rule.Trigger]int, 2*len(rules))
	all := make([]rule.Triggers, len(rules))
	for i := range rules {
		t := &all[i]
		*t = rules[i].Triggers()
		for k := range t.Len() {
			for _, trigger := range t.Set(k) {
				uses[trigger]++
			}
		}
	}
	slots = make([]slot, 0, len(rules))
	for i := range rules {
		t := &all[i]
		if t.Len() == 0 {
			slots = append(slots, slot{uint32(i), rule.Trigger{}})
			continue
		}
		for _, trigger := range leastUsed(t, uses) {
			slots = append(slots, slot{uint32(i), trigger})
		}
	}
	return slots
}

func leastUsed(t *rule.Triggers, uses map[rule.Trigger]int) (best []rule.Trigger) {
	least := 0
	for k := range t.Len() {
		n := 0
		for _, trigger := range t.Set(k) {
			n += uses[trigger]
		}
		if k == 0 || n < least {
			best, least = t.Set(k), n
		}
	}
	return best
}
