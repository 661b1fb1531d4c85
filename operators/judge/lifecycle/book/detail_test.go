package book_test

import (
	"fmt"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// A history stays small, and tells nothing about publications that are not known.
func TestHistoryBounds(t *testing.T) {
	const mostChanges = 128
	b := book.New("town", &book.Options{}, &book.Hasher{})
	publish := func(sequence int64, names ...string) {
		p := &book.Publication{Sequence: sequence, At: sequence}
		for _, name := range names {
			r := rule.Rule{Edit: rule.Drop{Param: name}}
			p.Records = append(p.Records, rule.Record{Schema: rule.Schema, ID: rule.ID("town", &r), Wire: *rule.NewWire(&r), State: rule.Valid})
		}
		b.Apply(&book.Act{Publication: p})
	}
	publish(7, "a", "b")
	if len(b.History) > 0 {
		t.Errorf("of an unknown list: %+v", b.History)
	}
	publish(8, "b", "c")
	if len(b.History) != 2 || !b.History[0].Came || b.History[0].Rule.Params().Param != "c" || b.History[1].Came || b.History[1].Rule.Params().Param != "a" || b.History[1].State != "" {
		t.Errorf("%+v", b.History)
	}
	for i := range int64(mostChanges) {
		publish(9+i, fmt.Sprint("p", i))
	}
	if n := len(b.History); n != mostChanges || b.History[n-1].Sequence != 8+mostChanges {
		t.Errorf("%d changes, the last %+v", n, b.History[n-1])
	}
}
