package integration

import (
	"bufio"
	"flag"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"dustbuster/operators/rule"
	"dustbuster/sinks/export"
)

var exportCosts = flag.Bool("export-costs", false, "measure what a request costs a server with an export, for docs/exports.md")

// costly is a list of six usual rules.
func costly() []rule.Rule {
	return []rule.Rule{
		{Edit: rule.Drop{Param: "utm_source"}},
		{Edit: rule.Drop{Param: "sid"}},
		{Edit: rule.Set{Param: "lang", Value: "en"}},
		{Edit: rule.Substring{From: "/index.html", To: "/", AtEnd: true}},
		{Edit: rule.Substring{From: "/story_", To: "/story/"}},
		{Edit: rule.Syntax{Form: rule.Slashes}},
	}
}

// dear are requests that cost much in some engine, of a length in bytes.
func dear(length int) map[string]string {
	targets := map[string]string{}
	for _, unit := range []string{"&", ";", "a&", "=&", "sid&k&", "lang&", "utm_source=1&utm_sourc&", "sid=&", "/", "/_", "story_", "index.html/", "%"} {
		start := "/?"
		if strings.ContainsAny(unit, "/_%") && !strings.Contains(unit, "&") {
			start = "/"
		}
		targets[unit] = (start + strings.Repeat(unit, length/len(unit)+1))[:length]
	}
	return targets
}

// TestExportCosts: each server answers the dearest requests, without an export, and with one that was made without and with
// URLs. With -export-costs it measures them: times are medians over a connection that stays.
func TestExportCosts(t *testing.T) {
	t.Parallel()
	sites := []export.Site{{Host: "a.test", Rules: costly()}}
	list := write(t, "rules.jsonl", published(t, sites))
	urls := write(t, "urls.txt", []byte("http://a.test/index.html?sid=1&utm_source=x\nhttp://a.test/story_1?lang=de\nhttp://a.test//a\n"))
	starts := map[string]func(t *testing.T, file string) string{"varnish": exportVarnish}
	for format, start := range exportServers {
		starts[format] = start
	}
	for format, start := range starts {
		none := write(t, "none", []byte("# none\n"))
		switch format {
		case "caddy":
			none = write(t, "none", []byte("header X-None none\n"))
		case "varnish":
			none = write(t, "none", []byte("sub vcl_recv {}\n"))
		}
		whole, _ := runExport(t, format, "--rules", list)
		made, _ := runExport(t, format, "--rules", list, "--urls", urls)
		for _, c := range []struct{ what, file string }{{"none", none}, {"without --urls", whole}, {"with --urls", made}} {
			address := start(t, c.file)
			t.Logf("%-8s %-15s plain %v", format, c.what, took(t, address, "/articles/2026/11/a-title-of-some-words?page=2&sort=new"))
			for _, length := range []int{rule.MaxBytes, 7900} {
				dearest, by := time.Duration(0), ""
				for unit, target := range dear(length) {
					if d := took(t, address, target); d > dearest {
						dearest, by = d, unit
					}
				}
				t.Logf("%-8s %-15s %d bytes: dearest %v, of %q; %v of &", format, c.what, length, dearest, by, took(t, address, dear(length)["&"]))
			}
		}
	}
}

// took returns the median time of a request.
func took(t *testing.T, address, target string) time.Duration {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	must(t, err)
	defer conn.Close()
	in := bufio.NewReader(conn)
	var all []time.Duration
	times := 1
	if *exportCosts {
		times = 21
	}
	for range times {
		start := time.Now()
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: a.test\r\n\r\n", target)
		answer, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Errorf("%.40s: %v", target, err)
			return 0
		}
		_, err = answer.Body.Read(make([]byte, 1<<16))
		_ = err // the body is short
		answer.Body.Close()
		all = append(all, time.Since(start))
		if answer.Close {
			conn.Close()
			conn, err = net.Dial("tcp", address)
			must(t, err)
			in.Reset(conn)
		}
	}
	slices.Sort(all)
	return all[len(all)/2].Round(time.Microsecond)
}
