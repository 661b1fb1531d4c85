package dashboard

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/read/crawler"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/admin"

	"golang.org/x/net/html"
)

// addresses are the pages about a site.
func addresses(site string) (all []string) {
	q := url.Values{"site": {site}}.Encode()
	for _, path := range []string{"/site", "/rules", "/history", "/verdicts", "/likely", "/export"} {
		all = append(all, path+"?"+q)
	}
	return append(all, "/pairs?id=e1&"+q, "/", "/?q=www&by=merged&page=2", "/inputs", "/left", "/try", "/try?url=http%3A%2F%2Fwww0.example%2Fa0%2F1", "/group")
}

// hostile returns a text made to break out of a page.
func hostile(s string) string {
	return s + `"'><script src=x>alert(1)</script><img src=x onerror=alert(1)>&lt;{{.}}` + "`\u202egnp.\u2066\x00\x1b[31m\r\n<!--]]></textarea></title>" + strings.Repeat("%3C", 700)
}

// shape returns the elements of a page with the names of their attributes, and the text.
func shape(t *testing.T, body string) (elements []string, text string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for n := range root.Descendants() {
		switch n.Type {
		case html.TextNode:
			b.WriteString(n.Data)
		case html.ElementNode:
			names := []string{n.Data}
			for _, a := range n.Attr {
				names = append(names, a.Key)
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
					t.Errorf("<%s> has the attribute %s", n.Data, a.Key)
				}
				if (a.Key == "href" || a.Key == "src" || a.Key == "action") && a.Val != "data:," && !opens(n, a.Val) && (strings.Contains(a.Val, ":") || strings.HasPrefix(a.Val, "/")) {
					t.Errorf("<%s %s=%q> leads out of the listener", n.Data, a.Key, a.Val)
				}
			}
			elements = append(elements, strings.Join(names, " "))
		case html.CommentNode:
			t.Errorf("a comment: %q", n.Data)
		}
	}
	return elements, b.String()
}

// opens reports whether an element is the link to a page of a pair.
func opens(n *html.Node, to string) bool {
	return n.Data == "a" && strings.HasPrefix(to, "http://www0.example/") && slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "rel" && strings.Contains(a.Val, "noreferrer") })
}

// Texts made to break out become text: a page of hostile texts has the elements of the same
// page of plain texts, and no character that turns or hides others.
func TestHostileTexts(t *testing.T) {
	good, bad := newWorld(9, 5, plain), newWorld(9, 5, hostile)
	for i, address := range addresses(hostile("www0.example")) {
		want, _ := shape(t, get(t, serve(good), addresses("www0.example")[i]).Body.String())
		w := get(t, serve(bad), address)
		if w.Code != http.StatusOK || w.Header().Get("Content-Security-Policy") != policy {
			t.Errorf("%.60s: %d, %s", address, w.Code, w.Header())
		}
		got, text := shape(t, w.Body.String())
		if !strings.HasPrefix(address, "/try?") && !strings.HasPrefix(address, "/?q") && !slices.Equal(got, want) { // the others hold what is asked for
			t.Errorf("%.60s has %d elements, want %d", address, len(got), len(want))
		}
		if n := strings.IndexAny(text, "\u202e\u2066\x00\x1b\r"); n >= 0 {
			t.Errorf("%.60s: %q", address, text[max(0, n-20):n+20])
		}
		for line := range strings.Lines(text) {
			if len(line) > 1500 {
				t.Errorf("%.60s: a line of %d bytes: %.3000s", address, len(line), line)
			}
		}
	}
}

// What a reader asks for is foreign text, too.
func TestHostileQuestions(t *testing.T) {
	h := serve(newWorld(3, 3, plain))
	bad := url.QueryEscape(hostile("x"))
	for _, address := range []string{"/?q=" + bad, "/?by=" + bad, "/site?site=" + bad, "/verdicts?site=www0.example&state=" + bad, "/try?url=" + bad, "/try?site=" + bad, "/try?url=%2Fa&site=" + bad, "/?done=" + bad, "/?page=" + bad, "/?page=99999999999999999999", "/rules?site=www0.example&page=777", "/export?site=www0.example&redirect=" + bad + "&format=" + bad} {
		w := get(t, h, address)
		if _, text := shape(t, w.Body.String()); w.Code >= 500 || strings.ContainsAny(text, "\u202e\x1b") || strings.Contains(w.Body.String(), "<script src=x") {
			t.Errorf("%.60s: %d", address, w.Code)
		}
	}
}

