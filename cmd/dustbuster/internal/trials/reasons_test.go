package trials

import (
	"dustbuster/internal/planted"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/url/secret"
	"dustbuster/sinks/plan"
	"dustbuster/stream/fetch"
	"dustbuster/stream/prober"
	"errors"
	"strings"
	"testing"
	"time"
)

// If a server wishes a long rest, validate waits and reports each wait. Short waits are
// reported once.
func TestRefusals(t *testing.T) {
	r := NewRefusals(secret.Veil{}, nil)
	for _, held := range []time.Duration{time.Second, 2 * time.Hour, time.Second, 2 * time.Hour} {
		r.Fetched(fetch.Event{Kind: fetch.Requested, URL: "http://example.org/a", Status: 503, Held: held})
	}
	r.Fetched(fetch.Event{Kind: fetch.Requested, URL: "http://example.org/robots.txt", Status: 404})
	r.Fetched(fetch.Event{Kind: fetch.Refused, Reason: fetch.Robots, Err: &fetch.Error{Reason: fetch.Robots, Target: "/a", Err: errors.New("forbidden")}})
	r.Fetched(fetch.Event{Kind: fetch.Refused, Reason: fetch.Cancelled, Err: errors.New("interrupted")})
	r.Fetched(fetch.Event{Kind: fetch.Rested, URL: "http://example.org/b", Status: 429, Row: 5, Held: time.Hour})
	r.Fetched(fetch.Event{Kind: fetch.Slowed, URL: "http://example.org/c", Took: time.Second, Delay: 2 * time.Second})
	r.Fetched(fetch.Event{Kind: fetch.Recovered, URL: "http://example.org/d", Took: 300 * time.Millisecond, Delay: time.Second})
	news := strings.Join(r.Take(), "\n")
	for _, want := range []string{"5 answers 429 or 503 in a row, at last 429 at http://example.org/b: the site rests for 1h0m0s",
		"answers take longer than at first, about 1s now, as at http://example.org/c: requests come at 2s",
		"answers take about as long as at first again, 300ms"} {
		if strings.Count(news, want) != 1 {
			t.Errorf("not %q in %s", want, news)
		}
	}
	if strings.Count(news, "status 503 at http://example.org/a: ") != 3 || strings.Count(news, "2h0m0s") != 2 || len(r.Take()) != 0 {
		t.Error(news)
	}
	sum := r.sum()
	if len(sum) != 2 || !strings.Contains(sum[0], "1 × robots, first: fetch") || !strings.Contains(sum[0], "User-agent: dustbuster") ||
		!strings.Contains(sum[1], "4 × status 503, first: http://example.org/a") {
		t.Errorf("%q", sum)
	}
}

// For several sites the sum is printed.
func TestPrivateOfSites(t *testing.T) {
	lines := private(map[string]prober.SiteStatus{
		"b": {Status: lifecycle.Status{Private: forms.Private{URLs: 10, Secret: 3, OneClient: 2, Pairs: 5, Rules: 1, FirstSecret: "/b", FirstOneClient: "/c", FirstRule: "drop b"}}},
		"a": {Status: lifecycle.Status{Private: forms.Private{Alone: true, URLs: 7}}},
		"c": {Status: lifecycle.Status{Private: forms.Private{Alone: true, URLs: 1, Secret: 1, Pairs: 1, FirstSecret: "/x"}}},
	})
	want := []string{"dustbuster: 4 of 18 URLs are never asked for, since they look like secrets, first: /b",
		"dustbuster: 2 of 18 URLs are never asked for, since they may be links that only one client was given, first: /c",
		"dustbuster: 6 pairs of the rules tried were left out for that",
		"dustbuster: rules not tried, since too few of their pairs may be fetched: 1, first: drop b", "dustbuster: " + ClientsAlike + ` (2 of 3 sites, such as "a")`}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	if lines := private(map[string]prober.SiteStatus{"a": {Status: lifecycle.Status{Private: forms.Private{URLs: 5}}}}); len(lines) != 0 {
		t.Errorf("%q", lines)
	}
}

// URLs of a plan that the fetcher refuses are masked.
func TestPlansAreMasked(t *testing.T) {
	fetcher, err := fetch.New(fetch.Options{Origin: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range planted.Secrets {
		for _, lifted := range []bool{false, true} {
			p := &planner{fetcher: fetcher, veil: secret.Veil{Lifted: lifted}}
			if u := p.url(&plan.Site{}, "/x?a="+s); (u.Refused == string(fetch.Secret)) != secret.Certain("/x?a="+s) || strings.Contains(u.URL, s) != lifted {
				t.Errorf("%s: veil lifted %v: planned %+v", name, lifted, u)
			}
		}
	}
}
