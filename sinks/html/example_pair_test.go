package html

import (
	"strings"
	"testing"
)

// marked writes a URL with the marked pieces in brackets.
func marked(all []piece) string {
	var b strings.Builder
	for _, p := range all {
		if p.Mark {
			b.WriteString("[" + p.Text + "]")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func TestExample(t *testing.T) {
	b := builder{o: &Options{}}
	long := strings.Repeat("/folder", 200)
	for _, c := range []struct{ u, v, from, to string }{
		{"/a?id=1", "/a", "/a[?id=1]", "/a"},
		{"/a?x=1&id=2", "/a?x=1", "/a?x=1[&id=2]", "/a?x=1"},
		{"/story?id=12", "/story_12", "/story[?id=]12", "/story[_]12"},
		{"/index.html", "/", "/[index.html]", "/"},
		{"/abc1", "/abd1", "/[abc1]", "/[abd1]"}, // words stay whole
		{"/%41b", "/%42b", "/[%41b]", "/[%42b]"}, // so do escapes
		{"/x%2Fa", "/x%2Fb", "/x%2F[a]", "/x%2F[b]"},
		{"/%E0%B8%81%E0%B8%82/1", "/%E0%B8%81%E0%B8%83/1", "/[กข]/1", "/[กฃ]/1"},
		{"/a//b", "/a/b", "/a/[/]b", "/a/b"},
		{"/a", "/a", "/a", "/a"},
		{"", "/a", "", "[/a]"},
		{long + "?sid=1", long, long[:60] + " … 1,310 more … " + long[1370:] + "[?sid=1]", long[:60] + " … 1,310 more … " + long[1370:]},
	} {
		e := b.example(c.u, c.v)
		if from, to := marked(e.From), marked(e.To); from != c.from || to != c.to {
			t.Errorf("%s and %s:\n%s\n%s, want\n%s\n%s", c.u, c.v, from, to, c.from, c.to)
		}
	}
}

// The pieces of two URLs are the URLs, and what is not marked is the same.
func FuzzCommon(f *testing.F) {
	f.Add("/a?b=%41c", "/a?b=%42c")
	f.Add("/กข", "/กฃ\xe0")
	f.Fuzz(func(t *testing.T, u, v string) {
		start, end := common(u, v)
		if start < 0 || end < 0 || start+end > min(len(u), len(v)) || u[:start] != v[:start] || u[len(u)-end:] != v[len(v)-end:] {
			t.Fatalf("%q and %q share %d and %d bytes", u, v, start, end)
		}
	})
}
