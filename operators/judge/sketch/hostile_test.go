package sketch

import (
	"strings"
	"testing"
)

// With quadratic time, this test would take hours.
func TestHostile(t *testing.T) {
	const size = 2 << 20
	for _, c := range []struct {
		name, start, again string
		words              int
	}{
		{"less than", "", "<", 0},
		{"open tags", "", "<a", 0},
		{"nesting", "", "<div>", 0},
		{"templates", "", "<template>x", 0},
		{"comments", "", "<!--", 0},
		{"empty comments", "", "<!>", 0},
		{"end tags", "", "</>", 0},
		{"one script", "<script>", "x <!--<script>", 0},
		{"scripts", "", "<script>", 0},
		{"end of a title", "<title>", "</titl", size / 6},
		{"attributes", "<a ", "ab=1 ", 0},
		{"one attribute", "<a b='", "x y ", 0},
		{"ampersands", "", "&", 0},
		{"entities", "", "&notin", -1},
		{"entities of two", "", "&acE;", -1},
		{"numbers", "", "&#9999999999999999999;", 0},
		{"one word", "", "x", size/maxToken + 1},
		{"one letter words", "", "x ", size / 2},
		{"not UTF-8", "", "\xff\xc0 \xe9", -1},
		{"zeros", "", "\x00", 0},
		{"carriage returns", "", "\r", 0},
		{"marks", "x", "\u0301", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := c.start + strings.Repeat(c.again, size/len(c.again))
			s := Of("text/html", []byte(body))
			if c.words >= 0 && (s.Words < c.words-1 || s.Words > c.words+50) {
				t.Errorf("%d words, want %d", s.Words, c.words)
			}
		})
	}
}

// manyAttributes returns the worst case for the tokenizer's memory: tags within the
// limit, with attributes of different names.
func manyAttributes(size int) []byte {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	var body []byte
	for len(body) < size {
		body = append(body, "<a "...)
		for i := 0; i < maxToken/4-8; i++ {
			body = append(body, letters[i>>12&63], letters[i>>6&63], letters[i&63], ' ')
		}
		body = append(body, '>')
	}
	return body
}

func TestManyAttributes(t *testing.T) {
	if s := Of("text/html", append(manyAttributes(4*maxToken), "seen"...)); s.Words != 1 {
		t.Errorf("%d words, want 1", s.Words)
	}
}
