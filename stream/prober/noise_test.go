package prober

import (
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/rule"
	"dustbuster/stream/fetch"
)

// Pages with a token of each request resemble themselves about as much as two pages must
// resemble each other. In some looks such pages seem quiet. No rule may fail for that
// reason.
func TestTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second, tokens: true}
		w := New(options(site, nil))
		defer w.Close()
		give(w, mined(40))
		time.Sleep(time.Hour)
		synctest.Wait()
		taken := drain(w)
		if s := w.Status()["a.example"]; s.States[rule.Valid] != 1 || taken.published["a.example"] == nil {
			t.Errorf("status %+v", s)
		}
	})
}

// A page that is missing twice says nothing of the noise of a page.
func TestMissingTwice(t *testing.T) {
	none, page := fetch.Document{Status: 404}, Digest("text/html", []byte("<p>one two three"))
	for _, d := range []fetch.Document{none, {Status: 404, Content: page}} {
		if got := alike(none, d); got != 1 {
			t.Errorf("%+v: %v", d, got)
		}
	}
}
