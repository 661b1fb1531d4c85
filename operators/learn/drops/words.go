package drops

import (
	"dustbuster/operators/rule"
	"dustbuster/operators/url/query"
)

// words numbers the names of the list and the values of names of few values, from 1.
type words struct {
	ids    map[string]uint32
	names  []nameWord  // names[0] is unused
	values []valueWord // values[0] is unused
	sets   []setWord
	setIDs map[setKey]target
}

type nameWord struct {
	text   string
	values map[string]uint32 // numbers of the values
	many   bool              // there are more than maxValues values, and they have no numbers
}

type valueWord struct {
	name uint32
	text string
}

func newWords() words {
	return words{ids: map[string]uint32{}, names: make([]nameWord, 1), values: make([]valueWord, 1), setIDs: map[setKey]target{}}
}

func (w *words) add(q *query.Query) {
	for _, p := range q.Pieces {
		if p.Valued() || p.Bare() {
			n := w.name(q.NameOf(p))
			if p.Valued() && !w.names[n].many {
				w.names[n].add(q.ValueOf(p))
			}
		}
	}
}

// name returns the number of a name. A new name gets one.
func (w *words) name(text []byte) uint32 {
	if id, ok := w.ids[string(text)]; ok {
		return id
	}
	id := uint32(len(w.names))
	w.names = append(w.names, nameWord{text: string(text)})
	w.ids[w.names[id].text] = id
	return id
}

func (n *nameWord) add(value []byte) {
	if _, ok := n.values[string(value)]; ok {
		return
	}
	if len(n.values) == maxValues {
		n.many, n.values = true, nil
		return
	}
	if n.values == nil {
		n.values = map[string]uint32{}
	}
	n.values[string(value)] = 0
}

// numberValues assigns the numbers of values, once all pages have been added.
func (w *words) numberValues() {
	for id := range w.names {
		for value := range w.names[id].values {
			w.names[id].values[value] = uint32(len(w.values))
			w.values = append(w.values, valueWord{uint32(id), value})
		}
	}
}

// value returns the number of a name's value, or 0 if there are too many.
func (w *words) value(name uint32, text []byte) uint32 { return w.names[name].values[string(text)] }

// A condition demands a value, as its number, or any value of a name, as the name's number
// with the bit anyValue. The zero condition demands nothing.
type condition uint32

const anyValue condition = 1 << 31

// present returns the condition that a name has some value.
func present(name uint32) condition { return condition(name) | anyValue }

func (w *words) nameOf(c condition) uint32 {
	if c&anyValue != 0 {
		return uint32(c &^ anyValue)
	}
	return w.values[c].name
}

func (w *words) condition(c condition) rule.Condition {
	switch {
	case c == 0:
		return rule.Condition{}
	case c&anyValue != 0:
		return rule.Condition{Param: w.names[c&^anyValue].text, Valued: true}
	}
	v := w.values[c]
	return rule.Condition{Param: w.names[v.name].text, Value: v.text, HasValue: true}
}

// A target is what a drop removes: a name, an own value of a name, two names, or three and more, by
// their numbers.
type target uint64

const (
	ownValue target = 1 << 63
	manyName target = 1 << 62 // the number is one of words.sets
)

func oneName(n uint32) target { return target(n) }

func oneValue(v uint32) target { return ownValue | target(v) }

// twoNames returns the target of two names, the first before the second in byte order.
func twoNames(n, m uint32) target { return target(n)<<32 | target(m) }

// targetNames appends the names of a target in byte order.
func (w *words) targetNames(dst []uint32, t target) []uint32 {
	switch {
	case t&ownValue != 0:
		return append(dst, w.values[uint32(t)].name)
	case t.many():
		return append(dst, w.sets[uint32(t)].names...)
	case t.pair():
		return append(dst, uint32(t>>32), uint32(t))
	}
	return append(dst, uint32(t))
}

func (t target) pair() bool { return t>>62 == 0 && t>>32 != 0 }

func (t target) many() bool { return t&manyName != 0 }

// several returns the number of names of a target of several names, and 0 of others.
func (w *words) several(t target) int {
	switch {
	case t.many():
		return len(w.sets[uint32(t)].names)
	case t.pair():
		return 2
	}
	return 0
}

// target returns the target of a rule, or 0 if no URL has it.
func (w *words) target(r *rule.Rule) target {
	d := r.Params()
	var numbers []uint32
	for name := range d.Names() {
		if w.ids[name] == 0 {
			return 0
		}
		numbers = append(numbers, w.ids[name])
	}
	switch {
	case d.HasValue:
		if v := w.names[numbers[0]].values[d.Value]; v != 0 {
			return oneValue(v)
		}
		return 0
	case len(numbers) == 1:
		return oneName(numbers[0])
	case len(numbers) == 2:
		return twoNames(numbers[0], numbers[1])
	}
	return w.set(numbers)
}

// rule returns the rule of a target, without scope and counts.
func (w *words) rule(t target) rule.Rule {
	var texts []string
	for _, n := range w.targetNames(nil, t) {
		texts = append(texts, w.names[n].text)
	}
	d := rule.DropOf(texts...)
	if t&ownValue != 0 {
		d.Value, d.HasValue = w.values[uint32(t)].text, true
	}
	return rule.Rule{Edit: d}
}