// A site whose first update is held says that its valid rules are held, and not that there are
// none.
func TestFirstRulesHeld(t *testing.T) {
	w := newWorld(6, 1, plain)
	for _, name := range []string{"www4.example", "www5.example"} { // the second has a held update
		delete(w.look.Trials.Published, name)
	}
	h := serve(w)
	for _, c := range []struct{ address, want string }{{"/rules?site=www5.example", "the confirmed rules wait for your approval"}, {"/rules?site=www4.example", "No rule is published yet"}} {
		if _, text := shape(t, get(t, h, c.address).Body.String()); !strings.Contains(text, c.want) {
			t.Errorf("%s does not show %q:\n%s", c.address, c.want, text)
		}
	}
}

// Decisions come first, then what the rules cover, and then what each crawler saves by them.
func TestDecisionsFirst(t *testing.T) {
	h := serve(newWorld(6, 1, plain))
	for _, c := range []struct {
		address string
		want    []string
	}{
		{"/", []string{"need you", "rules are live", "Saved since 2024-10-09", crawler.Name(2) + "42021 kB", crawler.Name(3) + "210–", "all together7,1401.89 MB"}},
		{"/site?site=www5.example", []string{"Waiting for your approval", "1 rule is live", "Duplicates by day", "Saved since 2024-10-04", crawler.Name(2) + "804 kB", "all together1,390360 kB"}},
	} {
		t.Run(c.address, func(t *testing.T) {
			_, text := shape(t, get(t, h, c.address).Body.String())
			rest := strings.Join(strings.Fields(text), " ")
			for _, want := range c.want {
				_, after, found := strings.Cut(rest, want)
				if !found {
					t.Fatalf("no %q in what is left:\n%s", want, rest)
				}
				rest = after
			}
		})
	}
}

// While the duplicates are an estimate of before the first publication, no page shows them beside the live rules.
func TestWasteOfBefore(t *testing.T) {
	w := newWorld(2, 1, plain)
	w.look.Loop.Sites[1].Waste.Valid = 0
	h := serve(w)
	for _, c := range []struct {
		address string
		want    bool
	}{{"/site?site=www0.example", true}, {"/site?site=www1.example", false}} {
		if _, text := shape(t, get(t, h, c.address).Body.String()); strings.Contains(text, "Search engines and bots fetched") != c.want || !strings.Contains(text, "1 rule is live, confirmed since 1970-01-01 00:50:00. On 2024-11-12 it covered 5 of the 100 URLs") {
			t.Errorf("%s:\n%s", c.address, text)
		}
	}
}

