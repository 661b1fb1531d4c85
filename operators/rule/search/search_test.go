package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/operators/rule"
)

// The index finds every text changed by a rule, whatever the escapes in both.
func TestMayChangeThroughEscapes(t *testing.T) {
	var texts []string
	for _, s := range oracle.Strings("%40=", 4) {
		texts = append(texts, "/"+s, "/?"+s)
	}
	x := New(len(texts), func(n int) string { return texts[n] })
	changed, few := 0, 0
	for _, s := range oracle.Strings("%40=", 3)[1:] {
		name := strings.ReplaceAll(s, "=", "")
		for _, r := range []rule.Rule{
			{Edit: rule.Substring{From: s, To: "x"}}, {Edit: rule.Substring{From: s, To: "x", AtEnd: true}}, {Edit: rule.Substring{From: "/", To: "/x"}, Scope: rule.Scope{Path: "/" + s, HasPath: true}},
			{Edit: rule.Drop{Param: name}}, {Edit: rule.Substring{From: "/", To: "/x"}, Scope: rule.Scope{Where: rule.With(name)}},
			{Edit: rule.Order{}}, {Edit: rule.Syntax{Form: rule.EmptyValue}},
		} {
			if r.Validate() != nil {
				continue
			}
			among, count := x.MayChange(&r)
			found := slices.Collect(among)
			if !slices.IsSorted(found) || count < len(found) {
				t.Fatalf("%+v: %d texts of at most %d, sorted %v", r, len(found), count, slices.IsSorted(found))
			}
			for n, text := range texts {
				if _, is := r.Apply(nil, []byte(text)); is {
					changed++
					if _, ok := slices.BinarySearch(found, int32(n)); !ok {
						t.Fatalf("%+v changes %q, which is not found", r, text)
					}
				}
			}
			if len(found) < len(texts)/2 {
				few++
			}
		}
	}
	if changed < 1000 || few < 20 {
		t.Errorf("%d texts change, and %d searches find few", changed, few)
	}
}

// Numbers finds each text of a list, and no other.
func TestNumbers(t *testing.T) {
	for _, length := range []int{0, 1, 4} {
		texts := oracle.Strings("%40=", length)
		x := NewNumbers(len(texts)/2, func(n int) string { return texts[n] })
		lookups := x.Lookups()
		lookups.Add([]byte("nobody asks"))
		lookups.Clear()
		for want, text := range texts {
			if place := lookups.Add([]byte(text)); place != want {
				t.Fatalf("%q has the place %d, want %d", text, place, want)
			}
			if n, ok := x.Of([]byte(text)); ok != (want < len(texts)/2) || ok && n != want {
				t.Fatalf("%q of %d is %d (%v), want %d", text, len(texts)/2, n, ok, want)
			}
		}
		lookups.Find(func(place, number int, hash uint64, ok bool) {
			n, h, listed := x.Find([]byte(texts[place]))
			if ok != listed || hash != h || ok && number != n {
				t.Fatalf("%q is %d (%x, %v), want %d (%x, %v)", texts[place], number, hash, ok, n, h, listed)
			}
		})
	}
}

// Of many texts, those with the three rarest tokens of a rule are found, and found again.
func TestMayChangeCommon(t *testing.T) {
	var texts []string
	for i := range 20_000 {
		texts = append(texts, fmt.Sprintf("/w%d/x%d/y%d", i%7, i*i%31, i%13))
	}
	x := New(len(texts), func(n int) string { return texts[n] })
	for w := range 7 {
		for y := range 13 {
			r := rule.Rule{Edit: rule.Substring{From: fmt.Sprintf("/w%d/x%d/y%d", w, w*y%31, y), To: "/z", AtStart: true, AtEnd: true}}
			var want []int32
			for n, text := range texts {
				if text == r.Sides().From {
					want = append(want, int32(n))
				}
			}
			among, count := x.MayChange(&r)
			for range 2 {
				if got := slices.Collect(among); !slices.Equal(got, want) || count < len(got) {
					t.Fatalf("%s: %d texts of at most %d, want %d", r.Sides().From, len(got), count, len(want))
				}
			}
		}
	}
}
