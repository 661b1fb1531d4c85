package sketch_test

import (
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/judge/sketch"
)

// A clock is one word, whatever it shows. Other numbers stay.
func TestClocks(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a time of day", "It is 12:04:55 now", "It is  clock  now"},
		{"with one digit, and half of the day", "at 9:04:55 pm.", "at  clock ."},
		{"with fractions and a zone", "at 09:04:55.123+02:00!", "at  clock !"},
		{"ISO 8601", "2026-11-28T12:04:55Z", " clock "},
		{"a date before", "on 2026-11-28 12:04:55 it", "on  clock  it"},
		{"a German date before", "am 28.11.2026, 12:04:55 Uhr", "am  clock  Uhr"},
		{"a header's date", "Sat, 28 Nov 2026 12:04:55 GMT", " clock "},
		{"a date in words", "November 28th, 2026, 12:04:55", " clock "},
		{"a date behind", "12:04:55, 28/11/2026", " clock "},
		{"of Unix", "Sat Nov 28 12:04:55 2026", " clock "},
		{"of Unix with a zone", "Sat Nov 28 12:04:55 UTC 2026", " clock "},
		{"how long it took", "made in 0.0134 seconds by", "made in  clock  by"},
		{"the same in milliseconds", "12.345 ms", " clock "},
		{"two", "12:04:55 12:04:56", " clock   clock "},

		{"a number before", "Item 4711 12:04:55", "Item 4711  clock "},
		{"a number behind", "12:04:55 4711", " clock  4711"},
		{"a time without seconds", "starts at 20:00 sharp", "starts at 20:00 sharp"},
		{"a date alone", "on 28 Nov 2026", "on 28 Nov 2026"},
		{"a price", "1,299 or 12.500 euros", "1,299 or 12.500 euros"},
		{"a result", "9.58 s", "9.58 s"},
		{"an address", "2001:db8:12:34:56::1", "2001:db8:12:34:56::1"},
		{"four numbers", "01:02:03:04", "01:02:03:04"},
		{"a version", "1.234.567", "1.234.567"},
		{"a word", "x12:04:55y", "x12:04:55y"},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(sketch.NewClocks().Without([]byte(c.text))); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// Pages that differ in a clock have one steady text. The rest is that of their Pages.
func TestSteady(t *testing.T) {
	c := sketch.NewClocks()
	body := func(clock, own string) []byte {
		return []byte("<title>News</title><p>" + clock + "<p>one two three four five six seven eight " + own + "<img src=a.png>")
	}
	a, b := c.Steady("text/html", body("12:04:55", "nine")), c.Steady("text/html", body("12:04:56", "nine"))
	other := c.Steady("text/html", body("12:04:55", "ten"))
	if a.Digest == b.Digest || a.Text != b.Text || a.Words != b.Words || a.MinHash != b.MinHash || !slices.Equal(a.Order, b.Order) || !slices.Equal(a.Shingles, b.Shingles) {
		t.Error("two clocks are two texts")
	}
	if other.Text == a.Text || slices.Equal(other.Order, a.Order) || len(a.Order) != a.Words || a.Words != 11 || len(a.Media) != 1 {
		t.Errorf("a word is no difference: %d words in order, %d words", len(a.Order), a.Words)
	}
	plain, page := c.Steady("text/html", body("today", "nine")), sketch.PageOf("text/html", body("today", "nine"))
	if plain.Sketch != page.Sketch || plain.Text != page.Text || !slices.Equal(plain.Shingles, page.Shingles) || plain.Bag != nil {
		t.Error("a page without clocks is not its Page")
	}
	if css := c.Steady("text/css", []byte("a {}")); css.Order != nil || css.HTML {
		t.Error("a style sheet has words")
	}
	many := func(clock string) []byte { return []byte(strings.Repeat("<p>"+clock, 65)) }
	if c.Steady("text/html", many("12:04:55")).Text == c.Steady("text/html", many("12:04:56")).Text {
		t.Error("a list of times is clocks")
	}
	long := strings.Repeat("word ", sketch.MaxOrder)
	if at := c.Steady("text/html", []byte(long)); len(at.Order) != sketch.MaxOrder {
		t.Errorf("%d words are kept in order", len(at.Order))
	}
	if over := c.Steady("text/html", []byte(long+"more")); over.Order != nil || over.Words != sketch.MaxOrder+1 {
		t.Error("the order of too many words is kept")
	}
}

func BenchmarkSteadyPage(b *testing.B) {
	body := []byte(strings.Repeat("<p>Some words and <b>others</b>, no clock: 12:04.</p>\n", 2000))
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		sketch.PageOf("text/html", body)
	}
}

func BenchmarkSteady(b *testing.B) {
	body := []byte(strings.Repeat("<p>Some words at 12:04:55</p>\n", 3) + strings.Repeat("<p>Some words and <b>others</b>, no clock: 12:04.</p>\n", 2000))
	c := sketch.NewClocks()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		c.Steady("text/html", body)
	}
}
