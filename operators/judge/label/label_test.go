package label_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"dustbuster/operators/judge/label"
	"dustbuster/operators/judge/sketch"
)

// prose is n words that belong to a seed.
func prose(seed string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s%d ", seed, i)
	}
	return b.String()
}

// article is a page of a site whose pages have a frame, an article and something that may change.
func article(n int, passing string) string {
	return "<title>News</title><nav>" + prose("menu", 12) + "</nav><p>" + prose(fmt.Sprint("story", n, "word"), 300) + "<div>" + passing + "</div><footer>" + prose("foot", 12)
}

// answers returns documents of HTML with digests in their order.
func answers(bodies ...string) (docs []doc) {
	clocks := sketch.NewClocks()
	for i, body := range bodies {
		docs = append(docs, doc{uint64(i + 1), uint64(i), clocks.Steady("text/html; charset=utf-8", []byte(body)), 0})
	}
	return docs
}

// The first two of some pages are one page, or not.
func TestSame(t *testing.T) {
	advert := func(n int) string { return prose(fmt.Sprint("advert", n, "word"), 8) }
	elsewhere := []string{article(7, advert(1)), article(8, advert(1)), article(7, advert(2)), article(9, advert(2)), article(10, advert(2))}
	russian := func(clock string) string {
		return strings.ReplaceAll(article(1, clock), "story", "\xf1\xeb\xee\xe2\xee")
	}
	product := func(name string) string { return prose("frame", 300) + name + " " + prose("rest", 100) }
	for _, c := range []struct {
		name   string
		bodies []string
		want   bool
	}{
		{"a clock", []string{article(1, "It is 12:04:55."), article(1, "It is 12:05:07.")}, true},
		{"a clock that one page lacks", []string{article(1, "12:04:55"), article(1, "")}, false},
		{"an advert", append([]string{article(1, advert(1)), article(1, advert(2))}, elsewhere...), true},
		{"an advert and a clock", append([]string{article(1, advert(1)+" 10:00:00"), article(1, advert(2)+" 10:00:01")}, elsewhere...), true},
		{"an advert that one page lacks", append([]string{article(1, advert(1)), article(1, "")}, elsewhere...), true},
		{"an advert on no other page", append([]string{article(1, advert(3)), article(1, advert(2))}, elsewhere...), false},
		{"an advert on one other article", []string{article(1, advert(1)), article(1, advert(2)), article(8, advert(1)), article(8, advert(2))}, false},
		{"a picture of an advert", append([]string{article(1, "<img src=/ads/a.png>"), article(1, "<img src=/ads/b.png>")},
			article(5, "<img src=/ads/a.png>"), article(6, "<img src=/ads/a.png>"), article(7, "<img src=/ads/b.png>"), article(8, "<img src=/ads/b.png>")), true},
		{"another charset", []string{russian("12:04:55"), russian("12:04:56")}, true},

		{"a word of its own", []string{product("zeppelin"), product("balloon")}, false},
		{"a word of its own and a clock", []string{product("zeppelin 12:04:55"), product("balloon 12:04:55")}, false},
		{"a number of its own", []string{product("4711"), product("4712")}, false},
		{"a word that many pages show", append([]string{article(1, "red"), article(1, "blue")}, article(2, "red"), article(3, "red"), article(4, "blue"), article(5, "blue")), false},
		{"a word more", []string{article(1, ""), article(1, "vegan")}, false},
		{"words in each other's place", []string{product("from rome to oslo"), product("from oslo to rome")}, false},
		{"a date of its own", []string{article(1, "12 May 2026"), article(1, "13 May 2026")}, false},
		{"a time of a timetable", []string{article(1, "at 20:00"), article(1, "at 21:00")}, false},
		{"another picture", []string{article(1, "<img src=a.jpg>"), article(1, "<img src=b.jpg>")}, false},
		{"struck text", []string{article(1, "now <s>menu1</s>"), article(1, "now menu1")}, false},
		{"other articles", []string{article(1, ""), article(2, "")}, false},
		{"short pages", []string{"<p>Not found, 12:04:55", "<p>Not found, 12:04:56"}, false},
		{"empty pages", []string{"<p>", "<b>"}, false},
		{"walls", []string{prose("menu", 40) + "are you human 12:04:55", prose("menu", 40) + "are you human 12:04:56"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			docs := answers(c.bodies...)
			l := made(label.Options{Options: exact(0.9)}, docs)
			if got := l.Of(1) == l.Of(2); got != c.want {
				t.Errorf("labelled the same: %v; %+v", got, l.Counts)
			}
			check(t, exact(0.9), docs, rand.New(rand.NewPCG(1, 1)))
		})
	}
}

