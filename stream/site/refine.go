package site

import (
	"slices"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/event"
	"dustbuster/operators/url/secret"
)

// View is what a refinement of a site needs: a copy of the window with its likely rules, and what the last
// look has found.
type View struct {
	window   *miner.Machine // nil: the list cannot have changed
	o        *Options
	list     []rule.Likely
	found    last
	pane     int64
	withheld Withheld
}

// Refined is the result of a refinement.
type Refined struct {
	Changed bool // the list may have changed; else there are no likely rules here
	Pane    int64
	Likely  []rule.Likely // without the withheld rules
	Is      event.Set     // Likely
	Rules   []rule.Likely // the list

	withheld Withheld
}

// View takes a view. The changes until now count as refined. all asks for the likely rules even if nothing has
// changed. O(URLs) if the list may change.
func (s *Site) View(all bool) *View {
	v := &View{o: s.o, list: s.list, withheld: s.withheld, found: s.found, pane: s.Pane()}
	if all || s.touched || s.found.news {
		v.window = s.Machine.View()
		s.ForgetPairEvents() // are among the likely rules of the view
	}
	s.Rest()
	s.found.changed = s.found.changed || s.touched
	s.touched, s.found.news = false, false
	return v
}

// HasNews reports whether a look has found what is not listed yet.
func (s *Site) HasNews() bool { return s.found.news }

// Take takes the list of a refinement.
func (s *Site) Take(r *Refined) {
	if r.Changed {
		s.list, s.withheld = r.Rules, r.withheld
	}
}

// Refine finds the rules. Any goroutine may call Refine, once.
func (v *View) Refine() *Refined {
	r := &Refined{Changed: v.window != nil, Pane: v.pane, Rules: v.list, withheld: v.withheld}
	if !r.Changed {
		return r
	}
	likely, rules := v.window.Likely(), v.window.Rules()
	online := len(rules)
	known := make(map[rule.Rule]int, online)
	for i := range rules {
		known[rules[i].Rule] = i
	}
	weighed := v.found.listed
	for i := range weighed {
		if at, listed := known[weighed[i].Rule]; listed {
			rules[at].SetWeight(&weighed[i])
		}
	}
	for _, found := range v.found.rules {
		if _, listed := known[found.Rule]; !listed {
			rules = append(rules, found)
		}
	}
	hides := v.o.sift(v.window, append(slices.Clone(likely), rules[online:]...)) // the online rules are likely
	r.Likely, _ = hides.without(likely)
	rules, r.withheld = hides.without(rules)
	r.Rules, r.Is = rules, event.SetOf(r.Likely)
	return r
}

// hides are the withheld rules, with whether each looks like a secret.
type hides map[rule.Rule]bool

// sift returns the rules that look like secrets, and those of a single client.
func (o *Options) sift(m *miner.Machine, rules []rule.Likely) hides {
	if o.NoWithhold || len(rules) == 0 {
		return nil
	}
	h := hides{}
	alone, hidden := m.OneClient(rules), m.Hidden(rules, secret.Veil{})
	for i := range rules {
		if hidden[i] || alone[i] {
			h[rules[i].Rule] = hidden[i]
		}
	}
	return h
}

// without returns the rules that are not withheld, and counts the others.
func (h hides) without(rules []rule.Likely) (kept []rule.Likely, left Withheld) {
	if len(h) == 0 {
		return rules, left
	}
	for i := range rules {
		switch looksSecret, withheld := h[rules[i].Rule]; {
		case !withheld:
			kept = append(kept, rules[i])
		case looksSecret:
			left.Secret++
		default:
			left.OneClient++
		}
	}
	return kept, left
}
