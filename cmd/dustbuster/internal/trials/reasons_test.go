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
	for _, want := range []string{"5 answers 429 or 503 in a row, the last 429 at http://example.org/b: no request for 1h0m0s",
		"the server became slow, about 1s now, for example at http://example.org/c: one request every 2s",
		"the server is as fast as at first again, 300ms"} {
		if strings.Count(news, want) != 1 {
			t.Errorf("not %q in %s", want, news)
		}
	}
	if strings.Count(news, "status 503 at http://example.org/a: ") != 3 || strings.Count(news, "2h0m0s") != 2 || len(r.Take()) != 0 {
		t.Error(news)
	}
	sum := r.sum()
	if len(sum) != 2 || !strings.Contains(sum[0], "1 × robots, for example fetch") || !strings.Contains(sum[0], "User-agent: dustbuster") ||
		!strings.Contains(sum[1], "4 × status 503, for example http://example.org/a") {
		t.Errorf("%q", sum)
	}
}

// For several sites the sum is printed.
func TestPrivateOfSites(t *testing.T) {
	lines := private(map[string]prober.SiteStatus{
		"b": {Status: lifecycle.Status{Private: forms.Private{URLs: 10, Secret: 3, OneClient: 2, Pairs: 5, FirstSecret: "/b", FirstOneClient: "/c"}}},
		"a": {Status: lifecycle.Status{Private: forms.Private{Alone: true, URLs: 7}}},
		"c": {Status: lifecycle.Status{Private: forms.Private{Alone: true, URLs: 1, Secret: 1, Pairs: 1, FirstSecret: "/x"}}},
	})
	want := []string{"dustbuster: 4 of 18 URLs are never asked for: they look like secrets, for example /b",
		"dustbuster: 2 of 18 URLs are never asked for: they may be links given to one visitor, for example /c",
		"dustbuster: tests skip 6 pairs for that reason",
		"dustbuster: " + ClientsAlike + ` (2 of 3 sites, such as "a")`}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	if lines := private(map[string]prober.SiteStatus{"a": {Status: lifecycle.Status{Private: forms.Private{URLs: 5}}}}); len(lines) != 0 {
		t.Errorf("%q", lines)
	}
}

// What was not tested is said of the sites with most such URLs, with the remedies in their order.
func TestUntestedOfSites(t *testing.T) {
	bars := func(urls int, by ...forms.Barred) prober.SiteStatus {
		return prober.SiteStatus{Status: lifecycle.Status{NotTried: &forms.NotTried{Rules: len(by), URLs: urls, Bytes: 2_000_000, By: by}}}
	}
	lines := untested(map[string]prober.SiteStatus{
		"a.example": bars(10, forms.Barred{Why: forms.BarSecret, Rules: 1, URLs: 10, Example: "ignore the parameter sid", Number: 0, Needed: 10}),
		"b.example": bars(300, forms.Barred{Why: forms.BarUnasked, Rules: 2, URLs: 200, Example: "ignore the parameter ref", Number: 3, Needed: 17, Params: []string{"ref", "from"}},
			forms.Barred{Why: forms.BarAlone, Rules: 1, URLs: 100, Example: "ignore the parameter x", Number: 9, Needed: 10}),
		"c.example": {},
	})
	want := []string{
		"b.example: 2 rules were not tested, because too few of the URLs may be requested. That leaves 300 duplicates (crawlers fetched 2 MB of them).",
		"2 rules (200 URLs): fewer than three visitors asked for such URLs. For example: ignore the parameter ref (3 of 17 needed pairs). If these parameters do nothing on your server, allow them: --allow b.example:ref,b.example:from. If no GET of this site does anything, --fetch-kinds any requests all of them.",
		"1 rule (100 URLs): all visitors look the same in the log, as behind a proxy. For example: ignore the parameter x (9 of 10 needed pairs). Log the addresses of the visitors; --trusted-proxies names your proxies. If no GET of this site does anything, --fetch-kinds any requests all of them.",
		"a.example: 1 rule was not tested, because too few of the URLs may be requested. That leaves 10 duplicates (crawlers fetched 2 MB of them).",
		"1 rule (10 URLs): the URLs look like secrets. For example: ignore the parameter sid (0 of 10 needed pairs). Such URLs are never requested; if you have a crawl of the site, validate --pages takes the pages from it.",
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// The question whose a site is names what helps.
func TestStrangers(t *testing.T) {
	s := strangers{domains: true}
	if s.String() != "" || !s.cover(nil) || s.cover([]string{"a.example"}) {
		t.Error("nobody is strange")
	}
	s.add("a.example", 2, "it gives an invented host the same answer")
	s.add("a.example", 2, "")
	want := `is this site yours? a.example (2 rules not tested). Anybody can send a host name, so say which are yours. The server does not know "a.example": it gives an invented host the same answer. If these are: --hosts 'a.example,*.a.example'`
	if got := s.String(); got != want || !s.cover([]string{"a.example"}) {
		t.Errorf("%s\nwant\n%s", got, want)
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