// Pages show what the daemon knows.
func TestPages(t *testing.T) {
	h := serve(newWorld(120, 130, plain))
	for _, c := range []struct {
		address string
		want    []string
	}{
		{"/", []string{"120", "24 things need you", "www115.example 3 rules wait for your approval: with all confirmed rules, 70 % of the URLs would change. Look at it and decide", "And 14 more", "Being tested", "is tested again", "next →", "1 to 50 of 120", "Not ready: catching up", "disk"}},
		{"/?by=site&page=3", []string{"101 to 120 of 120", "← before"}},
		{"/?q=www7", []string{"www77.example"}},
		{"/?q=nothing", []string{"No site has a name that contains this"}},
		{"/site?site=www0.example", []string{"write /a0/… as /b/…", "passed the first step, and the second goes on", "1 confirmed, 1 by the first step", "Published (130)", "Tested (5)", "Suggested (0)", "How many of its URLs can be wrong", "Resemblance of the pages", "Duplicates found", "Take back", "/story/", "Approve all", "Reject all", "Alone, it changes 61 % of the URLs. 60 pairs of pages match", "every rule about sid", "rule gone", "Covers 77 URLs; fetched by Googlebot 70."}},
		{"/site?site=www5.example", []string{"of the URLs; rules that wait would add 4.0 %"}},
		{"/site?site=www1.example", []string{"Nothing is tested now (next look: 1970-01-01 02:00:00)", "27 rules: too few pairs of pages to decide, for example drop few (7 of 10)", "13 rules were not tested, because too few of the URLs may be requested. That leaves 260 duplicates (crawlers fetched 9 kB of them).", "For example: drop never (3 of 17 needed pairs). If these parameters do nothing on your server, allow them", "Allow ref"}},
		{"/rules?site=www0.example", []string{"1 to 50 of 130", "Open 3 pairs of pages", "ignore the parameter p1", "Pin", "Veto", "Test again", "pinned", "Covers 1,240 URLs, 9 kB; fetched by Googlebot 1,200, people 7."}},
		{"/rules?site=www0.example&page=3", []string{"130. ignore the parameter p129"}},
		{"/history?site=www0.example", []string{"added", "removed", "list 120", "/x?sid=1", "1 to 50 of 120"}},
		{"/verdicts?site=www0.example", []string{"not confirmed", "60 pairs of pages match, 0 differ, 2 are inconclusive; at most 4.90 % of its URLs can be wrong", "words of their own", "resemblance 0.512; a pair matches from 0.900", "Open 1 pair of pages", "Covers 1 URL."}},
		{"/pairs?id=e1&site=www0.example", []string{"ignore the parameter p1", "status 200", "1,234 bytes", "redirects to /moved", "names as canonical /page", "asks not to be indexed", "before first after", "before second after", "3 further words of the first page", "A new look at 1970-01-01 00:01:10", "For comparison: of 40 pairs of unrelated pages 2 show the same text; 95 % of the others resemble each other by at most 0.610"}},
		{"/pairs?id=nothing&site=www0.example", []string{"No such rule was tested"}},
		{"/likely?site=www0.example", []string{"7 of 8", "Not tested: too few pairs of pages to decide (17)", "7 of 10 needed", "Tested: not confirmed (17)", "Tested: testing again (16)", "3 pairs"}},
		{"/inputs", []string{"/var/log/access.log", "combined", "50 of 90", "40 bytes, 3s", "1.0 %", "line", "malformed"}},
		{"/left", []string{"robots.txt forbids the URL", "/private", "older than the window", "of", "/reset", "www0.example3117", "not in the format of their file"}},
		{"/export?site=www0.example", []string{"128 of 130 rules, as far as the 7 URLs of the log need them", "Save it as /etc/nginx/conf.d/dustbuster.conf", "# of nginx, false", "Left out", "write /a0/… as /b/…: it is odd", "The file alone", "are not rewritten"}},
		{"/export?site=www0.example&format=caddy&redirect=yes", []string{"# of caddy, true", "Caddyfile", "as far as 7 of the 9,000 URLs of the log need them"}},
		{"/export?site=www0.example&format=nutch&redirect=yes", []string{"# of nutch, false", "for any URL"}},
		{"/export?site=www0.example&format=dud", []string{"This format can express none of the rules", "Left out"}},
		{"/export?site=www0.example&format=heritrix", []string{"The file is too long for this page", "The file alone"}},
		{"/export?site=www0.example&format=clearurls", []string{"cannot be made"}},
		{"/export?site=www1.example", []string{"No rule is published yet"}},
		{"/try?url=http%3A%2F%2Fwww0.example%2Fa0%2F1%3Fp1%3D2", []string{"http://www0.example/b/1", "ignore the parameter p1", "http://www0.example/b/1?p1=2", "confirmed 1970-01-01"}},
		{"/try?url=%2Fa0%2F1&site=www0.example", []string{"/b/1"}},
		{"/try?url=http%3A%2F%2Fother.example%2F", []string{"No request for the host other.example has been seen"}},
		{"/try?url=http%3A%2F%2Fwww119.example%2F", []string{"It stays as it is"}},
		{"/try?url=no+URL+at+all", []string{"This is no URL"}},
		{"/try?url=mailto%3A%2F%2Fann", []string{"This is no URL"}},
		{"/try?url=%2Fa0%2F1", []string{"No request for the host site.invalid has been seen"}},
		{"/try?url=http%3A%2F%2Fwww0.example%2Fz", []string{"It stays as it is: no rule of www0.example changes it"}},
		{"/group", []string{"member", "0, 1", "20", "this one", "brokers"}},
	} {
		w := get(t, h, c.address)
		_, text := shape(t, w.Body.String())
		for _, s := range c.want {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), s) {
				t.Errorf("%s does not show %q:\n%s", c.address, s, strings.Join(strings.Fields(text), " "))
			}
		}
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d", c.address, w.Code)
		}
		if back := `name="back" value="site"><button class="first" name="do" value="approve">Approve`; strings.HasPrefix(c.address, "/site?site=www0") && !strings.Contains(w.Body.String(), back) {
			t.Errorf("%s: to approve leads to another page", c.address)
		}
	}
	for _, c := range []struct {
		address string
		code    int
	}{{"/site?site=unknown", http.StatusNotFound}, {"/site?site=elsewhere", http.StatusMisdirectedRequest}, {"/nothing", http.StatusNotFound}} {
		if w := get(t, h, c.address); w.Code != c.code {
			t.Errorf("%s: %d, want %d", c.address, w.Code, c.code)
		}
	}
	alone := newWorld(1, 1, plain)
	alone.look.Group = ""
	if w := get(t, serve(alone), "/group"); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), `href="group"`) {
		t.Errorf("a group of one: %d", w.Code)
	}
}

