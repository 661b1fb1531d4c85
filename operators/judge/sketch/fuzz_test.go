package sketch

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
)

func FuzzOf(f *testing.F) {
	f.Add("text/html", []byte("<p>one two three four five six seven eight nine"), []byte("<b>one two three four five six seven eight ten"))
	f.Add("", []byte("<!doctype html><title>T\xe9 &amp; \u4e2d\u6587</title>"), []byte("<script>x</scrip"))
	f.Add("text/html; charset", []byte("<template><!-- \x00 --><a b='c'>\u0e01</template>\u00df\u0130"), []byte("\ufffd\xff<plaintext>&#0;"))
	f.Fuzz(func(t *testing.T, contentType string, a, b []byte) {
		before := bytes.Clone(a)
		x, y := Of(contentType, a), Of(contentType, b)
		if !bytes.Equal(a, before) {
			t.Fatal("the body was changed")
		}
		checkSketch(t, &x, a)
		checkSketch(t, &y, b)
		r := Resemblance(&x, &y)
		if r < 0 || r > 1 || r != Resemblance(&y, &x) {
			t.Fatalf("%v, the other way %v", r, Resemblance(&y, &x))
		}
		if Resemblance(&x, &x) != 1 || bytes.Equal(a, b) && r != 1 {
			t.Fatal("a document does not resemble itself")
		}
		checkPages(t, contentType, a, b)
	})
}

// checkPages compares two pages with the results of the plain algorithm.
func checkPages(t *testing.T, contentType string, a, b []byte) {
	p, q := PageOf(contentType, a), PageOf(contentType, b)
	if p.Sketch != Of(contentType, a) {
		t.Fatal("another sketch")
	}
	if !p.HTML || !q.HTML {
		return
	}
	x, y := plainWords(pieces(string(a), maxToken)...), plainWords(pieces(string(b), maxToken)...)
	if same := len(x) > 0 && slices.Equal(x, y) || bytes.Equal(a, b); same != SameText(p, q) {
		t.Fatalf("the same text: %v of %q and %q", !same, x, y)
	}
	if want := exactJaccard(x, y); !SameText(p, q) && math.Abs(Exact(p, q)-want) > 1e-9 && union(x, y) <= MaxShingles {
		t.Fatalf("resemblance %v, want %v", Exact(p, q), want)
	}
}

// checkSketch compares a sketch with the result of the plain algorithm for the same text.
func checkSketch(t *testing.T, s *Sketch, body []byte) {
	if !s.HTML {
		if s.Words != 0 || s.MinHash != [Size]uint64{} {
			t.Fatalf("words of what is not HTML: %+v", s)
		}
		return
	}
	words := plainWords(pieces(string(body), maxToken)...)
	if s.Words != len(words) || s.MinHash != plainMinHash(words) {
		t.Fatalf("%q: %d words, want %d: %q", body, s.Words, len(words), words)
	}
}

// For any limit, the reader reaches the end of the document, and text without markup is
// whole.
func FuzzLimit(f *testing.F) {
	f.Add([]byte("<script>one two three <!-- four five</script> six <img alt='seven eight nine ten'> &amp; &eacute;"), uint8(0))
	f.Add([]byte("<!DOCTYPE html><textarea>one two three four five</textarea ><![CDATA[ six seven ]]>"), uint8(7))
	f.Fuzz(func(t *testing.T, body []byte, more uint8) {
		limit := 16 + int(more)
		total := 0
		visibleText(body, limit, func(text []byte) { total += len(text) })
		if total > 3*len(body) { // a NUL becomes three bytes
			t.Fatalf("%d bytes of text in %d", total, len(body))
		}
		if bytes.ContainsAny(body, "<&\r\x00") {
			return
		}
		if got := strings.Join(pieces(string(body), limit), ""); got != string(body) {
			t.Fatalf("%q out of %q", got, body)
		}
	})
}
