package rule

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// filled returns a rule whose members have random values, many of them zero.
func filled(rng *rand.Rand) (l Likely) {
	for i := range leaves {
		m := &leaves[i]
		switch {
		case rng.IntN(3) > 0:
		case m.kind == reflect.String:
			*(*string)(m.in(&l)) = strings.Repeat(string(rune(rng.IntN(300))), rng.IntN(200))
		case m.kind == reflect.Bool:
			*(*bool)(m.in(&l)) = true
		case m.kind == reflect.Float64:
			*(*float64)(m.in(&l)) = []float64{-0.1, math.Copysign(0, -1), 1e300, math.Inf(1), float64(rng.IntN(100))}[rng.IntN(5)]
		default:
			m.setNumber(&l, rng.Uint64()>>rng.IntN(64))
		}
	}
	return l
}

// Unpack is the inverse of Pack, whatever the members of the rules are, and all members are packed.
func TestPacked(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 34))
	for n := range 300 {
		var rules []Likely
		for range n % 9 {
			if rules = append(rules, filled(rng)); rng.IntN(4) == 0 {
				rules = append(rules, rules[rng.IntN(len(rules))])
			}
		}
		p := Pack(rules)
		got := p.Unpack()
		if !slices.Equal(got, rules) || p.Len() != len(rules) || Pack(got) != p {
			t.Fatalf("%d rules:\n%+v, want\n%+v", p.Len(), got, rules)
		}
	}
	var covered uintptr
	for _, m := range leaves {
		covered += map[reflect.Kind]uintptr{reflect.String: 16, reflect.Bool: 1, reflect.Uint8: 1}[m.kind]
		if m.kind == reflect.Int || m.kind == reflect.Int64 || m.kind == reflect.Float64 {
			covered += 8
		}
	}
	if size := unsafe.Sizeof(Likely{}); covered > size || size-covered > size/4 {
		t.Errorf("%d bytes of %d are in leaves", covered, size)
	}
}

// Five rules of a site with their weights take less than a Likely.
func TestPackedIsSmall(t *testing.T) {
	var rules []Likely
	for _, name := range []string{"ref", "sid", "utm", "s", "t"} {
		rules = append(rules, Likely{Site: "www.example.org", Learner: "params", Support: 6, Comparable: 6, Weighed: true, Pairs: 6, Alike: 6,
			Expected: 0.123, Weight: 4.567, Own: 1.2, URLs: 6, Rule: Rule{Kind: Drop, Param: name, Scope: Scope{HasPath: true, Path: "/item"}}})
	}
	p := Pack(rules)
	if p.Bytes() > int64(unsafe.Sizeof(Likely{})) {
		t.Errorf("%d rules take %d bytes", len(rules), p.Bytes())
	}
}

func BenchmarkPacked(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 34))
	rules := make([]Likely, 1000)
	for i := range rules {
		rules[i] = filled(rng)
	}
	for b.Loop() {
		Pack(rules).Unpack()
	}
}
