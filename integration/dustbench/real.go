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

	"golang.org/x/net/html"
)

// realSite is an application that a script of sites sets up.
type realSite struct {
	start  string         // the path that a crawl begins with
	action *regexp.Regexp // URLs that change something, lock a page, or lead to a login
	port   string
	most   int // URLs crawled
}

// noAction is for sites on which nothing changes anything.
var noAction = regexp.MustCompile(`$^`)

var realSites = map[string]realSite{
	"gitweb":   {"/gitweb", noAction, "8094", 1500},
	"dokuwiki": {"/doku.php", regexp.MustCompile(`[?&]do=(edit|draft|draftdel|save|subscribe|revert|log(in|out)|register|resendpwd|profile|admin)|/lib/exe/(ajax|xmlrpc|taskrunner)`), "8091", 3000},
}

// fetched is what a crawl keeps of a URL.
type fetched struct {
	URL    string
	Text   string // empty of what is no page, or differs from request to request
	Size   int
	Action bool
}

// openReal sets an application up, unless it is there, crawls it, unless it was crawled, and makes a log of visits
// to what the crawl has found.
func openReal(name string) (*site, error) {
	of, known := realSites[name]
	if !known {
		return nil, fmt.Errorf("no site %q: it is shop, dokuwiki or gitweb", name)
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
	all, err := of.crawl(origin, filepath.Join(dir, "crawl.json"))
	if err != nil {
		stop()
		return nil, err
	}
	s := &site{known: truth{}, stop: stop}
	var list bytes.Buffer
	for _, f := range all {
		if f.Text != "" && !f.Action {
			s.known[f.URL] = f.Text
			list.WriteString(f.URL + "\n")
		}
	}
	s.list, s.log = list.Bytes(), visited(all)
	var actions atomic.Int64
	target, err := url.Parse(origin)
	if err != nil {
		return nil, err
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if of.action.MatchString(r.URL.RequestURI()) {
			actions.Add(1)
			fmt.Fprintln(os.Stderr, "dustbench: an action was asked for:", r.URL.RequestURI())
		}
		proxy.ServeHTTP(w, r)
	})
	s.forbidden = func() (int, int) { return int(actions.Load()), 0 }
	return s, nil
}

// crawl follows all links but actions, and then fetches each URL again: what differs has no text. Actions are
// fetched at the end, for the log alone. What was crawled is kept in a file.
func (of *realSite) crawl(origin, file string) ([]fetched, error) {
	if kept, err := os.ReadFile(file); err == nil {
		var all []fetched
		return all, json.Unmarshal(kept, &all)
	}
	queue, seen := []string{of.start}, map[string]bool{of.start: true}
	var all, actions []fetched
	for i := 0; i < len(queue) && len(all) < of.most; i++ {
		got, err := ask(origin, queue[i])
		if err != nil {
			return nil, err
		}
		if got.status != http.StatusOK {
			continue
		}
		all = append(all, fetched{URL: queue[i], Text: got.text(), Size: len(got.body)})
		for _, link := range got.links(origin + queue[i]) {
			switch {
			case seen[link]:
				continue
			case of.action.MatchString(link):
				actions = append(actions, fetched{URL: link, Action: true})
			default:
				queue = append(queue, link)
			}
			seen[link] = true
		}
	}
	for i := range all {
		got, err := ask(origin, all[i].URL)
		if err != nil {
			return nil, err
		}
		if !strings.HasPrefix(got.kind, "text/html") || got.text() != all[i].Text {
			all[i].Text = ""
		}
	}
	for i := range actions[:min(len(actions), of.most/10)] {
		got, err := ask(origin, actions[i].URL)
		if err != nil {
			return nil, err
		}
		actions[i].Size = len(got.body)
		all = append(all, actions[i])
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("crawl %s%s: no page is answered with 200", origin, of.start)
	}
	kept, err := json.Marshal(all)
	return all, errors.Join(err, os.WriteFile(file, kept, 0o600))
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