// post returns the answer to a form.
func post(h http.Handler, form string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/act", strings.NewReader(form))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// Each button does one thing, and leads back to its page, which says so.
func TestAct(t *testing.T) {
	w := newWorld(3, 3, plain)
	h := serve(w)
	for _, c := range []struct{ form, did, to string }{
		{"do=approve&site=a&mark=m", "decide a {Mark:m ID: Reject:false}", "./?done=approve"},
		{"do=approve&site=a%26b&mark=m&back=site", "decide a&b {Mark:m ID: Reject:false}", "site?done=approve&site=a%26b"},
		{"do=approve&site=a&mark=m&id=r&back=site", "decide a {Mark:m ID:r Reject:false}", "site?done=approve&site=a"},
		{"do=reject&site=a&mark=m&id=r&back=site", "decide a {Mark:m ID:r Reject:true}", "site?done=reject&site=a"},
		{"do=recheck&site=a&id=r&back=rules", "recheck a r", "rules?done=recheck&site=a"},
		{"do=look&site=a&id=r&pair=2&back=pairs", "look a r 2", "pairs?done=look&id=r&site=a"},
		{"do=recheck&site=a&back=site", "recheck a ", "site?done=recheck&site=a"},
		{"do=veto&site=a&id=r&back=rules", "wish a {Veto:r Text: Pin: PinText: Prefer:[] Ours:false Allow: Drop:<nil> Undo:false}", "rules?done=veto&site=a"},
		{"do=unveto&site=a&id=r&back=site", "wish a {Veto:r Text: Pin: PinText: Prefer:[] Ours:false Allow: Drop:<nil> Undo:true}", "site?done=unveto&site=a"},
		{"do=pin&site=&id=r&back=rules", "wish  {Veto: Text: Pin:r PinText: Prefer:[] Ours:false Allow: Drop:<nil> Undo:false}", "rules?done=pin&site="},
		{"do=unpin&site=a&id=r&back=rules", "wish a {Veto: Text: Pin:r PinText: Prefer:[] Ours:false Allow: Drop:<nil> Undo:true}", "rules?done=unpin&site=a"},
		{"do=veto&site=a&param=sid&back=site", "wish a {Veto: Text:sid Pin: PinText: Prefer:[] Ours:false Allow: Drop:<nil> Undo:false}", "site?done=veto&site=a"},
		{"do=unveto&site=a&param=sid&back=site", "wish a {Veto: Text:sid Pin: PinText: Prefer:[] Ours:false Allow: Drop:<nil> Undo:true}", "site?done=unveto&site=a"},
		{"do=pin&site=a&param=sid&back=site", "wish a {Veto: Text: Pin: PinText:sid Prefer:[] Ours:false Allow: Drop:<nil> Undo:false}", "site?done=pin&site=a"},
		{"do=prefer&site=a&side=/s/&back=site", "wish a {Veto: Text: Pin: PinText: Prefer:[/s/] Ours:false Allow: Drop:<nil> Undo:false}", "site?done=prefer&site=a"},
		{"do=unprefer&site=a&side=/s/&back=site", "wish a {Veto: Text: Pin: PinText: Prefer:[/s/] Ours:false Allow: Drop:<nil> Undo:true}", "site?done=unprefer&site=a"},
		{"do=ours&site=a&back=site", "wish a {Veto: Text: Pin: PinText: Prefer:[] Ours:true Allow: Drop:<nil> Undo:false}", "site?done=ours&site=a"},
		{"do=unours&site=a&back=site", "wish a {Veto: Text: Pin: PinText: Prefer:[] Ours:true Allow: Drop:<nil> Undo:true}", "site?done=unours&site=a"},
		{"do=allow&site=a&param=ref&back=site", "wish a {Veto: Text: Pin: PinText: Prefer:[] Ours:false Allow:ref Drop:<nil> Undo:false}", "site?done=allow&site=a"},
		{"do=unused&site=a&file=nginx+redirect&back=site", "drop a {Format:nginx Redirect:true At:0 Marks:[]} true", "site?done=unused&site=a"},
		{"do=unused&site=a&file=apache&back=site", "drop a {Format:apache Redirect:false At:0 Marks:[]} true", "site?done=unused&site=a"},
		{"do=unallow&site=a&param=v%3Dprint&back=site", "wish a {Veto: Text: Pin: PinText: Prefer:[] Ours:false Allow:v=print Drop:<nil> Undo:true}", "site?done=unallow&site=a"},
	} {
		w.done = nil
		got := post(h, c.form)
		if got.Code != http.StatusSeeOther || got.Header().Get("Location") != c.to || !slices.Equal(w.done, []string{c.did}) {
			t.Errorf("%s: %d, %q, did %q", c.form, got.Code, got.Header().Get("Location"), w.done)
		}
	}
	for name, act := range acts {
		if act.said == "" || !strings.Contains(get(t, h, "/?done="+name).Body.String(), act.said) {
			t.Errorf("nothing is said after %s", name)
		}
	}
	for _, c := range []struct {
		form string
		code int
	}{
		{"", 400}, {"do=x&site=a", 400}, {"do=veto", 400}, {"do=veto&site=a", 400}, {"do=prefer&site=a&side=", 400}, {"do=veto&site=a&id=r&back=//evil", 400}, {"do=%zz", 400},
		{"do=approve&site=a&mark=old", 409}, {"do=reject&site=a&mark=m&id=q", 404}, {"do=approve&site=a", 404}, {"do=veto&site=a&id=site", 404}, {"do=veto&site=a&id=rule", 404},
		{"do=veto&site=a&id=settings", 400}, {"do=veto&site=a&id=many", 400}, {"do=veto&site=a&id=text", 400}, {"do=veto&site=elsewhere&id=r", 421},
		{"do=veto&site=a&id=" + strings.Repeat("x", maxForm), 413},
	} {
		if got := post(h, c.form); got.Code != c.code || got.Header().Get("Content-Security-Policy") != policy {
			t.Errorf("%.60s: %d, want %d", c.form, got.Code, c.code)
		}
	}
}

// A reader without the role of operators gets the same pages without buttons, also if an operator
// has just asked for the page.
func TestReadersHaveNoButtons(t *testing.T) {
	mux := pages(newWorld(9, 5, plain))
	ask := func(address string, roles admin.Role) string {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil).WithContext(admin.As(t.Context(), roles)))
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d", address, w.Code)
		}
		return w.Body.String()
	}
	buttons := 0
	for _, address := range addresses("www0.example") {
		operated := ask(address, admin.Read|admin.Operate)
		buttons += strings.Count(operated, `method="post"`)
		if read := ask(address, admin.Read); strings.Contains(read, `method="post"`) || strings.Contains(read, `"buttons"`) || !strings.Contains(read, "<h1") {
			t.Errorf("%s for readers:\n%s", address, read)
		} else if _, text := shape(t, read); strings.Contains(text, "Take back") {
			t.Errorf("%s for readers:\n%s", address, text)
		}
	}
	if buttons < 50 {
		t.Errorf("%d buttons for operators", buttons)
	}
}

