package loop

import (
	"reflect"
	"testing"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/rule"
	"dustbuster/stream/records"
)

func TestMerge(t *testing.T) {
	one := &State{Validates: true, Rules: []rule.Likely{{Site: "b"}, {Site: "d"}},
		Published: map[string]*lifecycle.Publication{"b": {Sequence: 1}},
		Status: Status{Started: time.Unix(5, 0), Saved: time.Unix(9, 0), CaughtUp: true, Counts: records.Counts{Lines: 1}, Late: 2, Shed: 3, Beyond: 4,
			Ahead: 5, Events: 6, Errors: Errors{7}, LastError: "x", Failing: Failing{SaveFailed: "save"}, SaveTook: 8, StateBytes: 9, Sites: []Site{{Name: "b"}, {Name: "d"}}}}
	two := &State{Rules: []rule.Likely{{Site: "a"}, {Site: "c"}},
		Published: map[string]*lifecycle.Publication{"c": {Sequence: 2}},
		Status: Status{Started: time.Unix(6, 0), Saved: time.Unix(8, 0), CaughtUp: true, Counts: records.Counts{Lines: 10}, Late: 20, Shed: 30, Beyond: 40,
			Ahead: 50, Events: 60, Errors: Errors{70}, Failing: Failing{EmitFailed: "emit"}, SaveTook: 7, StateBytes: 90, Sites: []Site{{Name: "a"}, {Name: "c"}}}}
	want := &State{Validates: true, Rules: []rule.Likely{{Site: "a"}, {Site: "b"}, {Site: "c"}, {Site: "d"}},
		Published: map[string]*lifecycle.Publication{"b": {Sequence: 1}, "c": {Sequence: 2}},
		Status: Status{Started: time.Unix(5, 0), Saved: time.Unix(8, 0), CaughtUp: true, Counts: records.Counts{Lines: 11}, Late: 22, Shed: 33, Beyond: 44,
			Ahead: 55, Events: 66, Errors: Errors{77}, LastError: "x", Failing: Failing{SaveFailed: "save", EmitFailed: "emit"}, SaveTook: 8, StateBytes: 99, Sites: []Site{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}}}
	if got := Merge([]*State{one, two}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	two.Status.CaughtUp = false
	if Merge([]*State{one, two}).Status.CaughtUp || Merge(nil).Status.CaughtUp || !Merge([]*State{one}).Status.CaughtUp {
		t.Error("caught up only if all have, and there are some")
	}
}
