package prober

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/stream/fetch"
)

// ofA is a request for a page of a.example.
func ofA(target string) fetch.Request { return fetch.Request{Site: "a.example", Target: target} }

// A page is fetched for a second look once in an hour: the later document is in the cache.
func TestTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &pages{changes: true}
		w := start(t, site)
		s := w.site("a.example")
		first, self, err := s.twice(t.Context(), ofA("/story_1"), 0)
		if err != nil || site.asked["/story_1"] != 2 || self == 1 {
			t.Fatalf("%d requests, self %v: %v", site.asked["/story_1"], self, err)
		}
		again, other, err := s.twice(t.Context(), ofA("/story_1"), 0)
		if err != nil || site.asked["/story_1"] != 2 || other != self || compare(first, again).Alike != 1 {
			t.Errorf("%d requests, self %v, then %v: %v", site.asked["/story_1"], self, other, err)
		}
		if _, _, err := s.twice(t.Context(), ofA("/story_1"), time.Now().Unix()+1); err != nil || site.asked["/story_1"] != 3 {
			t.Errorf("%d requests for a page that changed since: %v", site.asked["/story_1"], err)
		}
		time.Sleep(visitTerm)
		if _, _, err := s.twice(t.Context(), ofA("/story_1"), 0); err != nil || site.asked["/story_1"] != 5 {
			t.Errorf("an hour later %d requests: %v", site.asked["/story_1"], err)
		}
		one := s.visits.bytes
		if _, _, err := s.twice(t.Context(), ofA("/story_3"), 0); err != nil || s.visits.bytes < one+visitBytes || one < visitBytes {
			t.Errorf("%d bytes for a visit, %d for two: %v", one, s.visits.bytes, err)
		}
		three := s.visits.bytes
		if _, _, err := s.twice(t.Context(), ofA("/story_3"), time.Now().Unix()+1); err != nil || s.visits.bytes != three {
			t.Errorf("%d bytes for two visits, and %d after another: %v", three, s.visits.bytes, err)
		}
		if s.unload(); s.visits.of != nil || s.visits.bytes != 0 {
			t.Errorf("%d bytes for visits without a view", s.visits.bytes)
		}
		site.failing = &fetch.Error{Reason: fetch.Timeout}
		if _, self, err := s.twice(t.Context(), ofA("/story_2"), 0); err == nil || self != 1 {
			t.Errorf("self %v: %v", self, err)
		}
	})
}

// A page that was fetched for a report is compared with the pages that reporters saw.
func TestMeasured(t *testing.T) {
	m := measured{}
	body := []byte("a page")
	sum := sha256.Sum256(body)
	if m.differ("/a", hex.EncodeToString(sum[:])) || m.differ("/a", strings.Repeat("0", 64)) {
		t.Error("a page that was not measured differs")
	}
	m.note("/a", fetch.Document{Content: Digest("/", "text/html", body)}, nil)
	m.note("/b", fetch.Document{}, errors.New("no answer"))
	if m.differ("/a", hex.EncodeToString(sum[:])) || !m.differ("/a", strings.Repeat("0", 64)) || m.differ("/b", strings.Repeat("0", 64)) {
		t.Error("pages differ by their sums")
	}
}

// A test of pages that changed uses no document from before, and requests each document once.
func TestDocumentsSince(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &pages{}
		w := start(t, site)
		s := w.site("a.example")
		test, begin := lifecycle.Look{U: "/story?id=1", V: "/story_1"}, time.Now().Unix()
		for i, c := range []struct {
			since int64
			again int
		}{{0, 0}, {begin, 0}, {begin + 1, 2}, {begin + 1, 2}} {
			test.Since = c.since
			if s.look(t.Context(), test, ofA("")); site.again != c.again || site.requests() != 2+c.again {
				t.Errorf("look %d: %d requests, %d of them for known documents", i, site.requests(), site.again)
			}
			time.Sleep(time.Minute)
		}
	})
}
