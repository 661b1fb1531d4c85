package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/internal/planted"
	"dustbuster/internal/schema"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/url/secret"
	"dustbuster/sinks/audit"
	"dustbuster/stream/prober"
)

// audited are the records of an audit file, each checked against the schema.
func audited(t *testing.T, path string) (all []map[string]any) {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	for line := range bytes.Lines(text) {
		must(t, schema.Check("audit", line))
		var members map[string]any
		must(t, json.Unmarshal(line, &members))
		all = append(all, members)
	}
	return all
}

// kinds returns the records of one kind.
func kinds(all []map[string]any, kind string) []map[string]any {
	return slices.DeleteFunc(slices.Clone(all), func(r map[string]any) bool { return r["kind"] != kind })
}

// uris returns the URLs of requests, as the server saw them.
func uris(t *testing.T, requests []map[string]any) (all []string) {
	t.Helper()
	for _, r := range requests {
		u, err := url.Parse(r["url"].(string))
		must(t, err)
		all = append(all, u.Host+u.RequestURI())
	}
	return all
}

// The audit file holds every request that the server saw, in the server's order, every pair
// and every verdict. A second run appends.
func TestValidateAudit(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	r := validateLibrary(t, t.Context(), &library{}, oneHost, "--audit", path)
	first := audited(t, path)
	requests, pairs, verdicts := kinds(first, "request"), kinds(first, "pair"), kinds(first, "verdict")
	if got := uris(t, requests); !slices.Equal(got, r.asked) {
		t.Errorf("%d requests in the file, %d at the server:\n%q\n%q", len(got), len(r.asked), got, r.asked)
	}
	rules := map[any]bool{} // a proof is a verdict more on a rule
	for _, v := range verdicts {
		rules[v["id"]] = true
	}
	if !strings.Contains(r.stderr, fmt.Sprintf("%d rules tested", len(rules))) || len(pairs) < 100 {
		t.Errorf("%d pairs, %d verdicts\n%s", len(pairs), len(verdicts), r.stderr)
	}
	if q := requests[0]; q["purpose"] != "robots" || q["status"] != 302.0 || q["location"] != "/robots" || requests[1]["redirects"] != 1.0 {
		t.Errorf("robots.txt: %v, then %v", q, requests[1])
	}
	for _, v := range verdicts {
		last := map[any]any{} // by the two URLs, of the pairs tried for the rule
		for _, p := range pairs {
			if p["rule"] == v["id"] && p["purpose"] == "trial" {
				last[fmt.Sprint(p["u"].(map[string]any)["url"], p["v"].(map[string]any)["url"])] = p["outcome"]
			}
		}
		positives := 0.0
		for _, outcome := range last {
			if outcome == "positive" {
				positives++
			}
		}
		if positives > v["positives"].(float64) {
			t.Errorf("%v pairs of a rule end as positive, and the verdict counts %v", positives, v["positives"])
		}
	}
	purposes, redirected, resembling, second := map[any]int{}, 0, 0, 0
	for _, q := range requests {
		purposes[q["purpose"]]++
		if q["redirects"] == 1.0 {
			redirected++
		}
	}
	for _, p := range pairs {
		if p["second"] == true {
			second++
		}
		if like, compared := p["resemblance"]; compared && (like == 1.0) == (p["outcome"] == "positive") {
			resembling++
		}
	}
	if purposes["robots"] != 2 || purposes["trial"] == 0 || redirected < 2 || resembling < 100 || second == 0 {
		t.Errorf("purposes %v, %d after a redirect, %d pairs as they are, %d looked at again", purposes, redirected, resembling, second)
	}
	validateLibrary(t, t.Context(), &library{}, oneHost, "--audit", path, "--fetch-total", "20")
	if all := audited(t, path); len(kinds(all, "request")) != len(requests)+20 {
		t.Errorf("%d requests after a second run of 20, %d after the first", len(kinds(all, "request")), len(requests))
	}
}

