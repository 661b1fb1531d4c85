package input

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// Results without a line are left out, but for those that an alert is for.
func TestCount(t *testing.T) {
	var s State
	s.Count(map[string]int{}, map[string]int{})
	if fmt.Sprint(s.Lines, s.Malformed) != "map[all:0] map[malformed:0 oversized:0 unknown_format:0]" {
		t.Errorf("%v %v", s.Lines, s.Malformed)
	}
	s.Count(map[string]int{"all": 8, "admitted": 6, "malformed": 4, "unknown_format": 0, "status": 0, "reread": 2},
		map[string]int{"all": 8, "admitted": 6, "malformed": 2, "oversized": 1, "reread": 0})
	if fmt.Sprint(s.Lines, s.Malformed) != "map[admitted:6 all:8 malformed:4 reread:2 unknown_format:0] map[malformed:0.25 oversized:0.125 unknown_format:0]" {
		t.Errorf("%v %v", s.Lines, s.Malformed)
	}
}

// The latest error stays.
func TestFail(t *testing.T) {
	var s State
	s.Fail("", 9)
	s.Fail("b", 2)
	s.Fail("a", 1)
	if s.LastError != "b" || s.LastErrorAt != 2 {
		t.Errorf("%q at %d", s.LastError, s.LastErrorAt)
	}
}

func TestLag(t *testing.T) {
	for _, c := range []struct {
		offset, end, written, now int64
		size, lag                 int64 // -1: not known
		seconds                   float64
	}{
		{5, -1, 7, 9, -1, -1, 0}, {5, 8, 7, 9, 8, 3, 2}, {5, 8, 0, 9, 8, 3, 0}, {8, 8, 7, 9, 8, 0, 0}, {9, 8, 7, 9, 8, 0, 0}, {-1, 8, 12, 9, 8, 8, 0},
	} {
		s := State{Offset: c.offset}
		s.Lag(c.end, c.written, c.now)
		size, lag := int64(-1), int64(-1)
		if s.Size != nil {
			size, lag = *s.Size, *s.LagRecords
		}
		if size != c.size || lag != c.lag || s.LagSeconds != c.seconds {
			t.Errorf("%+v: size %d, lag %d, %v s", c, size, lag, s.LagSeconds)
		}
	}
}

func TestMetrics(t *testing.T) {
	bytes, records := int64(7), int64(9)
	all := []State{
		{Kind: Log, Name: "/a", LagBytes: &bytes, LagSeconds: 1.5, Lines: map[string]int{"all": 3, "admitted": 3, "reread": 1, "malformed": 0}},
		{Kind: Log, Name: "/a", CaughtUp: true},
		{Kind: Lines, Name: "t/0", LagRecords: &records, CaughtUp: true, ReadAt: 11, Lines: map[string]int{"all": 2, "status": 2}},
	}
	var got []string
	for _, m := range Metrics(all) {
		text := m.Name
		for _, l := range m.Labels {
			text += " " + l.Value
		}
		got = append(got, fmt.Sprint(text, " ", m.Value, " ", m.Counter))
	}
	slices.Sort(got)
	want := []string{
		"input_caught_up /a 0 false", "input_caught_up t/0 1 false",
		"input_lag_bytes /a 7 false", "input_lag_records t/0 9 false",
		"input_lag_seconds /a 1.5 false", "input_lag_seconds t/0 0 false",
		"input_last_read_timestamp_seconds t/0 11 false",
		"input_lines_total /a admitted 3 true", "input_lines_total /a malformed 0 true", "input_lines_total t/0 status 2 true",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
