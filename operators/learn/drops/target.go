package drops

import "dustbuster/operators/rule"

// A target is what a drop removes: a name, an own value of a name, or two names, by their
// numbers.
type target uint64

const ownValue target = 1 << 63

func oneName(n uint32) target { return target(n) }

func oneValue(v uint32) target { return ownValue | target(v) }

// twoNames returns the target of two names, the first before the second in byte order.
func twoNames(n, m uint32) target { return target(n)<<32 | target(m) }

// targetNames returns the names of a target. The second is 0 unless there are two.
func (w *words) targetNames(t target) (n, m uint32) {
	switch {
	case t&ownValue != 0:
		return w.values[uint32(t)].name, 0
	case t>>32 != 0:
		return uint32(t >> 32), uint32(t)
	}
	return uint32(t), 0
}

// pair reports whether a target has two names.
func (t target) pair() bool { return t&ownValue == 0 && t>>32 != 0 }

// target returns the target of a rule, or 0 if no URL has it.
func (w *words) target(r *rule.Rule) target {
	n := w.ids[r.Param]
	switch {
	case r.HasValue:
		if v := w.names[n].values[r.Value]; v != 0 {
			return oneValue(v)
		}
		return 0
	case r.Other == "":
		return oneName(n)
	}
	if m := w.ids[r.Other]; n != 0 && m != 0 {
		return twoNames(n, m)
	}
	return 0
}

// rule returns the rule of a target, without scope and counts.
func (w *words) rule(t target) rule.Rule {
	n, m := w.targetNames(t)
	r := rule.Rule{Kind: rule.Drop, Param: w.names[n].text, Other: w.names[m].text}
	if t&ownValue != 0 {
		r.Value, r.HasValue = w.values[uint32(t)].text, true
	}
	return r
}
