package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// site is a site of the bench: what entries get, and what the judge knows.
type site struct {
	http.Handler // counts what entries must not ask for
	log          []byte
	known        truth
	list         []byte                        // the URLs of the truth, one a line
	forbidden    func() (actions, private int) // requests since the start
	stop         func()
}

// openSite starts a site by its name.
func openSite(name string) (*site, error) {
	if name != "shop" {
		return openReal(name)
	}
	s := newShop()
	log := s.log(s)
	known, list := truthOf(s)
	s.acted, s.private = 0, 0
	return &site{s, log, known, list, func() (int, int) { return s.acted, s.private }, func() {}}, nil
}

// run lets an entry look at a log and ask the site at most allowed times. The entry is a command; these
// words follow its own: the path of the log, the origin, the number of requests, and the path of a file of
// URLs, one a line. The entry prints lines of URL, tab, canonical form.
func run(name string, allowed int, entry []string) (*result, error) {
	if len(entry) == 0 {
		return nil, errors.New("no entry: name a command, such as sh entries/dustbuster.sh")
	}
	s, err := openSite(name)
	if err != nil {
		return nil, err
	}
	defer s.stop()
	origin, asked, stop, err := serve(s)
	if err != nil {
		return nil, err
	}
	defer stop()
	began := time.Now()
	printed, err := s.call(entry, origin, strconv.Itoa(allowed))
	if err != nil {
		return nil, err
	}
	forms, err := readForms(bytes.NewReader(printed), s.known)
	if err != nil {
		return nil, err
	}
	actions, private := s.forbidden()
	return &result{name, strings.Join(entry, " "), allowed, int(asked.Load()), actions, private, time.Since(began).Seconds(), s.known.judge(forms)}, nil
}

// call runs an entry with the path of the log, more words, and the path of the URLs, and returns what it prints.
func (s *site) call(entry []string, words ...string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "dustbench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	log, urls := filepath.Join(dir, "access.log"), filepath.Join(dir, "urls")
	if err := errors.Join(os.WriteFile(log, s.log, 0o600), os.WriteFile(urls, s.list, 0o600)); err != nil {
		return nil, err
	}
	args := slices.Concat(entry[1:], []string{log}, words, []string{urls})
	cmd := exec.Command(entry[0], args...)
	cmd.Stderr = os.Stderr
	printed, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", entry[0], err)
	}
	return printed, nil
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