// Within a second the daemon is looked at once, and a page is made once. A reader that has the
// page is told so.
func TestPagesAreMadeOnce(t *testing.T) {
	w := newWorld(9, 3, plain)
	h := serve(w)
	begun := time.Now()
	first := get(t, h, "/")
	for i := range 20 {
		get(t, h, "/")
		get(t, h, fmt.Sprintf("/?q=%d", i))
	}
	if n := w.looks.Load(); time.Since(begun) < age && n != 1 {
		t.Errorf("%d looks", n)
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("If-None-Match", first.Header().Get("ETag"))
	again := httptest.NewRecorder()
	if h.ServeHTTP(again, r); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
		t.Errorf("%d, %d bytes", again.Code, again.Body.Len())
	}
	for _, name := range []string{styleName, scriptName} {
		if w := get(t, h, "/"+name); w.Code != http.StatusOK || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") || w.Body.Len() == 0 {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
}

// An act is seen at once, not after the second of the pages.
func TestActIsSeen(t *testing.T) {
	w := newWorld(2, 1, plain)
	h := serve(w)
	get(t, h, "/")
	w.look = newWorld(3, 1, plain).look
	post(h, "do=recheck&site=a")
	if !strings.Contains(get(t, h, "/").Body.String(), "www2.example") {
		t.Error("the page is of before")
	}
}

// The first rows are those of all rows, sorted.
func TestFirst(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 0))
		rows := make([]row, random.IntN(40))
		for i := range rows {
			rows[i] = row{Name: fmt.Sprint(i), URLs: random.IntN(4)}
		}
		all := make([]*row, len(rows))
		for at, i := range random.Perm(len(rows)) {
			all[at] = &rows[i]
		}
		n := 1 + random.IntN(12)
		want := slices.Clone(all)
		slices.SortFunc(want, sorts["site"])
		slices.SortStableFunc(want, sorts["urls"])
		if got := first(all, n, sorts["urls"]); !slices.Equal(got, want[:min(n, len(want))]) {
			t.Fatalf("seed %d: the first %d of %d rows differ", seed, n, len(want))
		}
	}
}

