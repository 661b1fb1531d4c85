package sketch

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func listOf(body string) []byte { return PageAt("/", "text/html", []byte(body)).List }

// The words that differ stand between words of both pages.
func TestPassages(t *testing.T) {
	u := listOf("<title>Shop</title><p>One <b>two</b> three four five six Seven, eight <script>none()</script>nine")
	v := listOf("<title>Shop</title><p>One two three four five six 7, eight nine <i>ten</i>")
	got := fmt.Sprintf("%q", Passages(u, v))
	if want := `[{["three" "four" "five" "six"] ["Seven,"] ["7,"] ["eight" "nine"]} {["eight" "nine"] [] ["ten"] []}]`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if p := Passages(u, u); p != nil {
		t.Errorf("equal pages differ in %q", p)
	}
	if p := Passages(nil, listOf("a b")); len(p) != 1 || len(p[0].V) != 2 {
		t.Errorf("a page without words differs in %q", p)
	}
}

// Each character of a script without spaces is a word. Other types than HTML have words if they are text.
func TestLists(t *testing.T) {
	for _, c := range []struct{ kind, body, want string }{
		{"text/html", "<p>再見 x<template>t</template><noscript>n</noscript>&lt;b&gt;", "再\n見\nx\n<b>\n"},
		{"application/json", `{"a": 1}`, "{\"a\":\n1}\n"},
		{"text/plain", "a\u00a0b\n\nc", "a\nb\nc\n"},
		{"image/png", "a b", ""},
	} {
		if got := string(PageAt("/", c.kind, []byte(c.body)).List); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.kind, c.body, got, c.want)
		}
	}
	if p := PageOf("text/html", []byte("<p>a")); p.List != nil {
		t.Errorf("PageOf keeps %q", p.List)
	}
}

// Hostile pages: huge words, invalid UTF-8, and texts that differ everywhere. The list is bounded, a cut end is
// no difference, and the time is that of a few passes.
func TestHostilePassages(t *testing.T) {
	huge := listOf("<p>" + strings.Repeat("é", 1<<20))
	if len(huge) > 10*(longestListed+1) || !utf8.Valid(huge) {
		t.Errorf("%d bytes of a huge word", len(huge))
	}
	long := "<p>"
	for i := range 1 << 13 {
		long += fmt.Sprint("w", i, " ")
	}
	if p := Passages(listOf(long), listOf(strings.ReplaceAll(long, "w", "v"))); len(p) != 1 {
		t.Errorf("long pages without a common word: %d passages", len(p))
	}
	if a, b := listOf(long), listOf("<p>first "+long); len(a) > MaxList || len(b) > MaxList {
		t.Errorf("lists of %d and %d bytes", len(a), len(b))
	} else if p := Passages(a, b); len(p) != 1 || len(p[0].U)+len(p[0].V) != 1 {
		t.Errorf("a cut end differs: %d passages", len(p))
	}
	var u, v strings.Builder
	for i := range 1 << 13 {
		fmt.Fprintf(&u, "%d\xff ", i*7%13)
		fmt.Fprintf(&v, "%d\xff ", i*5%11)
	}
	if p := Passages(listOf(u.String()), listOf(v.String())); len(p) == 0 {
		t.Error("texts that differ everywhere have no passage")
	}
}
