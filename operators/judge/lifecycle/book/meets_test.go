package book

import (
	"math/rand/v2"
	"testing"
)

// No text and no side end the program, and a side that holds the text always meets it.
func TestMeets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	text := func(n int) string {
		b := make([]byte, rng.IntN(n))
		for i := range b {
			b[i] = "/ab%2f?=&"[rng.IntN(9)]
		}
		return string(b)
	}
	met := 0
	for range 100_000 {
		side, part := text(9), text(6)
		if meets(side, part) {
			met++
		} else if part != "" && meets(side+part+"/", part) != meets(side+part+"/x", part) && !meets(part, part) {
			t.Fatalf("%q and %q", side, part)
		}
		if part != "" && !meets("/"+part+"/", "/"+part+"/") {
			t.Fatalf("%q does not meet itself", part)
		}
	}
	if met < 1000 {
		t.Errorf("only %d meet", met)
	}
}
