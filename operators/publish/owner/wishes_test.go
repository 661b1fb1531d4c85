package owner

import (
	"reflect"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// The decisions of operators are in the topic. The last act counts, and an act without
// decisions takes the earlier ones back.
func TestWishes(t *testing.T) {
	o := &Owner{}
	must(t, o.Read(0, o.Claim("m", 1, 0)))
	for _, want := range []book.Wishes{
		{Vetoes: []rule.Rule{{Edit: rule.Drop{Param: "sid"}}}, Pins: []string{"r"}},
		{Prefer: []string{"/story/"}, Texts: []string{"sid"}, PinTexts: []string{"/print/"}},
		{},
	} {
		if len(o.Write([]Act{{Site: "s", Act: book.Act{Wishes: &want}}}, nil)) != 1 {
			t.Errorf("%+v is not written", want)
		}
		var got []book.Act
		o.Acts(func(err error) { t.Error(err) }, func(a Act) bool {
			got = append(got, a.Act)
			return true
		})
		if len(got) != 1 || got[0].Wishes == nil || !reflect.DeepEqual(*got[0].Wishes, want) {
			t.Errorf("restored %+v, want %+v", got, want)
		}
	}
}
