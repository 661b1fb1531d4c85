package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"dustbuster/operators/rule"
)

// vhosts is the log of a shop with a forged host: many clients ask for the shop, and four networks for a bank.
func vhosts(shops, banks int) string {
	var b strings.Builder
	line := func(host string, client, page int, target string) {
		fmt.Fprintf(&b, "%s:80 198.18.%d.1 - - [17/May/2015:10:05:03 +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n", host, client, target, size(page))
	}
	for i := range 40 {
		for client := range 4 {
			for _, target := range []string{"/p%d", "/p%d?sid=7", "/p%d?sid=8"} {
				for range shops {
					line("www.shop.example", 10+client+i%20, i, fmt.Sprintf(target, i))
				}
				for range banks {
					line("www.bank.example", 100+client, i, fmt.Sprintf(target, i))
				}
			}
		}
	}
	return b.String()
}

// asking counts requests by host.
type asking struct {
	mu    sync.Mutex
	hosts map[string][]string // targets
}

func (a *asking) note(r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.hosts == nil {
		a.hosts = map[string][]string{}
	}
	a.hosts[r.Host] = append(a.hosts[r.Host], r.RequestURI)
}

// bank returns the different pages that were asked for under the bank's name.
func (a *asking) bank() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(a.hosts["www.bank.example"])))
}

func echoing(w http.ResponseWriter, r *http.Request) { writePage(w, "of "+r.Host+" "+r.URL.Path) }

// only serves some hosts, each with pages of its own.
func only(hosts ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !slices.Contains(hosts, r.Host) {
			http.Error(w, "no such host", http.StatusMisdirectedRequest)
			return
		}
		writePage(w, r.Host+" "+r.URL.Path)
	}
}

// sitesOf returns the sites of a list of rules.
func sitesOf(t *testing.T, list []byte) (sites []string) {
	t.Helper()
	for line := range strings.Lines(string(list)) {
		var r rule.Record
		must(t, json.Unmarshal([]byte(line), &r))
		sites = append(sites, r.Site)
	}
	return slices.Compact(slices.Sorted(slices.Values(sites)))
}

// A forged host is neither asked for pages nor published for, whatever the server answers. Hosts that the server has, and
// those that the settings name, are.
func TestForgedHost(t *testing.T) {
	t.Parallel()
	const shop, bank = "www.shop.example", "www.bank.example"
	for _, c := range []struct {
		name         string
		shops, banks int
		serve        http.HandlerFunc
		args         []string
		sites        string // with rules
		pages        int    // most pages asked for under the bank's name
		says         string
	}{
		{"the server echoes the host", 12, 1, echoing, nil, shop, 1, "is this site yours? " + bank},
		{"half of the lines, and the server echoes", 1, 1, echoing, nil, "", 1, "are these sites yours? " + bank + ", " + shop},
		{"the server has one host", 1, 1, only(shop), nil, shop, 1, "a page of the log"},
		{"the server has both hosts", 1, 1, only(shop, bank), nil, bank + " " + shop, 200, ""},
		{"hosts are named", 1, 1, echoing, []string{"--hosts", shop}, shop, 0, ""},
		{"a site has an origin", 1, 1, echoing, []string{"--site-origin", shop + "=ORIGIN"}, shop, 1, "is this site yours? " + bank},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			asked := &asking{}
			origin := site(t, func(w http.ResponseWriter, r *http.Request) {
				asked.note(r)
				c.serve(w, r)
			})
			path := newFile(t, "access.log", vhosts(c.shops, c.banks))
			args := []string{"validate", "--origin", origin, "--fetch-delay", "0", "--fetch-kinds", "any", "-o", "json", path}
			for _, arg := range c.args {
				args = append(args, strings.Replace(arg, "ORIGIN", origin, 1))
			}
			code, out, errs := program(t.Context(), args...)
			if got := strings.Join(sitesOf(t, out.Bytes()), " "); got != c.sites || (code == 0) != (c.sites != "") || !strings.Contains(errs.String(), c.says) {
				t.Errorf("ended with %d; rules of %q, want %q\n%s", code, got, c.sites, errs)
			}
			if pages := asked.bank(); len(pages) > c.pages {
				t.Errorf("under the bank's name %q were asked for", pages)
			}
		})
	}
}

// The daemon asks whose a site is, and tries its rules once it is approved. Taken back, it withdraws them.
func TestDaemonAsksWhose(t *testing.T) {
	t.Parallel()
	asked := &asking{}
	origin := site(t, func(w http.ResponseWriter, r *http.Request) {
		asked.note(r)
		echoing(w, r)
	})
	dir := t.TempDir()
	path, state := newFile(t, "access.log", vhosts(1, 1)), filepath.Join(dir, "state")
	_, stderr := inside(t, nil, "--tail", path, "--state", state, "--window", "0", "--refine-interval", "100ms", "--no-withhold", "--log-format", "json",
		"--admin-listen", "127.0.0.1:0", "--fetch-kinds", "any", "--origin", origin, "--fetch-delay", "1ms", "--fetch-rate", "0", "--fetch-budget", "0", "--hold-share", "1")
	address := "http://" + stderr.address(t)
	stderr.awaits(t, "is this site yours?", `"site":"www.shop.example"`, `"site":"www.bank.example"`, `"apart":false`)
	until(t, "the question", func() (string, bool) {
		_, out, _ := program(t.Context(), "status", "--address", address)
		return out.String(), hasAll(out.String(), []string{"is www.bank.example yours?", "is www.shop.example yours?", "/api/v1/sites"})
	})
	decide := func(method string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, address+"/api/v1/sites", strings.NewReader(`{"site": "www.shop.example"}`))
		must(t, err)
		got, err := http.DefaultClient.Do(r)
		must(t, err)
		must(t, got.Body.Close())
		if got.StatusCode != http.StatusAccepted {
			t.Fatalf("%s: %s", method, got.Status)
		}
	}
	list := func() []byte {
		text, _ := os.ReadFile(filepath.Join(state, "rules.jsonl"))
		return text
	}
	if len(list()) > 0 {
		t.Errorf("published %s", list())
	}
	decide(http.MethodPost)
	until(t, "rules", func() (string, bool) {
		return string(list()), slices.Equal(sitesOf(t, list()), []string{"www.shop.example"})
	}, stderr)
	if pages := asked.bank(); len(pages) > 1 {
		t.Errorf("under the bank's name %q were asked for", pages)
	}
	decide(http.MethodDelete)
	until(t, "no rules", func() (string, bool) { return string(list()), len(list()) == 0 }, stderr)
}
