package labelled_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/labelled"
	"dustbuster/operators/read/labels"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
)

// read returns the labels of a table, for logs of some options.
func read(t *testing.T, o admit.Options, table string) *labelled.Labels {
	t.Helper()
	f := &labels.File{}
	if err := f.Read([]byte("URL,Canonical\n" + table)); err != nil {
		t.Fatal(err)
	}
	o.MaxBytes, o.MaxTokens = 2048, 400
	g, err := admit.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return labelled.New(f.Rows, g.Mined)
}

func TestOn(t *testing.T) {
	const table = "https://www.a.example/x?s=1,https://www.a.example/x\nhttps://a.example/y,https://www.a.example/y2\nhttps://www.a.example/z,https://c.example/\nhttps://b.example/ü,http://B.example:443/u\n"
	for _, c := range []struct {
		name, table, site string
		o                 admit.Options
		want              []labelled.Pair
		elsewhere         int
	}{
		{"a host", table, "www.a.example", admit.Options{}, []labelled.Pair{{"/x?s=1", "/x"}}, 1},
		{"another host", table, "a.example", admit.Options{}, nil, 1},
		{"bytes that belong escaped", table, "b.example", admit.Options{}, []labelled.Pair{{"/%C3%BC", "/u"}}, 0},
		{"a log without hosts has the host of most rows", table, "", admit.Options{}, []labelled.Pair{{"/y", "/y2"}, {"/x?s=1", "/x"}}, 1},
		{"a log without hosts, and paths", "/x?s=1,/x\n", "", admit.Options{}, []labelled.Pair{{"/x?s=1", "/x"}}, 0},
		{"a log whose host is named", "/x?s=1,/x\nhttps://a.example/y?s=1,/y\n", "a.example", admit.Options{Site: "a.example"}, []labelled.Pair{{"/x?s=1", "/x"}, {"/y?s=1", "/y"}}, 0},
		{"a domain", table, "a.example", admit.Options{ByDomain: true}, []labelled.Pair{{"www.a.example/x?s=1", "www.a.example/x"}, {"a.example/y", "www.a.example/y2"}}, 1},
		{"a group", table, "shop", admit.Options{Groups: map[string][]string{"shop": {"www.a.example", "c.example"}}}, []labelled.Pair{{"www.a.example/x?s=1", "www.a.example/x"}, {"www.a.example/z", "c.example/"}}, 0},
		{"a host that does not count", table, "www.a.example", admit.Options{Hosts: []string{"b.example"}}, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := read(t, c.o, c.table)
			got, elsewhere := l.On(c.site)
			if !slices.Equal(got, c.want) || elsewhere != c.elsewhere {
				t.Errorf("%q, %d elsewhere; want %q, %d", got, elsewhere, c.want, c.elsewhere)
			}
		})
	}
	if n := read(t, admit.Options{Hosts: []string{"b.example"}}, table).Lost(); n != 3 {
		t.Errorf("%d rows are lost, want 3", n)
	}
}

func learn(t *testing.T, o labelled.Options, pairs []labelled.Pair, urls ...string) (words []string) {
	t.Helper()
	all := map[string]evidence.Spans{}
	for i, url := range urls {
		all[url] = worlds.Size(int64(1000 + 100*i)) // the log sees another page at each
	}
	o.Envelope = envelope.Options{MaxTokens: 35, BucketLow: 6, BucketHigh: 11, MinSupport: 3}
	rules, done := labelled.Learn(o, pairs, worlds.Pages(all), worlds.Never)
	if !done {
		t.Fatal("stopped")
	}
	for _, r := range rules {
		if r.Learner != labelled.Name {
			t.Errorf("%s is of %q", r.Rule.Words(), r.Learner)
		}
		words = append(words, r.Rule.Words())
	}
	return words
}

// many returns the URLs and the pairs of four pages, by two patterns.
func many(u, v string) (urls []string, pairs []labelled.Pair) {
	for i := range 4 {
		p := labelled.Pair{URL: fmt.Sprintf(u, i), Canonical: fmt.Sprintf(v, i)}
		urls, pairs = append(urls, p.URL, p.Canonical), append(pairs, p)
	}
	return urls, pairs
}

