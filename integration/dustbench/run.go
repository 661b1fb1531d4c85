package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// result is a run of an entry on a site.
type result struct {
	Site     string  `json:"site"`
	Entry    string  `json:"entry"`
	Allowed  int     `json:"allowed"`  // requests
	Requests int     `json:"requests"` // made
	Actions  int     `json:"actions"`  // of them, requests that change something
	Private  int     `json:"private"`  // of them, requests to links of one client
	Seconds  float64 `json:"seconds"`
	score
}

// run lets an entry look at a log and ask the site at most allowed times. The entry is a command; these
// words follow its own: the path of the log, the origin, the number of requests, and the path of a file of
// URLs, one a line. The entry prints lines of URL, tab, canonical form.
func run(site string, allowed int, entry []string) (*result, error) {
	if site != "shop" {
		return nil, fmt.Errorf("no site %q: it is shop", site)
	}
	if len(entry) == 0 {
		return nil, fmt.Errorf("no entry: name a command, such as sh entries/dustbuster.sh")
	}
	dir, err := os.MkdirTemp("", "dustbench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s := newShop()
	log := s.log(s)
	known, list := truthOf(s)
	for name, text := range map[string][]byte{"access.log": log, "urls": list} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return nil, err
		}
	}
	s.acted, s.private = 0, 0
	origin, asked, stop, err := serve(s)
	if err != nil {
		return nil, err
	}
	defer stop()
	began := time.Now()
	cmd := exec.Command(entry[0], append(entry[1:len(entry):len(entry)], filepath.Join(dir, "access.log"), origin, strconv.Itoa(allowed), filepath.Join(dir, "urls"))...)
	cmd.Stderr = os.Stderr
	printed, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", entry[0], err)
	}
	forms, err := readForms(bytes.NewReader(printed), known)
	if err != nil {
		return nil, err
	}
	return &result{site, strings.Join(entry, " "), allowed, int(asked.Load()), s.acted, s.private, time.Since(began).Seconds(), known.judge(forms)}, nil
}

// truthOf returns the text of each page of the log that was answered well, and the list of their URLs.
// Actions and private links are in neither.
func truthOf(s *shop) (truth, []byte) {
	known := truth{}
	var list bytes.Buffer
	for _, v := range s.visits() {
		if _, seen := known[v.url]; seen || strings.HasPrefix(v.url, "/cart/") || strings.HasPrefix(v.url, "/reset/") {
			continue
		}
		if got := get(s, v.url); got.status == http.StatusOK {
			known[v.url] = got.text()
			list.WriteString(v.url + "\n")
		}
	}
	return known, list.Bytes()
}

// serve serves a site on loopback, and counts the requests for pages.
func serve(site http.Handler) (origin string, asked *atomic.Int64, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, nil, err
	}
	asked = new(atomic.Int64)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			asked.Add(1)
		}
		site.ServeHTTP(w, r)
	})}
	go func() { _ = server.Serve(l) }()
	return "http://" + l.Addr().String(), asked, func() { _ = server.Close() }, nil
}
