package trial

import (
	"testing"

	"dustbuster/operators/rule"
)

// mixedPairs returns n pairs of a resemblance, and further pairs of equal text.
func mixedPairs(n int, alike float64, equal int) (all []Compared) {
	for range n {
		all = append(all, Compared{Alike: alike})
	}
	for range equal {
		all = append(all, Compared{Alike: 1, SameText: true})
	}
	return all
}

func TestNewControl(t *testing.T) {
	for _, c := range []struct {
		name            string
		mixed           []Compared
		contents, pairs int
		want            rule.Control
		threshold       float64
	}{
		{"nothing known", nil, 0, 0, rule.Control{}, 0.9},
		{"pages that are not alike", mixedPairs(40, 0.3, 0), 40, 40, rule.Control{Mixed: 40, Quantile: 0.3}, 0.9},
		{"pages on one template", mixedPairs(40, 0.93, 0), 40, 40, rule.Control{Mixed: 40, Quantile: 0.93}, 0.95},
		{"few pairs of unequal text", mixedPairs(4, 0.93, 0), 4, 4, rule.Control{Mixed: 4}, 0.9},
		{"one of twenty pairs is alike", append(mixedPairs(19, 0.3, 0), mixedPairs(1, 0.99, 0)...), 20, 20, rule.Control{Mixed: 20, Quantile: 0.3}, 0.9},
		{"two of twenty are", append(mixedPairs(18, 0.3, 0), mixedPairs(2, 0.99, 0)...), 20, 20, rule.Control{Mixed: 20, Quantile: 0.99}, 1.01},
		{"one text in one of twenty", mixedPairs(19, 0.3, 1), 20, 20, rule.Control{Mixed: 20, Equal: 1, Quantile: 0.3}, 0.9},
		{"one text in two of twenty", mixedPairs(18, 0.3, 2), 20, 20, rule.Control{Mixed: 20, Equal: 2, Quantile: 0.3, Strict: true}, 0.9},
		{"four contents", mixedPairs(40, 0.3, 0), 4, 40, rule.Control{Mixed: 40, Quantile: 0.3, Strict: true}, 0.9},
		{"four pairs", mixedPairs(6, 0.3, 0), 4, 4, rule.Control{Mixed: 6, Quantile: 0.3}, 0.9},
	} {
		got := NewControl(c.mixed, c.contents, c.pairs, 0.05)
		if d := got.Threshold(0.9) - c.threshold; got != c.want || d > 1e-9 || d < -1e-9 {
			t.Errorf("%s: %+v with threshold %v, want %+v with %v", c.name, got, got.Threshold(0.9), c.want, c.threshold)
		}
	}
}

