package browser

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// town is a made-up site. A story has two addresses, and a session that changes nothing. Each
// piece of news has one address. The parameters in odd change nothing either, and are made to
// break out of a page.
func town(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		http.NotFound(w, r)
		return
	}
	body, ok := pageOf(r.URL)
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(body))
}

// stories is the number of stories, and of news.
const stories = 120

// odd are names of parameters.
var odd = []string{"'onmouseover=alert(1)//", "{{.}}`$x", "javascript:alert(1)", strings.Repeat("long", 100)}

// pageOf returns the page at an address.
func pageOf(u *url.URL) (string, bool) {
	story, news := u.Query().Get("id"), ""
	if u.Path != "/story" {
		story, news = "", strings.TrimPrefix(u.Path, "/news/")
		if rest, ok := strings.CutPrefix(u.Path, "/story_"); ok {
			story, news = rest, ""
		}
	}
	n, err := strconv.Atoi(story + news)
	if err != nil || n < 0 || n >= stories {
		return "", false
	}
	seed := uint64(n)
	if news != "" {
		seed += 1 << 20
	}
	return text(seed), true
}

// text returns the page of a seed: no two pages have a size or a sentence in common.
func text(seed uint64) string {
	rng := rand.New(rand.NewPCG(seed, 7))
	var b strings.Builder
	for range 80 + seed%1000 {
		fmt.Fprintf(&b, "w%d ", rng.IntN(1_000_000))
	}
	return "<!doctype html><title>t</title><p>" + b.String()
}

// visits returns the log of a crawl of the town by many clients, one line a URL.
func visits() string {
	var b strings.Builder
	line := 0
	add := func(target string) {
		u, err := url.Parse(target)
		size := 1
		if err == nil {
			body, _ := pageOf(u)
			size = len(body)
		}
		line++
		fmt.Fprintf(&b, "10.0.%d.%d - - [%s] \"GET %s HTTP/1.1\" 200 %d \"-\" \"%s\"\n", line%7, line%199, stamp, target, size, `<b>robot</b>`)
	}
	for i := range stories {
		add(fmt.Sprintf("/story_%d", i))
		add(fmt.Sprintf("/story?id=%d", i))
		add(fmt.Sprintf("/story_%d?sid=%d", i, 7919*i))
		add(fmt.Sprintf("/story_%d?sid=%d", i, 7919*i+3))
		add(fmt.Sprintf("/news/%d", i))
		add(fmt.Sprintf("/news/%d?%s=%d", i, odd[i%len(odd)], i))
	}
	b.WriteString("no line of any format <script>alert(1)</script> \xe2\x80\xae\n")
	add("/x\"><script>alert(1)</script><img src=x onerror=alert(1)>")
	add("/\xe2\x80\xaegnp.exe")
	add("/" + strings.Repeat("y", 2000))
	return b.String()
}