var manySites = flag.Int("many-sites", 100_000, "sites of BenchmarkOverview")

// BenchmarkOverview makes the first page of many sites anew: the look's table and the page.
func BenchmarkOverview(b *testing.B) {
	d := New(newWorld(*manySites, 1_000, plain))
	user, system := expect.CPUTime(b)
	for b.Loop() {
		d.looks.forget()
		get(b, d.Handlers()["GET /{$}"], "/")
	}
	userNow, systemNow := expect.CPUTime(b)
	b.ReportMetric((userNow-user+systemNow-system).Seconds()*1e3/float64(b.N), "cpu-ms/op")
}

// BenchmarkReader shows the first page of 10,000 sites to one more reader.
func BenchmarkReader(b *testing.B) {
	h := New(newWorld(10_000, 1_000, plain)).Handlers()["GET /{$}"]
	for b.Loop() {
		get(b, h, "/")
	}
}

// After a start the share of merged URLs is not known, which is not a share of 0.
func TestMergedIsNotKnownYet(t *testing.T) {
	w := newWorld(3, 3, plain)
	before := get(t, serve(w), "/site?site=www0.example").Body.String()
	w.look.Trials.Sites = nil
	h := serve(w)
	for _, address := range []string{"/", "/site?site=www0.example"} {
		if body := get(t, h, address).Body.String(); !strings.Contains(body, "<dd>–<small>of the URLs") || strings.Contains(before, "<dd>–<small>of the URLs") {
			t.Errorf("%s tells a share:\n%s", address, body)
		}
	}
}

func TestFormatIsNotKnownYet(t *testing.T) {
	for _, c := range []struct {
		offset int64
		want   string
	}{{-1, "not known yet"}, {0, "not known yet"}, {50, "known after the next line"}} {
		w := newWorld(1, 1, plain)
		w.look.Inputs[0].Format, w.look.Inputs[0].Offset = "", c.offset
		if body := get(t, serve(w), "/inputs").Body.String(); !strings.Contains(body, "<dd>"+c.want+"</dd>") {
			t.Errorf("at offset %d the page does not say %q:\n%s", c.offset, c.want, body)
		}
	}
}

