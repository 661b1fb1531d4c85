package trial_test

import (
	"testing"

	"dustbuster/operators/judge/trial"
)

func sizes(all ...trial.Size) trial.Logged { return trial.Logged{Sizes: all} }

func TestStandInIsJudged(t *testing.T) {
	const gzip = 2
	page := func(sent, length int64) trial.Shown {
		return trial.Shown{HTML: true, Words: 100, Text: 1, Digest: 7, Sent: sent, Length: length}
	}
	positive := trial.Judgement{Outcome: trial.Positive, Reason: trial.Similar}
	skip := trial.Judgement{Outcome: trial.Skip, Reason: trial.OtherLength}
	for _, c := range []struct {
		name  string
		u, v  trial.Logged
		page  trial.Shown
		alike float64
		want  trial.Judgement
	}{
		{"of the size", sizes(trial.Size{Min: 5000, Max: 5000}), sizes(), page(5000, 5000), 1, positive},
		{"8 bytes more", sizes(trial.Size{Min: 5000, Max: 5000}), sizes(), page(5008, 5008), 1, positive},
		{"9 bytes more", sizes(trial.Size{Min: 5000, Max: 5000}), sizes(), page(5009, 5009), 1, skip},
		{"9 bytes less", sizes(trial.Size{Min: 5000, Max: 5000}), sizes(), page(4991, 4991), 1, skip},
		{"64 bytes, compressed", sizes(trial.Size{Min: 5000, Max: 5000, Class: gzip}), sizes(), page(5064, 20000), 1, positive},
		{"65 bytes, compressed", sizes(trial.Size{Min: 5000, Max: 5000, Class: gzip}), sizes(), page(5065, 20000), 1, skip},
		{"within the spread of v", sizes(trial.Size{Min: 5000, Max: 5000}), sizes(trial.Size{Min: 5000, Max: 5040}), page(5040, 5040), 1, positive},
		{"beyond a hundredth", sizes(trial.Size{Min: 5000, Max: 5000}), sizes(trial.Size{Min: 5000, Max: 5400}), page(5051, 5051), 1, skip},
		{"beyond 256 bytes", sizes(trial.Size{Min: 50000, Max: 50000}), sizes(trial.Size{Min: 50000, Max: 50400}), page(50257, 50257), 1, skip},
		{"the spread in another class", sizes(trial.Size{Min: 5000, Max: 5000}), sizes(trial.Size{Min: 5000, Max: 5040, Class: gzip}), page(5040, 5040), 1, skip},
		{"the digest", trial.Logged{Digest: 7}, sizes(), page(5000, 5000), 1, positive},
		{"another digest", trial.Logged{Digest: 8}, sizes(), page(5000, 5000), 1, skip},
		{"nothing in the log", sizes(), sizes(), page(5000, 5000), 1, skip},
		{"another text of another size", sizes(trial.Size{Min: 5000, Max: 5000}), sizes(), page(5100, 5100), 0, skip},
		{"another text of the size", sizes(trial.Size{Min: 5000, Max: 5000}), sizes(), page(5000, 5000), 0, trial.Judgement{Outcome: trial.Negative, Reason: trial.Different}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := trial.Case{Tau: 0.9, Self: 1, U: c.u, V: c.v}
			if len(c.v.Sizes) > 0 {
				p.V = c.v
			}
			seen := trial.Compared{Alike: c.alike, SameText: c.alike == 1, StandIn: true, U: c.page, V: c.page}
			if got := p.Judge(&seen); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
			seen.StandIn = false
			if got := p.Judge(&seen); c.want == skip && c.alike == 1 && got != positive {
				t.Errorf("without a stand-in %+v", got)
			}
		})
	}
}

