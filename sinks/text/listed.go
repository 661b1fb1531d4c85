package text

import (
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// Listed is what became of the parameters that a list names and the log has. A parameter of two sites counts twice.
type Listed struct {
	names   int
	hold    int
	part    int // of those that hold: only in a part of the site, or with one value
	unclear int
	wrong   []string
}

// mostWrong is the number of wrong names that are shown.
const mostWrong = 3

// Tested adds the parameters of a site, with the tested rules of the site.
func (l *Listed) Tested(names []string, entries []*book.Entry) {
	l.names += len(names)
	for _, name := range names {
		valid, whole, refuted, open := false, false, false, false
		for _, e := range entries {
			if !drops(&e.Rule, name) {
				continue
			}
			switch {
			case e.State == rule.Valid:
				valid, whole = true, whole || e.Rule.Scope == rule.Scope{} && !e.Rule.Params().HasValue
			case !e.Rule.HasOneName() || e.Verdict.Samples == 0:
			case e.State == rule.Refuted:
				refuted = true
			default:
				open = true
			}
		}
		switch {
		case valid:
			l.hold++
			if !whole {
				l.part++
			}
		case open:
			l.unclear++
		case refuted:
			l.wrong = append(l.wrong, name)
		}
	}
}

// drops reports whether a rule drops parameters of a name.
func drops(r *rule.Rule, name string) bool {
	d := r.Params()
	return r.Kind() == rule.KindDrop && slices.Contains(slices.Collect(d.Names()), name)
}

// Mined adds the parameters of a site, with the likely rules that people are shown, and all.
func (l *Listed) Mined(names []string, shown, all []rule.Likely) {
	l.names += len(names)
	for _, name := range names {
		found := func(r rule.Likely) bool { return drops(&r.Rule, name) }
		differs := func(r rule.Likely) bool {
			return found(r) && r.Rule.HasOneName() && r.Rule.Scope == rule.Scope{} && r.Comparable >= leastCompared && 2*r.Support < r.Comparable
		}
		switch {
		case slices.ContainsFunc(shown, found):
			l.hold++
		case slices.ContainsFunc(all, differs):
			l.wrong = append(l.wrong, name)
		}
	}
}

// leastCompared is the number of pairs by whose sizes a name looks wrong, if most of them differ.
const leastCompared = 3

// Outcome says what became of the parameters after a test. veil masks names.
func (l *Listed) Outcome(veil func(string) string) string {
	hold := numberOf(l.hold, "holds", "hold") + " here"
	if l.part > 0 {
		hold += fmt.Sprintf(" (%d of them in a part of the site)", l.part)
	}
	said := []string{hold, l.areWrong("is wrong", "are wrong", veil)}
	if l.unclear > 0 {
		said = append(said, fmt.Sprintf("%d gave no clear result", l.unclear))
	}
	return l.of(append(said, numberOf(l.names-l.hold-l.unclear-len(l.wrong), "was", "were")+" not tested"))
}

// Looks says what the log alone tells of the parameters. veil masks names.
func (l *Listed) Looks(veil func(string) string) string {
	return l.of([]string{numberOf(l.hold, "looks", "look") + " right here", l.areWrong("looks wrong", "look wrong", veil),
		fmt.Sprintf("of %d the log cannot tell", l.names-l.hold-len(l.wrong))})
}

func (l *Listed) areWrong(one, many string, veil func(string) string) string {
	said := numberOf(len(l.wrong), one, many)
	if len(l.wrong) == 0 {
		return said
	}
	var some []string
	for _, name := range l.wrong[:min(mostWrong, len(l.wrong))] {
		some = append(some, veil(name))
	}
	if len(l.wrong) > mostWrong {
		some = append(some, "...")
	}
	return said + " (" + strings.Join(some, ", ") + ")"
}

// numberOf returns a number with its verb.
func numberOf(n int, one, many string) string { return fmt.Sprintf("%d %s", n, verb(n, one, many)) }

func (l *Listed) of(said []string) string {
	if l.names == 0 {
		return "The log has no parameter that is on the list."
	}
	return fmt.Sprintf("Of %s on the list that your log has, %s.", Count(l.names, "name"), strings.Join(said, ", "))
}
