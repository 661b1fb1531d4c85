package daemon

import (
	"dustbuster/cmd/dustbuster/internal/trials"
	"dustbuster/config"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
	"dustbuster/stream/fetch"
	"dustbuster/stream/prober"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// The daemon logs a reason that keeps pairs from being tried at ten times, a hundred, and
// so on. Missing pages are not logged, since a missing page is an answer.
func TestDaemonWarnsOfRefusals(t *testing.T) {
	core, seen := observer.New(zap.InfoLevel)
	d := process{log: zap.New(core)}
	d.config.Store(&config.Config{Write: config.Write{Withhold: true}})
	d.refused = trials.NewRefusals(secret.Veil{}, d.warnRefused)
	for range 250 {
		d.traceFetch(fetch.Event{Kind: fetch.Requested, Site: "a", URL: "http://example.org/a", Status: 403})
		d.traceFetch(fetch.Event{Kind: fetch.Requested, Site: "a", URL: "http://example.org/b", Status: 404})
		d.report(prober.Report{Site: "a", Judged: &prober.Judged{Outcome: "skip", Reason: "everywhere"}})
	}
	d.traceFetch(fetch.Event{Kind: fetch.Requested, Site: "a", URL: "http://example.org/c", Status: 503, Held: time.Hour})
	for range 10 {
		d.traceFetch(fetch.Event{Kind: fetch.Refused, Site: "a", Reason: fetch.Action, Err: errors.New("/delete/9f3c2b7d81e04a6f")})
	}
	for range 10 { // a trial that is strict at first may cease to be
		d.report(prober.Report{Site: "a", Judged: &prober.Judged{Outcome: "skip", Reason: "static"}})
	}
	var got []string
	for _, e := range seen.All() {
		got = append(got, fmt.Sprint(e.Level, " ", e.ContextMap()["what"], " ", e.ContextMap()["times"]))
	}
	want := []string{"warn status 403 10", "warn everywhere 10", "warn status 403 100", "warn everywhere 100", "info <nil> <nil>", "warn action 1", "warn action 10", "info static 10"}
	if !slices.Equal(got, want) {
		t.Errorf("logged %q", got)
	}
	if first := seen.All()[len(want)-2].ContextMap()["first"]; first != "/delete/***" {
		t.Errorf("the example is %v", first)
	}
}

// The daemon logs the links never requested.
func TestDaemonTellsWhatIsNeverAskedFor(t *testing.T) {
	core, seen := observer.New(zap.InfoLevel)
	d := process{log: zap.New(core)}
	d.report(prober.Report{Site: "a", Private: &forms.Private{URLs: 5}})
	d.report(prober.Report{Site: "a", Private: &forms.Private{URLs: 5, Alone: true}})
	d.report(prober.Report{Site: "a", Private: &forms.Private{URLs: 5, OneClient: 2, FirstOneClient: "/x"}})
	all := seen.All()
	if len(all) != 2 || all[0].Level != zap.WarnLevel || all[0].Message != trials.ClientsAlike || all[0].ContextMap()["site"] != "a" ||
		all[1].ContextMap()["one_client"] != int64(2) || all[1].ContextMap()["first_one_client"] != "/x" {
		t.Errorf("%v", all)
	}
}

// Verdicts are counted by rule state and reason. Among the reasons is a URL whose rewriting
// does not end.
func TestVerdictsAreCounted(t *testing.T) {
	d := &process{log: zap.NewNop()}
	for range 3 {
		d.report(prober.Report{Verdict: &book.Entry{State: rule.Undecided, Verdict: rule.Verdict{Reason: "unsafe"}}})
	}
	d.report(prober.Report{Verdict: &book.Entry{State: rule.Valid, Verdict: rule.Verdict{Reason: "trial"}}})
	if got := fmt.Sprint(prober.StatusOf(nil, nil, &d.verdicts).Verdicts); got != "map[{undecided unsafe}:3 {valid trial}:1]" {
		t.Errorf("counted %s", got)
	}
}
