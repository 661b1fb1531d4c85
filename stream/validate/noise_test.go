package validate

import (
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/rule"
)

// Pages with a token of each request are about as like themselves as two pages must be
// each other: some looks find them quiet. No rule may fail for that.
func TestTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second, tokens: true}
		w := New(options(site, nil))
		defer w.Close()
		give(w, mined(40))
		time.Sleep(time.Hour)
		synctest.Wait()
		taken := w.Take()
		if s := w.Status()["a.example"]; s.States[rule.Valid] != 1 || taken.Published["a.example"] == nil {
			t.Errorf("status %+v", s)
		}
	})
}
