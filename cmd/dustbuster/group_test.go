package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// One log holds a shop on two hosts and another host. Rules are found between the hosts of
// the group, tried on it, published with its hosts, and applied to it. The other host has
// its own rules.
func TestGroup(t *testing.T) {
	origin := site(t, func(w http.ResponseWriter, r *http.Request) {
		writePage(w, strings.Replace(r.Host, "www.", "", 1)+r.URL.Path)
	})
	var log strings.Builder
	for i := range 40 {
		for _, url := range []string{"www.shop.example:80 %s /p%d", "shop.example:80 %s /p%d", "other.example:80 %s /q%d", "other.example:80 %s /q%d?sid=1", "other.example:80 %s /q%d?sid=2"} {
			host, target, _ := strings.Cut(url, " %s ")
			fmt.Fprintf(&log, "%s 192.0.2.1 - - [17/May/2015:10:05:03 +0000] \"GET "+target+" HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n", host, i, 1000+100*i)
		}
	}
	dir := t.TempDir()
	for _, c := range []struct{ name, text string }{
		{"access.log", log.String()},
		{"urls", "http://www.shop.example/p3\nhttps://shop.example/p3\nhttp://other.example/q1?sid=9\nhttp://m.shop.example/p3\n"},
	} {
		must(t, os.WriteFile(filepath.Join(dir, c.name), []byte(c.text), 0o600))
	}
	var list, errs bytes.Buffer
	if code := run(t.Context(), []string{"validate", "--fetch-kinds", "any", "--group", "the-shop=shop.example www.shop.example", "--hosts", "shop.example,www.shop.example,other.example", "--origin", origin, "--fetch-delay", "0",
		"--output", "json", filepath.Join(dir, "access.log")}, nil, &list, &errs); code != 0 {
		t.Fatalf("ended with %d\n%s", code, &errs)
	}
	for _, want := range []string{`"site":"the-shop"`, `"by_domain":true,"hosts":["shop.example","www.shop.example"]`, `"site":"other.example"`} {
		if !strings.Contains(list.String(), want) {
			t.Errorf("no %s in\n%s%s", want, &list, &errs)
		}
	}
	rules := filepath.Join(dir, "rules.jsonl")
	must(t, os.WriteFile(rules, list.Bytes(), 0o600))
	urls, err := os.Open(filepath.Join(dir, "urls"))
	must(t, err)
	defer urls.Close()
	var forms bytes.Buffer
	if code := run(t.Context(), []string{"canon", "--rules", rules}, urls, &forms, &errs); code != 0 {
		t.Fatalf("ended with %d\n%s", code, &errs)
	}
	if want := "http://shop.example/p3\nhttps://shop.example/p3\nhttp://other.example/q1\nhttp://m.shop.example/p3\n"; forms.String() != want {
		t.Errorf("%swant\n%s%s", &forms, want, &list)
	}
	var conf bytes.Buffer
	if code := run(t.Context(), []string{"export", "nutch", "--rules", rules}, nil, &conf, &errs); code != 0 || !strings.Contains(conf.String(), `shop\x2Eexample`) {
		t.Errorf("ended with %d\n%s%s", code, &conf, &errs)
	}
}
