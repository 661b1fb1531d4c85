package cli

import (
	"strings"
	"testing"
)

// The short help shows the first sentence of a flag's description, or its first clause.
func TestBrief(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"the first clause is kept, since it is; not the second", "the first clause is kept, since it is"},
		{"one: two", "one: two"},
		{"a sentence, with a comma. Another: with more", "a sentence, with a comma"},
	} {
		if got := brief(c.text); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestEntry(t *testing.T) {
	const text = "one two  three\nfour averyverylongwordthatgoesonandonuntilnolineofthehelpcanholditanymore five"
	want := "  name                            one two three four\n" +
		"                                  averyverylongwordthatgoesonandonuntilnolineofthehelpcanholditanymore\n" +
		"                                  five"
	if got := Entry("  name", text, 34); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Paragraphs are folded, and examples are not.
func TestWrapped(t *testing.T) {
	long := strings.Repeat("word ", 20)
	want := "short lines\n\n" + strings.TrimSpace(strings.Repeat("word ", 16)) + "\nword word word word more\n\n  " + strings.TrimSpace(long)
	if got := wrapped("short\nlines\n\n" + long + "\nmore\n\n  " + long); got != want {
		t.Errorf("%q", got)
	}
}