func TestLearn(t *testing.T) {
	for _, c := range []struct {
		name, u, v string
		more       []labelled.Pair
		o          labelled.Options
		want       string // "" none
	}{
		{"a parameter", "/p%d?s=x", "/p%d", nil, labelled.Options{}, "ignore the parameter s"},
		{"parameters are off", "/p%[1]d?s=x%[1]d", "/p%d", nil, labelled.Options{NoParams: true}, ""},
		{"two texts", "/old/p%d", "/new/p%d", nil, labelled.Options{}, "old"},
		{"an index page", "/p%d/index.html", "/p%d/", nil, labelled.Options{}, "index.html"},
		{"pages that name themselves differ", "/p%d?s=x", "/p%d", []labelled.Pair{{"/p0?s=y", "/p0?s=y"}, {"/p1?s=y", "/p1?s=y"}, {"/p2?s=y", "/p2?s=y"}, {"/p3?s=y", "/p3?s=y"}}, labelled.Options{}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			urls, pairs := many(c.u, c.v)
			for _, p := range c.more {
				urls, pairs = append(urls, p.URL), append(pairs, p)
			}
			got := learn(t, c.o, pairs, urls...)
			has := slices.ContainsFunc(got, func(w string) bool { return strings.Contains(w, c.want) })
			if c.want != "" && !has || c.want == "" && slices.ContainsFunc(got, func(w string) bool { return strings.Contains(w, "parameter s") && !strings.Contains(w, "s=x") }) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// URLs that the log lacks teach nothing, but their rows join those that it has.
func TestLabelsOfURLsThatTheLogLacks(t *testing.T) {
	urls, pairs := many("/p%d?s=x", "/p%d")
	var some []string
	for _, u := range urls {
		if strings.Contains(u, "?") {
			some = append(some, u)
		}
	}
	if got := learn(t, labelled.Options{}, pairs, some...); len(got) > 0 {
		t.Errorf("%q of pages whose canonical URLs the log lacks", got)
	}
	others, more := many("/p%d?s=y", "/p%d")
	for _, u := range others {
		if strings.Contains(u, "?") {
			some = append(some, u)
		}
	}
	if got := learn(t, labelled.Options{}, append(pairs, more...), some...); !slices.Contains(got, "ignore the parameter s") {
		t.Errorf("%q", got)
	}
	if got := learn(t, labelled.Options{}, pairs); len(got) > 0 {
		t.Errorf("%q of no page", got)
	}
}

// Pages are as the rows join them, in whatever order.
func TestPages(t *testing.T) {
	all := map[string]evidence.Spans{}
	for _, u := range []string{"/a", "/b", "/c", "/d", "/e", "/f"} {
		all[u] = worlds.Size(7)
	}
	pages := labelled.Pages([]labelled.Pair{{"/e", "/x"}, {"/a", "/b"}, {"/c", "/d"}, {"/d", "/a"}, {"/f", "/f"}, {"/x", "/x"}}, worlds.Pages(all))
	labelOf := map[string]int64{}
	for _, p := range pages {
		d, ok := p.Evidence.Digest()
		if !ok || len(p.Evidence) != 1 {
			t.Errorf("%s: %v", p.URL, p.Evidence)
		}
		labelOf[p.URL] = d
	}
	if len(labelOf) != 6 || labelOf["/a"] != labelOf["/b"] || labelOf["/a"] != labelOf["/c"] || labelOf["/a"] != labelOf["/d"] ||
		labelOf["/a"] == labelOf["/e"] || labelOf["/e"] == labelOf["/f"] || labelOf["/f"] == labelOf["/a"] {
		t.Errorf("%v", labelOf)
	}
}

func TestStops(t *testing.T) {
	urls, pairs := many("/p%d?s=x", "/p%d")
	all := map[string]evidence.Spans{}
	for i := range 400 {
		u, p := fmt.Sprintf("/q%d?s=x", i), fmt.Sprintf("/q%d", i)
		urls, pairs = append(urls, u, p), append(pairs, labelled.Pair{URL: u, Canonical: p})
	}
	for _, u := range urls {
		all[u] = nil
	}
	var rules []rule.Likely
	rules, done := labelled.Learn(labelled.Options{Envelope: envelope.Options{MaxTokens: 35, BucketLow: 6, BucketHigh: 11, MinSupport: 3}}, pairs, worlds.Pages(all), func() bool { return true })
	if done || rules != nil {
		t.Error("it does not stop")
	}
}