func TestStandInIsAnswered(t *testing.T) {
	ok := trial.Document{Status: 200}
	compare := func() trial.Compared { return trial.Compared{Alike: 1} }
	for _, c := range []struct {
		name string
		u    trial.Document
		want trial.Reason
	}{
		{"there", ok, 0},
		{"unauthorized", trial.Document{Status: 401}, trial.StandInRefused},
		{"forbidden", trial.Document{Status: 403}, trial.StandInRefused},
		{"locked", trial.Document{Status: 423}, trial.StandInRefused},
		{"too many", trial.Document{Status: 429}, trial.StandInRefused},
		{"gone", trial.Document{Status: 404}, trial.SourceFailed},
		{"redirected", trial.Document{Status: 200, Redirected: true, Target: "/x"}, trial.StandInMoved},
		{"no answer", trial.Document{Failure: trial.Timeout}, trial.SourceFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := trial.Look(trial.Pair{U: "/u", V: "/v", StandIn: true}, c.u, ok, compare)
			if s.Reason != c.want || (s.Compared != nil) != (c.want == 0) || s.Compared != nil && !s.Compared.StandIn {
				t.Errorf("%+v", s)
			}
			if _, both := s.Turned(); both {
				t.Error("what a stand-in shows says nothing of the reversed pair")
			}
		})
	}
}

func TestLogAgrees(t *testing.T) {
	at := func(class uint8, min, max int64) trial.Logged {
		return sizes(trial.Size{Min: min, Max: max, Class: class})
	}
	double := func(low, high int64) trial.Logged {
		return sizes(trial.Size{Min: low, Max: low}, trial.Size{Min: high, Max: high})
	}
	for _, c := range []struct {
		name         string
		u, v         trial.Logged
		more         int
		agree, known bool
	}{
		{"equal", at(0, 5000, 5000), at(0, 5000, 5000), 20, true, true},
		{"overlapping", at(0, 5000, 5300), at(0, 5200, 5400), 20, true, true},
		{"8 bytes apart", at(0, 5008, 5008), at(0, 5000, 5000), 0, true, true},
		{"9 bytes apart", at(0, 5009, 5009), at(0, 5000, 5000), 0, false, true},
		{"the address once more", at(0, 5040, 5040), at(0, 5000, 5000), 40, true, true},
		{"the address eight times", at(0, 5320, 5320), at(0, 5000, 5000), 40, true, true},
		{"nine times", at(0, 5360, 5360), at(0, 5000, 5000), 40, false, true},
		{"the address less", at(0, 4960, 4960), at(0, 5000, 5000), 40, false, true},
		{"compressed", at(2, 5064, 5064), at(2, 5000, 5000), 0, true, true},
		{"in another class", at(2, 5000, 5000), at(0, 5000, 5000), 0, false, false},
		{"unknown", trial.Logged{}, at(0, 5000, 5000), 0, false, false},
		{"two doubles", double(1000, 5000), double(1004, 5004), 0, true, true},
		{"two doubles, one size", double(1000, 5000), double(1004, 6000), 0, false, true},
		{"a double, and its smaller size", double(1000, 5000), at(0, 1004, 1004), 0, true, true},
		{"a double, and its larger size", at(0, 5000, 5000), double(1000, 5000), 0, true, true},
		{"a double, and a size between", double(1000, 5000), at(0, 3000, 3000), 0, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if agree, known := trial.Agree(&c.u, &c.v, c.more); agree != c.agree || known != c.known {
				t.Errorf("agree %v, known %v", agree, known)
			}
		})
	}
}

// Pages that are nearly all smaller than the log says, or larger, prove nothing.
func TestLean(t *testing.T) {
	c := trial.Case{U: sizes(trial.Size{Min: 5000, Max: 5010})}
	for _, k := range []struct {
		name                   string
		smaller, larger, exact int
		want                   bool
	}{
		{"none", 0, 0, 30, false}, {"four", 4, 0, 0, false}, {"five smaller", 5, 0, 30, true}, {"five larger", 0, 5, 0, true},
		{"nine in ten", 9, 1, 0, true}, {"eight in ten", 8, 2, 0, false},
	} {
		t.Run(k.name, func(t *testing.T) {
			var l trial.Lean
			for _, test := range []struct {
				size int64
				want int
			}{{4999, k.smaller}, {5011, k.larger}, {5005, k.exact}} {
				for range test.want {
					l.Add(&c, &trial.Compared{StandIn: true, U: trial.Shown{Sent: test.size, Length: test.size, Header: 90000}})
					l.Add(&c, &trial.Compared{U: trial.Shown{Sent: 1, Length: 1}})
				}
			}
			if l.IsClear() != k.want {
				t.Errorf("%+v is clear: %v", l, !k.want)
			}
		})
	}
}
