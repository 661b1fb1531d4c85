package trial

import (
	"fmt"
	"testing"

	"dustbuster/operators/rule"
)

// Pages that never stand still are positive if what lasts is alike, and more alike than that of other pages.
func TestJudgeLasting(t *testing.T) {
	shown := Shown{HTML: true, Words: 100, Length: 1000}
	control := rule.Control{Lasts: 20, Lasting: 0.3}
	for _, c := range []struct {
		name     string
		control  rule.Control
		alike    float64
		u, v     Shown
		disowned bool
		want     Judgement
	}{
		{"alike", control, 0.95, shown, shown, false, Judgement{Positive, Similar}},
		{"not alike", control, 0.89, shown, shown, false, Judgement{Negative, Different}},
		{"others are as alike", rule.Control{Lasts: 20, Lasting: 0.94}, 0.95, shown, shown, false, Judgement{Skip, Uncontrolled}},
		{"few others", rule.Control{Lasts: 4}, 1, shown, shown, false, Judgement{Skip, Uncontrolled}},
		{"strict", rule.Control{Lasts: 20, Strict: true}, 1, shown, shown, false, Judgement{Skip, Uncontrolled}},
		{"few words", control, 1, Shown{HTML: true, Words: 31, Length: 1000}, shown, false, Judgement{Skip, FewWords}},
		{"values of JSON", control, 1, Shown{Length: 1000}, Shown{Length: 1000}, false, Judgement{Positive, Similar}},
		{"other canonical pages", control, 1, shown, shown, true, Judgement{Skip, Disowned}},
		{"v is not to be indexed", control, 1, shown, Shown{HTML: true, Words: 100, Length: 1000, NoIndex: true}, false, Judgement{Negative, NoIndex}},
		{"not the page of the log", control, 1, shown, Shown{HTML: true, Words: 900, Length: 9000}, false, Judgement{Skip, OtherPage}},
	} {
		log := Logged{Sizes: []Size{{Min: 1000, Max: 1000}}}
		p := Case{Control: c.control, Tau: 0.9, Self: 0.4, U: log, V: log}
		if got := p.JudgeLasting(&Compared{Alike: 0.4, U: c.u, V: c.v, Disowned: c.disowned, Lasting: NewLasting(c.alike, nil, nil)}); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Words that last are a page's own unless they are words of its URL, or last in most pairs of the rule.
func TestLacksOwn(t *testing.T) {
	looked := func(u, v []uint32) Looked {
		return Looked{First: &Compared{}, Second: &Compared{Lasting: NewLasting(0.95, u, v)}, OfU: []uint32{90}, OfV: []uint32{91}}
	}
	all := []Looked{looked([]uint32{1}, []uint32{2}), looked([]uint32{1, 90}, []uint32{2, 91}), looked([]uint32{1, 7}, []uint32{2}), looked([]uint32{1}, []uint32{2, 90}), looked(nil, nil)}
	d := NewDifferences(all)
	for i, want := range []bool{true, true, false, false, true} {
		if got := d.LacksOwn(&all[i]); got != want {
			t.Errorf("pair %d lacks words of its own: %v", i, got)
		}
	}
	if NewDifferences(all[:2]).LacksOwn(&all[0]) {
		t.Error("two pairs show what lasts in most")
	}
	many := make([]uint32, 100)
	for i := range many {
		many[i] = uint32(i)
	}
	s, _ := Seen{Compared: &Compared{Lasting: NewLasting(0.9, many, []uint32{5})}}.Turned()
	if l := s.Compared.Lasting; len(l.V) != mostLasting || fmt.Sprint(l.U) != "[5]" {
		t.Errorf("turned: %+v", l)
	}
}
