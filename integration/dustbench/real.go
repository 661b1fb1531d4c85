package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/html"
)

// realSite is an application that a script of sites sets up.
type realSite struct {
	start  string         // the path that a crawl begins with
	action *regexp.Regexp // URLs that change something or lock a page
	login  *regexp.Regexp // forms of login and registration: not crawled, but they may be asked for
	port   string
	most   int  // URLs crawled
	shared bool // some pages are asked for with click ids as well
}

// none matches no URL.
var none = regexp.MustCompile(`$^`)

var realSites = map[string]realSite{
	"gitweb":    {"/gitweb", none, none, "18294", 1500, false},
	"manuals":   {"/", none, none, "18292", 1500, false},
	"dokuwiki":  {"/doku.php", regexp.MustCompile(`[?&]do=(edit|draft|draftdel|save|subscribe|revert|logout|profile|admin)|/lib/exe/(ajax|xmlrpc|taskrunner)`), regexp.MustCompile(`[?&]do=(login|register|resendpwd)`), "18291", 3000, false},
	"mediawiki": {"/index.php/Main_Page", regexp.MustCompile(`[?&]action=(edit|submit|delete|purge|protect|rollback|revert|watch|unwatch|markpatrolled)|[?&]undo=|Special:(UserLogout|Upload|EmailUser|ChangeEmail|ChangePassword|Random|Search)`), regexp.MustCompile(`Special:(UserLogin|CreateAccount|PasswordReset)`), "18293", 1000, false},
	"wordpress": {"/", regexp.MustCompile(`^/wp-(login|admin|comments-post|cron|signup)|^/xmlrpc`), none, "18295", 1500, true},
}

// fetched is what a crawl keeps of a URL.
type fetched struct {
	URL    string
	Text   string // empty of what is no page, or differs much from request to request
	Size   int
	Action bool // or a login
}

// openReal sets an application up, unless it is there, crawls it, unless it was crawled, and makes a log of visits
// to what the crawl has found.
func openReal(name string) (*site, error) {
	of, known := realSites[name]
	if !known {
		return nil, fmt.Errorf("no site %q: it is shop, manuals, gitweb, dokuwiki, mediawiki or wordpress", name)
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cmp.Or(os.Getenv("DUSTBENCH_DIR"), os.TempDir()), "dustbench-"+name)
	script := func(words ...string) error {
		cmd := exec.Command("sh", append([]string{filepath.Join(cmp.Or(os.Getenv("DUSTBENCH_SITES"), "integration/dustbench/sites"), name+".sh")}, words...)...)
		cmd.Env = append(os.Environ(), "D="+dir, "PORT="+of.port, "DUSTBENCH="+program)
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		return cmd.Run()
	}
	if err := script(); err != nil {
		return nil, fmt.Errorf("set up %s: %w", name, err)
	}
	stop := func() { _ = script("stop") }
	origin := "http://127.0.0.1:" + of.port
	all, err := of.crawl(origin, filepath.Join(dir, "texts.json"))
	if err != nil {
		stop()
		return nil, err
	}
	s := &site{known: truth{}, stop: stop}
	order := rand.New(rand.NewPCG(31, 37)) // visitors do not come in the order of the crawl
	order.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var list bytes.Buffer
	for _, f := range all {
		if f.Text != "" && !f.Action {
			s.known[f.URL] = f.Text
			list.WriteString(f.URL + "\n")
		}
	}
	s.list, s.log = list.Bytes(), visited(all)
	site, actions, err := of.proxied(origin)
	if err != nil {
		stop()
		return nil, err
	}
	s.Handler = site
	s.forbidden = func() (int, int) { return int(actions.Load()), 0 }
	return s, nil
}

// proxied is a site as its entries see it. It counts the actions that are asked for. Redirects stay on this side.
func (of *realSite) proxied(origin string) (http.Handler, *atomic.Int64, error) {
	target, err := url.Parse(origin)
	if err != nil {
		return nil, nil, err
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)                       // with the site's own host, which it may check
			r.Out.URL.RawQuery = r.In.URL.RawQuery // the proxy would leave out pieces with a semicolon
		},
		ModifyResponse: func(r *http.Response) error {
			if to, found := strings.CutPrefix(r.Header.Get("Location"), origin); found {
				r.Header.Set("Location", to)
			}
			return nil
		},
	}
	actions := new(atomic.Int64)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if of.action.MatchString(r.URL.RequestURI()) {
			actions.Add(1)
			fmt.Fprintln(os.Stderr, "dustbench: an action was asked for:", r.URL.RequestURI())
		}
		proxy.ServeHTTP(w, r)
	}), actions, nil
}

// apart is the time between two requests of a URL: clocks show another minute.
const apart = time.Minute

