package validate

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/trial"
	"dustbuster/operators/validator"
	"dustbuster/stream/fetch"
)

// A server that shows one page everywhere, where the log has pages of many sizes,
// proves no rule.
func TestOnePageEverywhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second, closed: true}
		var mu sync.Mutex
		said := map[string]int{}
		w := New(options(site, func(r Report) {
			mu.Lock()
			defer mu.Unlock()
			if r.Tested != nil {
				said[r.Tested.Outcome+" "+r.Tested.Reason]++
			}
		}))
		defer w.Close()
		give(w, mined(40))
		time.Sleep(time.Hour)
		synctest.Wait()
		if w.Published()["a.example"] != nil || w.Status()["a.example"].States[validator.Valid] > 0 {
			t.Errorf("rules hold: %+v", w.Status()["a.example"])
		}
		if n := said["positive similar"]; n < mostUnlike || said["skip "+trial.Everywhere.String()] < 40 {
			t.Errorf("said %v", said)
		}
		w.Close()
		for _, a := range w.sites["a.example"].machine.Acts() {
			if a.Rule != nil && a.Rule.Verdict.Positives > 0 {
				t.Errorf("a verdict of %d positives", a.Rule.Verdict.Positives)
			}
		}
	})
}

// A page is common where it was seen at URLs that the log has different sizes of, and
// which remain different.
func TestCommons(t *testing.T) {
	doc := func(text string) fetch.Document {
		return fetch.Document{Content: Digest("text/html", []byte(text))}
	}
	unlike := func(a, b string) bool { return a[:1] != b[:1] } // the first letter stands for the size
	for name, c := range map[string]struct {
		u, v func(i int) string
		want bool
	}{
		"many sizes":       {func(i int) string { return fmt.Sprintf("%c?s", 'a'+i) }, func(i int) string { return fmt.Sprintf("%c", 'a'+i) }, true},
		"one size":         {func(i int) string { return fmt.Sprintf("a%d?s", i) }, func(i int) string { return fmt.Sprintf("a%d", i) }, false},
		"one page in fact": {func(i int) string { return fmt.Sprintf("%c?s", 'a'+i) }, func(int) string { return "a" }, false},
	} {
		var seen commons
		var got []bool
		for i := range 8 {
			pair := validator.Test{U: c.u(i), V: c.v(i)}
			is, before := seen.meets(doc("<p>come back later"), pair, unlike, 0.9)
			if got = append(got, is); len(before) > 0 && (i != mostUnlike || len(before) != mostUnlike) {
				t.Errorf("%s: %d pairs are taken back at pair %d", name, len(before), i)
			}
			seen.meets(doc(fmt.Sprint("<p>page ", i)), pair, unlike, 0.9)
		}
		if slices.Contains(got, true) != c.want || c.want && slices.Index(got, true) != mostUnlike {
			t.Errorf("%s: %v", name, got)
		}
	}
	var seen commons
	for i := range 3 * mostCommons {
		seen.meets(doc(fmt.Sprint("<p>page ", i)), validator.Test{}, unlike, 0.9)
	}
	if len(seen.pages) != mostCommons {
		t.Errorf("%d pages are kept", len(seen.pages))
	}
}