// The last outcome in the file of a pair is the outcome that counted in the verdicts: an outcome that
// was judged anew is written again.
func TestAuditJudgedAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	f, err := audit.Open(path, secret.Veil{}, func(err error) { t.Error(err) })
	must(t, err)
	for _, r := range []lifecycle.Rejudged{
		{U: "/a?key=" + planted.Secrets["hexadecimal"], V: "/a", Rule: "r", Judgement: trial.Judgement{Outcome: trial.Negative, Reason: trial.Different},
			Compared: &trial.Compared{Alike: .93, U: trial.Shown{Length: 100}, V: trial.Shown{Length: 101}}},
		{U: "/b", V: "/c", Purpose: lifecycle.Recheck, Rule: "r", Judgement: trial.Judgement{Outcome: trial.Skip, Reason: trial.Unsteady}},
	} {
		f.Reported(prober.Report{Site: "a.example", Rejudged: &r})
	}
	must(t, f.Close())
	var got []string
	for _, r := range audited(t, path) {
		got = append(got, strings.TrimSpace(fmt.Sprintln(r["kind"], r["again"], r["purpose"], r["rule"], r["u"], r["v"], r["resemblance"], r["outcome"], r["reason"])))
	}
	want := []string{
		"pair true trial r map[length:100 url:/a?key=***] map[length:101 url:/a] 0.93 negative different",
		"pair true recheck r map[length:0 url:/b] map[length:0 url:/c] <nil> skip unsteady",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// An audit file that cannot be written is an error before any request and before any line
// is read.
func TestAuditCannotBeOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "audit.jsonl")
	r := validateLibrary(t, t.Context(), &library{}, oneHost, "--audit", path)
	if r.code != cli.ExitFailure || len(r.asked) != 0 || !strings.Contains(r.stderr, "open audit file: open "+path+": no such file or directory") {
		t.Errorf("ended with %d after %d requests\n%s", r.code, len(r.asked), r.stderr)
	}
	code, _, errs := program(t.Context(), "run", "--tail", path, "--state", t.TempDir(), "--admin-listen", "", "--origin", "http://127.0.0.1:1", "--audit", path)
	if code != cli.ExitFailure || !strings.Contains(errs.String(), "open audit file") {
		t.Errorf("run ended with %d\n%s", code, errs)
	}
}

// The daemon keeps the file, too.
func TestRunAudit(t *testing.T) {
	t.Parallel()
	l := &library{}
	server := httptest.NewServer(l)
	defer server.Close()
	dir := t.TempDir()
	log, path := filepath.Join(dir, "access.log"), filepath.Join(dir, "audit.jsonl")
	must(t, os.WriteFile(log, []byte(hits(books, bookForms...)), 0o600))
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	go func() { // until there is a verdict
		for ctx.Err() == nil {
			if text, _ := os.ReadFile(path); bytes.Contains(text, []byte(`"kind":"verdict"`)) {
				stop()
			}
			time.Sleep(50 * time.Millisecond)
		}
	}()
	var out, errs bytes.Buffer
	code := run(ctx, []string{"run", "--tail", log, "--state", filepath.Join(dir, "state"), "--window", "0", "--refine-interval", "100ms", "--no-withhold",
		"--admin-listen", "", "--fetch-kinds", "any", "--origin", server.URL, "--fetch-delay", "1ms", "--fetch-rate", "0", "--fetch-budget", "0", "--audit", path}, nil, &out, &errs)
	all := audited(t, path)
	requests := kinds(all, "request")
	if last := len(requests) - 1; last >= 0 && requests[last]["status"] == nil {
		requests = requests[:last] // the end of the daemon cut the request off, perhaps before the server had it
	}
	if got := uris(t, requests); code != 0 || len(got) < 10 || len(got) < len(l.asked)-1 || !slices.Equal(got, l.asked[:len(got)]) {
		t.Errorf("ended with %d; %d requests in the file, %d at the server\n%s", code, len(got), len(l.asked), &errs)
	}
	if len(kinds(all, "pair")) == 0 || len(kinds(all, "verdict")) == 0 {
		t.Errorf("%d records", len(all))
	}
	if is, err := os.Stat(path); err != nil || is.Mode().Perm() != 0o600 {
		t.Errorf("%v: %v", is.Mode(), err)
	}
}
