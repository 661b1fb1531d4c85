package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"strings"
	"testing"
)

// crawlerPage serves a page of another origin, with the applier in JavaScript.
func crawlerPage(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/applier/", http.StripPrefix("/applier/", http.FileServer(http.Dir("../../sinks/appliers/javascript"))))
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`<!doctype html><title>crawler</title><link rel="icon" href="data:,"><footer>A crawler.</footer>`))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

// apply is an expression that reads a list with the applier, follows the list for a while, and
// canonizes a URL. Its value ends with the error, if there is one.
const apply = `import("/applier/index.mjs").then(async function (m) {
	const live = new m.Live({ host: "www.example.org" }), stop = new AbortController(), faults = [];
	try {
		await m.open(live, %[1]q);
		const following = m.follow(live, %[1]q, { every: 100, signal: stop.signal, failed: (e) => faults.push(String(e)) });
		await new Promise((done) => setTimeout(done, 1000));
		stop.abort();
		await following;
	} catch (e) {
		faults.push(String(e));
	}
	return [live.canonical(%[2]q), ...faults];
})`

// ask is an expression that asks for an address twice, the second time with the tag of the first
// answer. Its value is the two statuses and the tag.
const ask = `(async function () {
	try {
		const headers = { Authorization: "Bearer " + %[2]q };
		const first = await fetch(%[1]q, { headers }), tag = first.headers.get("ETag");
		const second = await fetch(%[1]q, { headers: { ...headers, "If-None-Match": tag }, cache: "no-store" });
		return first.status + " " + second.status + " " + (tag !== null);
	} catch (e) {
		return String(e);
	}
})()`

// A page of an allowed origin reads and follows the rules with the applier in JavaScript, with a
// token and without, and reads nothing else. A page of another origin reads nothing.
func TestRulesForPages(t *testing.T) {
	const found = "http://www.example.org/story?id=7&sid=9"
	for _, c := range []struct{ name, token string }{{"with a token", strings.Repeat("t0ken-", 8)}, {"without", ""}} {
		t.Run(c.name, func(t *testing.T) {
			mine, other := crawlerPage(t), crawlerPage(t)
			flags, read := []string{"--admin-allow-origin", mine.URL}, []string{}
			if c.token != "" {
				path := file(t, c.token)
				flags, read = append(flags, "--admin-read-token-file", path), []string{"--rules-token-file", path}
			}
			d := startTown(t, flags...)
			d.token = c.token
			b := open(t, "http://127.0.0.1:")
			d.idle()
			canon := exec.Command(program, append([]string{"canon", "--site", "www.example.org", "--rules", strings.TrimSuffix(d.url, "/")}, read...)...)
			canon.Stdin = strings.NewReader(found + "\n")
			want, err := canon.Output()
			if err != nil || string(want) == found+"\n" {
				t.Fatalf("%v: canon prints %q", err, want)
			}
			source := strings.Replace(strings.TrimSuffix(d.url, "/"), "http://", "http://:"+c.token+"@", 1)
			if c.token == "" {
				source = strings.TrimSuffix(d.url, "/")
			}

			b.visit(mine.URL + "/")
			if got := eval[[]string](b, fmt.Sprintf(apply, source, found)); len(got) != 1 || got[0]+"\n" != string(want) {
				t.Errorf("the applier gives %q, want %q", got, want)
			}
			if got := eval[string](b, fmt.Sprintf(ask, d.url+"api/v1/rules", c.token)); got != "200 304 true" {
				t.Errorf("the page gets %s", got)
			}
			b.check("the rules")
			if got := eval[string](b, fmt.Sprintf(ask, d.url+"api/v1/status", c.token)); !strings.Contains(got, "Failed to fetch") {
				t.Errorf("the page reads the status: %s", got)
			}
			b.visit(other.URL + "/")
			if got := eval[[]string](b, fmt.Sprintf(apply, source, found)); len(got) < 2 || got[0] != found || !strings.Contains(got[1], "Failed to fetch") {
				t.Errorf("another origin: %q", got)
			}
			if got := eval[string](b, fmt.Sprintf(ask, d.url+"api/v1/rules", c.token)); !strings.Contains(got, "Failed to fetch") {
				t.Errorf("another origin reads the rules: %s", got)
			}
		})
	}
}

// follow is an expression that follows a list with the applier, and keeps the applier in the page.
const follow = `import("/applier/index.mjs").then(function (m) {
	window.live = new m.Live({ host: "www.example.org" });
	m.follow(live, %q, { every: 100 });
	return true;
})`

// A page that follows a daemon applies a rule no more once an operator has vetoed it.
func TestPageFollowsTheRules(t *testing.T) {
	const found = "http://www.example.org/story?id=7&sid=9"
	page := crawlerPage(t)
	d := startTown(t, "--admin-allow-origin", page.URL)
	b := open(t, "http://127.0.0.1:")
	d.idle()
	b.visit(page.URL + "/")
	eval[bool](b, fmt.Sprintf(follow, strings.TrimSuffix(d.url, "/")))
	form := func() string { return eval[string](b, fmt.Sprintf("live.canonical(%q)", found)) }
	until(t, "the canonical form", func() (string, bool) { return form(), form() != found })
	id := eval[string](b, fmt.Sprintf("live.rules.explain(%q)[0].id", found))
	before := form()
	answer, err := http.PostForm(d.url+"act", url.Values{"do": {"veto"}, "site": {""}, "id": {id}})
	must(t, err)
	answer.Body.Close()
	until(t, "another form", func() (string, bool) { return form(), form() != before })
	if ids := eval[string](b, fmt.Sprintf("live.rules.explain(%q).map((step) => step.id).join()", found)); strings.Contains(ids, id) {
		t.Errorf("the vetoed rule %s is applied: %s", id, ids)
	}
	b.check("the page that follows")
}