// Each part of a control affects the judgement of a pair.
func TestCaseJudge(t *testing.T) {
	page := Shown{HTML: true, Words: 100, Text: 7, Sent: 1000, Length: 5000, Header: 250}
	log := func(sizes ...Size) Logged { return Logged{Sizes: sizes} }
	at := func(alike float64) Compared { return Compared{Alike: alike, U: page, V: page} }
	equal := Compared{Alike: 1, SameText: true, U: page, V: page}
	with := func(c Compared, change func(*Compared)) Compared { change(&c); return c }
	free := Case{Tau: 0.9, Self: 1}
	template := Case{Control: rule.Control{Quantile: 0.93}, Tau: 0.9, Self: 1}
	twins := Case{Control: rule.Control{Quantile: 0.97}, Tau: 0.9, Self: 1}
	strict := Case{Control: rule.Control{Strict: true}, Tau: 0.9, Self: 1, U: log(Size{Min: 1000, Max: 1000})}
	of := func(c Case, change func(*Case)) Case { change(&c); return c }
	image := with(equal, func(c *Compared) {
		c.SameBytes, c.U.HTML, c.V.HTML, c.U.Image, c.V.Image = true, false, false, true, true
		c.U.Length, c.U.Sent = 100, 100
	})
	inLog := func(least, most int64) Case {
		return of(strict, func(c *Case) { c.U, c.V = log(Size{Min: least, Max: most}), Logged{} })
	}
	for _, c := range []struct {
		name string
		by   Case
		pair Compared
		want Judgement
	}{
		{"alike", free, at(0.9), Judgement{Positive, Similar}},
		{"nearly", free, at(0.89), Judgement{Negative, Different}},
		{"on one template, nearly", template, at(0.94), Judgement{Negative, Different}},
		{"on one template", template, at(0.951), Judgement{Positive, Similar}},
		{"on one template, equal", template, equal, Judgement{Positive, Similar}},
		{"on one template, and noisy", of(template, func(c *Case) { c.Self = 0.94 }), at(0.94), Judgement{Skip, Uncontrolled}},
		{"twins, equal", twins, equal, Judgement{Positive, Similar}},
		{"twins, nearly equal", twins, at(0.999), Judgement{Skip, Uncontrolled}},
		{"twins, alike without a control", twins, at(0.9), Judgement{Skip, Uncontrolled}},
		{"twins, not alike", twins, at(0.8), Judgement{Negative, Different}},
		{"everywhere", of(free, func(c *Case) { c.Everywhere = true }), equal, Judgement{Skip, Everywhere}},
		{"everywhere, and not alike", of(free, func(c *Case) { c.Everywhere = true }), at(0.1), Judgement{Negative, Different}},
		{"v in no index", free, with(equal, func(c *Compared) { c.V.NoIndex = true }), Judgement{Negative, NoIndex}},
		{"both in no index", free, with(equal, func(c *Compared) { c.U.NoIndex, c.V.NoIndex = true, true }), Judgement{Positive, Similar}},
		{"other canonical pages", free, with(at(0.95), func(c *Compared) { c.Disowned = true }), Judgement{Skip, Disowned}},
		{"the same, not alike", free, with(at(0.5), func(c *Compared) { c.Disowned = true }), Judgement{Negative, Different}},
		{"the same, equal", free, with(equal, func(c *Compared) { c.Disowned = true }), Judgement{Positive, Similar}},

		{"as large as in the log", of(free, func(c *Case) { c.U, c.V = log(Size{Min: 900, Max: 1100}), log(Size{Min: 4000, Max: 4000}) }), at(0.9), Judgement{Positive, Similar}},
		{"half as large", of(free, func(c *Case) { c.U = log(Size{Min: 11012, Max: 20000}) }), at(0.9), Judgement{Positive, Similar}},
		{"less than half", of(free, func(c *Case) { c.U = log(Size{Min: 11014, Max: 20000}) }), at(0.9), Judgement{Skip, OtherPage}},
		{"twice as large", of(free, func(c *Case) { c.V = log(Size{Min: 10, Max: 372}) }), at(0.1), Judgement{Negative, Different}},
		{"more than twice", of(free, func(c *Case) { c.V = log(Size{Min: 10, Max: 371}) }), at(0.1), Judgement{Skip, OtherPage}},
		{"as large as in one of two", of(free, func(c *Case) { c.V = log(Size{Min: 10, Max: 10}, Size{Min: 1000, Max: 1000}) }), at(0.1), Judgement{Negative, Different}},
		{"one body, another than clients'", of(free, func(c *Case) { c.U = log(Size{Min: 90000, Max: 90000}) }), equal, Judgement{Skip, OtherPage}},

		{"strict", strict, equal, Judgement{Positive, Similar}},
		{"strict, nearly equal", strict, at(0.99), Judgement{Skip, Uncontrolled}},
		{"strict, not alike", strict, at(0.8), Judgement{Negative, Different}},
		{"strict, 64 bytes off", of(strict, func(c *Case) { c.U = log(Size{Min: 1314, Max: 1400}) }), equal, Judgement{Positive, Similar}},
		{"strict, 65 bytes off", of(strict, func(c *Case) { c.U = log(Size{Min: 1315, Max: 1400}) }), equal, Judgement{Skip, OtherLength}},
		{"strict, 1 % off", of(strict, func(c *Case) { c.U = log(Size{Min: 5352, Max: 10300}) }), equal, Judgement{Positive, Similar}},
		{"strict, size not known", of(strict, func(c *Case) { c.U = Logged{} }), equal, Judgement{Skip, OtherLength}},
		{"strict, digest", of(strict, func(c *Case) { c.U = Logged{Digest: 5} }), with(equal, func(c *Compared) { c.U.Digest = 5 }), Judgement{Positive, Similar}},
		{"strict, another digest", of(strict, func(c *Case) { c.U = Logged{Digest: 5} }), equal, Judgement{Skip, OtherLength}},
		{"strict, few words", strict, with(equal, func(c *Compared) { c.U.Words, c.V.Words = 15, 15 }), Judgement{Skip, FewWords}},
		{"strict, equal bytes", strict, with(equal, func(c *Compared) { c.SameBytes = true }), Judgement{Skip, Static}},
		{"strict, equal bytes, no HTML", strict, with(equal, func(c *Compared) { c.SameBytes, c.U.HTML, c.V.HTML = true, false, false }), Judgement{Positive, Similar}},
		{"strict, few bytes, no HTML", strict, with(equal, func(c *Compared) {
			c.SameBytes, c.U.HTML, c.V.HTML = true, false, false
			c.U.Length, c.U.Sent = 255, 1000
		}), Judgement{Skip, FewWords}},
		{"strict, a small image", inLog(100, 100), image, Judgement{Positive, Similar}},
		{"strict, a small image, with its header", inLog(400, 400), with(image, func(c *Compared) { c.U.Header = 300 }), Judgement{Positive, Similar}},
		{"strict, a small image of another size", inLog(101, 101), image, Judgement{Skip, FewWords}},
		{"strict, a small image and other bytes", inLog(100, 100), with(image, func(c *Compared) { c.SameBytes = false }), Judgement{Skip, FewWords}},
		{"strict, a small image of no image", inLog(100, 100), with(image, func(c *Compared) { c.V.Image = false }), Judgement{Skip, FewWords}},
		{"strict, a small image by its digest", of(strict, func(c *Case) { c.U = Logged{Digest: 5} }), with(image, func(c *Compared) { c.U.Digest = 5 }), Judgement{Positive, Similar}},
		{"strict, a small image, lever off", of(inLog(100, 100), func(c *Case) { c.NoImages = true }), image, Judgement{Skip, FewWords}},
		{"strict, other media", strict, with(equal, func(c *Compared) { c.OtherMedia = true }), Judgement{Skip, OtherMedia}},
	} {
		if got := c.by.Judge(&c.pair); got != c.want {
			t.Errorf("%s: %v %v, want %v %v", c.name, got.Outcome, got.Reason, c.want.Outcome, c.want.Reason)
		}
	}
}

// The result of a pair applies to the reversed pair if both documents were there.
func TestTurned(t *testing.T) {
	s := Seen{Compared: &Compared{Alike: 0.5, U: Shown{Text: 1}, V: Shown{Text: 2, NoIndex: true}}}
	if got, ok := s.Turned(); !ok || got.Compared.U.Text != 2 || !got.Compared.U.NoIndex || got.Compared.V.Text != 1 || s.Compared.U.Text != 1 {
		t.Errorf("%v %+v, was %+v", ok, got.Compared, s.Compared)
	}
	if _, ok := (Seen{Judgement: Judgement{Negative, Missing}}).Turned(); ok {
		t.Error("that v is missing says something of u")
	}
}
