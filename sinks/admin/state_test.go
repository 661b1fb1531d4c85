package admin

import (
	"context"
	"dustbuster/operators/trial"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"dustbuster/operators/lifecycle"
	"dustbuster/operators/rule"
	"dustbuster/stream/fetch"
	"dustbuster/stream/loop"
	"dustbuster/stream/miners"
	"dustbuster/stream/records"
	"dustbuster/stream/tail"
)

// shown is a state that is swapped as a whole, as in the daemon.
type shown struct{ at atomic.Pointer[fixed] }

// fixed is an immutable state.
type fixed struct {
	status    Status
	rules     []rule.Likely
	published map[string]*lifecycle.Publication
	ready     error
	healthy   error
}

func (s *shown) Status() Status { return s.at.Load().status }
func (s *shown) Rules() Rules {
	f := s.at.Load()
	return Rules{Likely: f.rules, Tried: f.published != nil, Published: f.published}
}
func (s *shown) Approve(site, mark string) bool { return site == "a.example" && mark == "m" }
func (s *shown) Recheck(site, id string) bool   { return site == "a.example" && (id == "" || id == "r") }
func (s *shown) Elsewhere(_ context.Context, site string) (Owner, bool) {
	switch site {
	case "elsewhere.example":
		return Owner{"dustbuster-7", "10.0.0.7"}, true
	case "moving.example":
		return Owner{}, true
	}
	return Owner{}, false
}
func (s *shown) Ready() error   { return s.at.Load().ready }
func (s *shown) Healthy() error { return s.at.Load().healthy }

func show(f fixed) *shown {
	s := &shown{}
	s.at.Store(&f)
	return s
}

var errBehind = errors.New("still reading what was there at the start")

// full is a state with a different number in every place.
func full() Status {
	s := Status{Version: "v1.2.3",
		Status: loop.Status{Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600)), CaughtUp: true,
			Late: 21, Shed: 22, Beyond: 23, Ahead: 24, Events: 31, Errors: 32, LastError: "save state: <disk full>",
			Saved: time.Unix(1767362400, 500_000_000), SaveTook: 1500 * time.Millisecond, StateBytes: 33, MemoryBudget: 94, MemoryUsed: 95,
			Sites: []loop.Site{{Name: "a.example", URLs: 61, Likely: 62, Rules: 63, Newest: time.Unix(1767362400, 0)},
				{URLs: 71, Likely: 72, Rules: 73, Shed: 74}},
			Counts: records.Counts{Blank: 1, Directive: 5, Oversized: 2, Unknown: 3, Malformed: 4, Wrapping: 6, Other: 7, Reread: records.Reread{Unknown: 10, Malformed: 20, Other: 30}}},
		Tail: tail.Stats{Bytes: 41, Oversized: 42, Skipped: 43, NullRuns: 44, Rotations: 45, Truncations: 46,
			Abandoned: 47, AbandonedBy: 48, Damaged: 49, Errors: 50, Following: 51},
		Lags: []tail.Lag{{File: "/a\xff", Bytes: 96}, {File: "/b", Bytes: 97}, {File: "/b", Bytes: 98}},
		Trial: Trial{On: true, Held: map[string]lifecycle.PendingUpdate{"a.example": {Share: 0.75, Rules: 74, Mark: "m"}},
			Sites: map[string]lifecycle.Status{"a.example": {States: map[rule.State]int{rule.Refuted: 76}, Testing: "r", Pairs: 77, Forms: 78, Private: lifecycle.Private{URLs: 70, Secret: 71, OneClient: 72, Pairs: 73, FirstSecret: "/a/***"}}},
			Published: map[string]*lifecycle.Publication{"a.example": {Sequence: 79, At: 80, Records: make([]rule.Record, 81),
				Sample: trial.Sample{URLs: 87, Samples: 88, Negatives: 89, Skipped: 90, Bound: 0.5}}},
			Verdicts: map[Verdict]int{{rule.Undecided, "unsafe"}: 75},
			Fetch:    fetch.Stats{Requests: 82, Bytes: 83, Hits: 84, Refused: map[fetch.Reason]int64{fetch.Robots: 85}, Waited: 86 * time.Second}},
		Partitions: []miners.Partition{{Partition: 5, Position: 91, End: 100, Lost: 92, Refused: 93, CaughtUp: true}}}
	s.Counts.Lines = 23
	for why := range s.Counts.Reasons {
		s.Counts.Reasons[why] = 100 + why
		s.Counts.Lines += 100 + why
	}
	return s
}

func someRules() []rule.Likely {
	likely := func(site, alpha string) rule.Likely {
		return rule.Likely{Site: site, Rule: rule.Rule{From: alpha}, Support: 3, SupportHigh: 4}
	}
	return []rule.Likely{likely("", "?x=1"), likely("a.example", "/a&b"), likely("a.example", "/c"), likely("b.example", "/d")}
}

// local and localAgent answer on loopback, where no token is set.
func local(s State) http.Handler {
	d, err := newDoor(&Options{Listen: "127.0.0.1:9464"}, true)
	if err != nil {
		panic(err)
	}
	return handler(s, d)
}

func localAgent(s Agent) http.Handler {
	d, err := newDoor(&Options{Listen: "127.0.0.1:9464"}, true)
	if err != nil {
		panic(err)
	}
	return agentHandler(s, d)
}

// get sends a request to a handler on loopback.
func get(t *testing.T, h http.Handler, path string, header ...string) (code int, kind, body string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	r.Host = "127.0.0.1:9464"
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	out, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Code, w.Header().Get("Content-Type"), string(out)
}

// lineOf returns a rule of someRules as JSON.
func lineOf(site, alpha string) string {
	return fmt.Sprintf(`{"site":%q,"kind":"substring","alpha":%q,"beta":"","at_start":false,"at_end":false,"support":3,"support_high":4}`, site, alpha)
}