// crawl follows all links but actions and logins, and then fetches each URL again, since what differs is no text. Those are
// fetched at the end, for the log alone. What was crawled is kept in a file.
func (of *realSite) crawl(origin, file string) ([]fetched, error) {
	if kept, err := os.ReadFile(file); err == nil {
		var all []fetched
		return all, json.Unmarshal(kept, &all)
	}
	began := time.Now()
	all, actions, err := of.follow(origin)
	if err != nil {
		return nil, err
	}
	time.Sleep(apart - time.Since(began))
	for i := range all {
		got, err := ask(origin, all[i].URL)
		if err != nil {
			return nil, err
		}
		all[i].Text = steady(all[i].Text, got.shown(all[i].URL))
		if !strings.HasPrefix(got.kind, "text/html") {
			all[i].Text = ""
		}
	}
	for _, u := range actions[:min(len(actions), of.most/10)] {
		got, err := ask(origin, u)
		if err != nil {
			return nil, err
		}
		all = append(all, fetched{URL: u, Size: len(got.body), Action: true})
	}
	kept, err := json.Marshal(all)
	return all, errors.Join(err, os.WriteFile(file, kept, 0o600))
}

// follow fetches what links lead to, and what is shared of it. It returns actions and logins apart, and does not fetch them.
func (of *realSite) follow(origin string) (all []fetched, actions []string, err error) {
	queue, seen := []string{of.start}, map[string]bool{of.start: true}
	sharing := of.shared
	for i := 0; i < len(queue) && len(all) < of.most; i++ {
		got, err := ask(origin, queue[i])
		if err != nil {
			return nil, nil, err
		}
		if got.status == http.StatusOK {
			all = append(all, fetched{URL: queue[i], Text: got.shown(queue[i]), Size: len(got.body)})
		}
		for _, link := range got.links(origin + queue[i]) {
			switch {
			case got.status != http.StatusOK || seen[link]:
				continue
			case of.action.MatchString(link), of.login.MatchString(link):
				actions = append(actions, link)
			default:
				queue = append(queue, link)
			}
			seen[link] = true
		}
		if i == len(queue)-1 && sharing {
			sharing = false
			queue = append(queue, shared(queue)...)
		}
	}
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("crawl %s%s: no page is answered with 200", origin, of.start)
	}
	return all, actions, nil
}

// shared are addresses of pages with what others add to them: click ids, and names of campaigns.
func shared(urls []string) (more []string) {
	rng := rand.New(rand.NewPCG(23, 29))
	for _, u := range urls {
		for range rng.IntN(4) {
			mark := "?"
			if strings.Contains(u, "?") {
				mark = "&"
			}
			added := fmt.Sprintf("fbclid=IwAR%x%x", rng.Uint64(), rng.Uint64())
			if rng.IntN(2) == 0 {
				added = "utm_source=" + []string{"news", "forum", "mail"}[rng.IntN(3)] + "&utm_medium=social"
			}
			more = append(more, u+mark+added)
		}
	}
	return more
}

// ask fetches a URL as it is.
func ask(origin, u string) (*answer, error) {
	still := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := still.Get(origin + u)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	return &answer{r.StatusCode, r.Header.Get("Content-Type"), body}, err
}

// links are the paths and queries of the links of a page to its own origin, without fragments.
func (a *answer) links(at string) (all []string) {
	base, err := url.Parse(at)
	if err != nil || !strings.HasPrefix(a.kind, "text/html") {
		return nil
	}
	for z := html.NewTokenizer(bytes.NewReader(a.body)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return all
		case html.StartTagToken:
			t := z.Token()
			i := slices.IndexFunc(t.Attr, func(attr html.Attribute) bool { return attr.Key == "href" })
			if t.Data != "a" || i < 0 {
				continue
			}
			if to, err := base.Parse(t.Attr[i].Val); err == nil && to.Host == base.Host {
				all = append(all, to.RequestURI())
			}
		}
	}
}

// visited is a log of a week, of people and crawlers that visit some URLs more than others.
func visited(all []fetched) []byte {
	rng := rand.New(rand.NewPCG(17, 19))
	var b bytes.Buffer
	for n := range 14_000 {
		f := all[min(rng.IntN(len(all)), rng.IntN(len(all)))]
		if n < len(all) { // each once
			f = all[n]
		}
		fmt.Fprintf(&b, "192.0.2.%d - - [%02d/Nov/2026:%02d:%02d:%02d +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"%s\"\n",
			1+rng.IntN(250), 1+n/2000, n/90%24, n/2%60, n%60, f.URL, f.Size, agents[rng.IntN(len(agents))])
	}
	return b.Bytes()
}
