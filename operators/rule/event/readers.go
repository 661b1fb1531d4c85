package event

import (
	"slices"
	"unique"

	"dustbuster/operators/rule"
)

// Readers is the lists of rules that readers of all events hold, by site. It finds the
// events that turn them into the lists of likely rules. The zero value is a reader before
// the first event.
type Readers struct {
	held map[string]map[unique.Handle[rule.Rule]]counts // a rule of many sites is in memory once
}

// counts are what an event says of a rule, besides the rule.
type counts struct {
	learner                    string
	support, high, comparables int
}

func countsOf(l *rule.Likely) counts {
	return counts{l.Learner, l.Support, l.SupportHigh, l.Comparable}
}

// Faded returns the rules of a site that readers hold and that are not likely, in the order of
// rule.Compare. After the events of Changes of all likely and of these rules, readers hold exactly the
// likely rules. Rules that are left out count as likely.
func (r *Readers) Faded(site string, likely, leftOut map[rule.Rule]bool) (faded []rule.Likely) {
	for h, c := range r.held[site] {
		if id := h.Value(); !likely[id] && !leftOut[id] {
			faded = append(faded, rule.Likely{Site: site, Rule: id, Learner: c.learner, Support: c.support, SupportHigh: c.high, Comparable: c.comparables})
		}
	}
	slices.SortFunc(faded, rule.Compare)
	return faded
}

// Changes returns the events of a site's rules that have become likely or have faded. It
// leaves out likely rules that readers hold, and faded rules that they do not hold.
func (r *Readers) Changes(site string, pane int64, likely, faded []rule.Likely) (events []Event) {
	held := r.held[site]
	add := func(kind Kind, rules []rule.Likely) {
		for i := range rules {
			if _, holds := held[unique.Make(rules[i].Rule)]; holds == (kind == Faded) {
				events = append(events, Event{Kind: kind, Site: site, Pane: pane, Rule: rules[i]})
			}
		}
	}
	add(Faded, faded)
	add(Likely, likely)
	return events
}

// Take updates the lists after readers have taken an event.
func (r *Readers) Take(e *Event) {
	if r.held == nil {
		r.held = map[string]map[unique.Handle[rule.Rule]]counts{}
	}
	held := r.held[e.Site]
	if held == nil || e.Kind == Snapshot {
		held = make(map[unique.Handle[rule.Rule]]counts, len(e.Rules))
		r.held[e.Site] = held
	}
	switch e.Kind {
	case Snapshot:
		for i := range e.Rules {
			held[unique.Make(e.Rules[i].Rule)] = countsOf(&e.Rules[i])
		}
	case Likely:
		held[unique.Make(e.Rule.Rule)] = countsOf(&e.Rule)
	case Faded:
		delete(held, unique.Make(e.Rule.Rule))
	}
}

// Forget drops the list of a site. Nothing fades there before the next snapshot or likely
// rule.
func (r *Readers) Forget(site string) { delete(r.held, site) }

// ForgetAll drops the lists of all sites.
func (r *Readers) ForgetAll() { clear(r.held) }
