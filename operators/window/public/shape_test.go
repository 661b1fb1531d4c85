package public

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// plainShape is shape byte by byte.
func plainShape(segment string) string {
	digits, hex, hyphens := 0, 0, 0
	for _, c := range []byte(segment) {
		switch {
		case '0' <= c && c <= '9':
			digits++
		case strings.IndexByte("abcdefABCDEF", c) >= 0:
			hex++
		case c == '-' || c == '_':
			hyphens++
		}
	}
	switch n := len(segment); {
	case n > 0 && digits == n || n >= leastHex && digits+hex == n:
		return "#"
	case hyphens >= leastHyphens || n > longestWord:
		return "~"
	}
	return segment
}

// plainStatic is IsStatic by the whole name.
func plainStatic(url string) bool {
	path, _, _ := strings.Cut(url, "?")
	path, _, _ = strings.Cut(strings.ToLower(path[strings.LastIndexByte(path, '/')+1:]), ";")
	for _, ending := range statics {
		if strings.HasSuffix(path, "."+ending) {
			return true
		}
	}
	return false
}

// Shapes and files of browsers are told as by their definitions.
func TestShapes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	pieces := []string{"0", "7", "a", "F", "g", "-", "_", ".", ";", "/", "?", "=", "%E0", "\u00c5\u212a", ".css", ".CSS", ".js", ".Woff2", ".G\u0130F", "01234567", "deadBEEF", "title"}
	shapes, static := map[string]int{}, 0
	for range 200_000 {
		var b strings.Builder
		some := 1 + rng.IntN(len(pieces))
		for range rng.IntN(9) {
			b.WriteString(pieces[rng.IntN(some)])
		}
		text := b.String()
		got := shape(text)
		if want := plainShape(text); got != want {
			t.Fatalf("the shape of %q is %q, want %q", text, got, want)
		}
		if got == "#" || got == "~" {
			shapes[got]++
		}
		is := IsStatic("/" + text)
		if want := plainStatic("/" + text); is != want {
			t.Fatalf("%q is static: %v, want %v", text, is, want)
		}
		if is {
			static++
		}
	}
	if shapes["#"] < 1000 || shapes["~"] < 1000 || static < 1000 {
		t.Errorf("%v are numbers and titles, %d static", shapes, static)
	}
}
