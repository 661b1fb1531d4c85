package demo

import (
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"dustbuster/stream/rules"
)

// crawler crawls the site round after round.
type crawler struct {
	name    string // as in the user agent
	address string // in the log
	origin  string
	live    *rules.Live   // nil: applies no rules
	pause   time.Duration // between two requests
	rest    time.Duration // between two rounds
	say     func(format string, args ...any)
}

// round is what a crawler got in a round.
type round struct {
	asked int
	pages map[uint64]bool // by the hash of their content
}

// again returns the requests for pages that the crawler had.
func (r *round) again() int { return r.asked - len(r.pages) }

var href = regexp.MustCompile(`href="([^"]+)"`)

// crawl follows all links from the front page, again and again, and says after each round what it
// cost. A crawler with rules fetches URLs as found, and no URL whose form it has seen.
func (c *crawler) crawl(ctx context.Context) {
	for n := 1; n == 1 || sleep(ctx, c.rest); n++ {
		r := round{pages: map[uint64]bool{}}
		seen, queue := map[string]bool{}, []string{c.origin + "/"}
		for len(queue) > 0 {
			found := queue[0]
			queue = queue[1:]
			key := found
			if c.live != nil {
				key, _ = c.live.Canonical(found) // by the rules of now, which may be more than when the link was found
			}
			if seen[key] {
				continue
			}
			seen[key] = true
			body, ok := fetch(ctx, found, c.agent(), c.address)
			if !ok {
				return
			}
			r.asked++
			r.pages[maphash.String(sums, body)] = true
			queue = append(queue, links(found, body)...)
			if !sleep(ctx, c.pause) {
				return
			}
		}
		c.say("%s, round %d: %d URLs of %d pages; %d (%d %%) were duplicates", c.name, n, r.asked, len(r.pages), r.again(), 100*r.again()/r.asked)
	}
}

// agent is the user agent of the crawler.
func (c *crawler) agent() string {
	return "Mozilla/5.0 (compatible; " + c.name + "/1.0; demo)"
}

// links returns the URLs that a page leads to.
func links(base, body string) (all []string) {
	at, err := url.Parse(base)
	if err != nil {
		return nil
	}
	for _, m := range href.FindAllStringSubmatch(body, -1) {
		if to, err := at.Parse(strings.ReplaceAll(m[1], "&amp;", "&")); err == nil {
			all = append(all, to.String())
		}
	}
	return all
}

// visit asks for pages as visitors do, each in any form, from some addresses.
func visit(ctx context.Context, origin string, pause time.Duration) {
	const visitors = 40
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // no secret
	for sleep(ctx, pause) {
		client := fmt.Sprintf("192.0.2.%d", 1+r.IntN(visitors))
		if _, ok := fetch(ctx, origin+anyPage(r).any(r), "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", client); !ok {
			return
		}
	}
}

// fetch returns a page. False: the demo ends.
func fetch(ctx context.Context, address, agent, client string) (body string, ok bool) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", false
	}
	request.Header.Set("User-Agent", agent)
	request.Header.Set(clientHeader, client)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", false
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return string(text), err == nil
}

// sleep reports whether a pause has passed; false if ctx has ended.
func sleep(ctx context.Context, pause time.Duration) bool {
	select {
	case <-time.After(pause):
		return true
	case <-ctx.Done():
		return false
	}
}