// The pages say how many suggested rules are hidden, and why, and which share of the URLs is set beyond which rules
// wait for an operator.
func TestWhatIsNotOut(t *testing.T) {
	w := newWorld(9, 5, plain)
	look := w.Look()
	for _, c := range []struct {
		share float64
		want  string
	}{{0.5, "A rule that would change more than 50 % of the URLs waits for your approval (hold_share: 0.5)"}, {1, "No rule waits for your approval, however many URLs it changes (hold_share: 1)"}, {0, ""}} {
		look.HoldShare = c.share
		for _, address := range []string{"/", "/rules?site=www0.example"} {
			_, text := shape(t, get(t, serve(w), address).Body.String())
			if text = strings.ReplaceAll(text, "\u00a0", " "); !strings.Contains(text, c.want) || c.want == "" && strings.Contains(text, "hold_share") {
				t.Errorf("%s does not say %q:\n%s", address, c.want, text)
			}
		}
	}
	for _, address := range []string{"/site?site=www0.example", "/likely?site=www0.example"} {
		_, text := shape(t, get(t, serve(w), address).Body.String())
		if want := "48 rules hidden for privacy: 31 look like secrets, 17 come from a single visitor"; !strings.Contains(text, want) {
			t.Errorf("%s does not say %q:\n%s", address, want, text)
		}
	}
}

// A suggested rule that waits has no test for the reason of its site, if the site is idle. Rules of one reason are one
// group.
func TestBecame(t *testing.T) {
	kept := lifecycle.Now{Why: lifecycle.Kept}
	for _, c := range []struct {
		title, has string
		rule       lifecycle.LikelyRule
		now        lifecycle.Now
	}{
		{"Not tested: waits for its turn", "", lifecycle.LikelyRule{Untried: forms.Waits}, lifecycle.Now{Why: lifecycle.Trying}},
		{"Not tested: waits for its turn: " + kept.Words(), "", lifecycle.LikelyRule{Untried: forms.Waits}, kept},
		{"Not tested: vetoed", "", lifecycle.LikelyRule{Untried: forms.Vetoed}, kept},
		{"Not tested: too few pairs of pages to decide", "7 of 10 needed", lifecycle.LikelyRule{Untried: forms.FewPairs, Number: 7, Needed: 10}, kept},
		{"Tested: confirmed", "", lifecycle.LikelyRule{Trial: &book.Entry{State: rule.Valid}}, kept},
	} {
		t.Run(c.title, func(t *testing.T) {
			var row likelyRow
			if title := row.became(&c.rule, &c.now); title != c.title || row.Has != c.has {
				t.Errorf("got %q, %q", title, row.Has)
			}
		})
	}
}

// The page of a site shows its waste by day, if it is known of two days.
func TestDays(t *testing.T) {
	w := newWorld(2, 5, plain)
	body := get(t, serve(w), "/site?site=www0.example").Body.String()
	for _, want := range []string{"Duplicates fell: last week", "100 on the busiest day", "<title>2024-11-06: 100 URLs, 40 duplicates; 2 rules added</title>", `<rect class="fill-accent"`, `<th scope="row">2024-11-12</th>`, "2 rules added</td>"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q:\n%s", want, body)
		}
	}
	one, _ := waste.Curve{}.With(waste.Day{Date: 1, Crawlers: waste.Figure{Fetched: 9, Pages: 9}})
	w.look.Loop.Sites[1].Curve = one
	if body := get(t, serve(w), "/site?site=www1.example").Body.String(); strings.Contains(body, "by day") {
		t.Errorf("the page shows a single day:\n%s", body)
	}
}

// The first line is what duplicates cost the crawlers of all sites, and of a site on its page.
func TestWaste(t *testing.T) {
	w := newWorld(9, 5, plain)
	for _, c := range []struct{ address, want string }{
		{"/", "Search engines and bots fetched 90 URLs but saw only 63 different pages. 30 % of the URLs (27, 81 kB) were duplicates; Googlebot fetched all of them. Counted by 9 confirmed rules."},
		{"/site?site=www0.example", "Search engines and bots fetched 10 URLs but saw only 7 different pages. 30 % of the URLs (3, 9 kB) were duplicates; Googlebot fetched all of them. Counted by 1 confirmed rule."},
	} {
		body := get(t, serve(w), c.address).Body.String()
		if !strings.Contains(body, `<p class="lead">`+c.want+"</p>") || !strings.Contains(body, "<td>Googlebot</td>") {
			t.Errorf("%s does not say %q:\n%s", c.address, c.want, body)
		}
	}
	for i := range w.look.Loop.Sites {
		w.look.Loop.Sites[i].Waste = nil
	}
	if body := get(t, serve(w), "/").Body.String(); strings.Contains(body, "Search engines and bots") {
		t.Errorf("the page tells waste that is not known:\n%s", body)
	}
}
