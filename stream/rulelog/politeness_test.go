package rulelog

import (
	"encoding/json"
	"testing"
	"time"

	"dustbuster/stream/fetch"
)

// The politeness of a site with a request a second is written about once a minute. A member
// killed at any moment leaves no request uncounted.
func TestPolitenessOncePerMinute(t *testing.T) {
	s, begin := &Store{}, time.Now()
	var last fetch.State
	records := 0
	for used := 1; used <= 1000; used++ {
		now := begin.Add(time.Duration(used) * time.Second)
		is := fetch.State{Site: "a", Since: begin, Used: used, Delay: time.Second, Next: now.Add(time.Second)}
		written, err := s.due([]fetch.State{is}, now)
		must(t, err)
		if written != nil {
			var states []fetch.State
			if err := json.Unmarshal(written, &states); err != nil || len(states) != 1 {
				t.Fatal(states, err)
			}
			last = states[0]
			records++
		}
		if last.Used < used || last.Used > used+mostAhead || last.Used > 2*used {
			t.Fatalf("after %d requests the record counts %d", used, last.Used)
		}
	}
	if records > 24 { // 1000 / 61, and a few at the start
		t.Errorf("%d records for 1000 requests", records)
	}
}

// A server's wish, and a new hour, are written at once.
func TestPolitenessAtOnce(t *testing.T) {
	now := time.Now()
	base := fetch.State{Site: "a", Since: now, Used: 100, Delay: time.Second, Next: now.Add(time.Second)}
	for _, c := range []struct {
		name   string
		change func(*fetch.State)
		due    bool
	}{
		{"nothing", func(*fetch.State) {}, false},
		{"some requests", func(s *fetch.State) { s.Used += 30; s.Next = s.Next.Add(5 * time.Second) }, false},
		{"many requests", func(s *fetch.State) { s.Used += 61 }, true},
		{"retry after", func(s *fetch.State) { s.Next = now.Add(30 * time.Second) }, true},
		{"longer delay", func(s *fetch.State) { s.Delay = 2 * time.Second }, true},
		{"too many", func(s *fetch.State) { s.Busy = 1 }, true},
		{"a rest", func(s *fetch.State) { s.Rest = now.Add(time.Hour) }, true},
		{"another hour", func(s *fetch.State) { s.Since, s.Used = now.Add(time.Hour), 1 }, true},
		{"another site", func(s *fetch.State) { s.Site = "b" }, true},
		{"fewer in a row", func(s *fetch.State) { s.Busy = 0 }, false},
	} {
		s, is := &Store{}, base
		if _, err := s.due([]fetch.State{base}, now); err != nil {
			t.Fatal(err)
		}
		c.change(&is)
		if written, err := s.due([]fetch.State{is}, now); err != nil || (written != nil) != c.due {
			t.Errorf("%s: %s, %v", c.name, written, err)
		}
	}
}