// Sameness is not transitive, and no chain leads away from a leader.
func TestChain(t *testing.T) {
	step := func(n int) string { // each step moves the text by one advert
		var b strings.Builder
		for i := range 8 {
			b.WriteString(prose(fmt.Sprint("advert", n+i, "word"), 8))
		}
		return prose("story", 130) + b.String()
	}
	bodies := []string{step(0), step(1), step(2), step(3), step(4)}
	for n := range 12 {
		bodies = append(bodies, prose(fmt.Sprint("other", n, "word"), 200)+prose(fmt.Sprint("advert", n, "word"), 8), prose(fmt.Sprint("further", n, "word"), 200)+prose(fmt.Sprint("advert", n, "word"), 8))
	}
	docs := answers(bodies...)
	l := made(label.Options{Options: exact(0.8)}, docs)
	got := []uint64{l.Of(1), l.Of(2), l.Of(3), l.Of(4), l.Of(5)}
	if fmt.Sprint(got) != "[1 1 3 3 5]" {
		t.Errorf("labels %v", got)
	}
	check(t, exact(0.8), docs, rand.New(rand.NewPCG(1, 1)))
}

// Pages of a template, each with a name of its own, are apart, and one that meets too many others is counted.
func TestCrowded(t *testing.T) {
	var bodies []string
	for n := range 200 {
		bodies = append(bodies, prose("frame", 300)+fmt.Sprint("name", n)+prose("rest", 50))
	}
	l := made(label.Options{Options: exact(0.9)}, answers(bodies...))
	for d := range uint64(200) {
		if l.Of(d+1) != d+1 || l.IsNear(d+1) {
			t.Fatalf("%d has the label %d", d+1, l.Of(d+1))
		}
	}
	if l.Crowded < 100 || l.Texts != 200 {
		t.Errorf("%+v", l.Counts)
	}
}

// What gets no label is counted by its reason.
func TestCounts(t *testing.T) {
	docs := answers(article(1, ""), "<p>short", strings.Repeat("word ", sketch.MaxOrder+1), prose("menu", 40)+"are you human", "")
	docs = append(docs, doc{9, 9, sketch.NewClocks().Steady("application/pdf", []byte("x")), 0})
	got := made(label.Options{Options: exact(0.9)}, docs).Counts
	if want := (label.Counts{Texts: 1, Other: 1, Short: 2, Long: 1, Walls: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A site of n pages of a template, and of articles with a clock.
func BenchmarkLabels(b *testing.B) {
	for _, c := range []struct {
		name string
		body func(n int) string
	}{
		{"articles", func(n int) string { return article(n/2, "12:04:55 "+prose(fmt.Sprint("advert", n%7, "word"), 8)) }},
		{"template", func(n int) string { return prose("frame", 300) + fmt.Sprint("name", n) + prose("rest", 50) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			const pages = 5000
			bodies := make([]string, pages)
			for n := range bodies {
				bodies[n] = c.body(n)
			}
			docs := answers(bodies...)
			for b.Loop() {
				made(label.Options{Options: exact(0.9)}, docs)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/pages/float64(b.N), "µs/page")
		})
	}
}
