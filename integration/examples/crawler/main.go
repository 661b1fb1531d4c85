// Crawler is an example of a crawler that applies dustbuster's rules. It crawls one host,
// prints the URLs that it fetches, and fetches one URL of each canonical form. With -explore
// it fetches some URLs more, to find rules that are wrong, and reports what it saw.
// Processes with the same CRAWLER_SECRET in the environment choose the same URLs.
//
//	go run . -rules rules.jsonl http://127.0.0.1:8080/             # a list of validate or run
//	go run . -rules http://127.0.0.1:9464 http://127.0.0.1:8080/   # the list of a daemon
//	go run . -rules http://127.0.0.1:9464 -explore 1000 http://127.0.0.1:8080/
package main

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"log"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"time"

	"dustbuster/stream/rules"

	"github.com/gocolly/colly/v2"
)

func main() {
	source := flag.String("rules", "", "file or daemon's address of the rules")
	delay := flag.Duration("delay", time.Second, "pause between two requests")
	explore := flag.Uint64("explore", 0, "fetch one in so many changed URLs as found, and report the pages to the daemon; 0: none")
	flag.Parse()
	if flag.NArg() != 1 || *source == "" {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	live, err := open(ctx, *source, flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	explorer, err := rules.NewExplorer(os.Getenv("CRAWLER_SECRET"), *explore)
	if err != nil {
		log.Fatal(err)
	}
	c := &crawler{live: live, delay: *delay, explorer: explorer, page: func(url string, _ []byte) { fmt.Println(url) }, saw: func(found, held string, a, b digest) {
		if r, ok := live.Report(found, held, a, b); ok {
			if err := rules.Send(ctx, *source, r); err != nil {
				log.Print(err)
			}
		}
	}}
	if err := c.crawl(ctx, flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
	n := live.Counts()
	log.Printf("%d links, %d of them changed by rules of version %s", n.Asked, n.Changed, live.Version())
}

// open returns the rules of a source for the host of a URL, and keeps them current until ctx ends.
func open(ctx context.Context, source, start string) (*rules.Live, error) {
	first, err := url.Parse(start)
	if err != nil {
		return nil, err
	}
	list, err := rules.Open(ctx, source)
	if err != nil {
		return nil, err
	}
	live := new(rules.Live)
	if err := live.SetHost(first.Host); err != nil { // rules of a log without host names are those of this host
		return nil, err
	}
	if err := live.Set(list); err != nil {
		return nil, err
	}
	go live.Follow(ctx, source, time.Minute, func(err error) { log.Print(err) })
	return live, nil
}

// crawler fetches URLs as found, one of each canonical form, and explores.
type crawler struct {
	live     *rules.Live
	delay    time.Duration
	explorer *rules.Explorer

	page func(url string, body []byte)         // called with each page
	saw  func(found, held string, a, b digest) // called with the pages of an explored URL and of its form

	held map[string]held // by canonical form
}

// held is the page of a canonical form.
type held struct {
	url  string
	page digest
}

// digest is the SHA-256 of a page.
type digest = [sha256.Size]byte

// crawl follows the links from a URL, within its host and what robots.txt allows.
func (c *crawler) crawl(ctx context.Context, start string) error {
	first, err := url.Parse(start)
	if err != nil {
		return err
	}
	c.held = map[string]held{}
	web := colly.NewCollector(colly.StdlibContext(ctx), colly.UserAgent("dustbuster-example"), colly.AllowedDomains(first.Hostname()))
	web.IgnoreRobotsTxt = false
	if err := web.Limit(&colly.LimitRule{DomainGlob: "*", Delay: c.delay}); err != nil {
		return err
	}
	explored := web.Clone()
	explored.OnResponse(func(r *colly.Response) {
		found := r.Ctx.Get("found")
		key, _ := c.live.Canonical(found)
		c.page(found, r.Body)
		if h, ok := c.held[key]; ok && h.url != found {
			c.saw(found, h.url, sha256.Sum256(r.Body), h.page)
		}
	})
	web.OnResponse(func(r *colly.Response) {
		found := r.Ctx.Get("found")
		key, _ := c.live.Canonical(found)
		c.held[key] = held{found, sha256.Sum256(r.Body)}
		c.page(found, r.Body)
	})
	web.OnError(func(r *colly.Response, err error) { log.Printf("fetch %s: %v", r.Request.URL, err) })
	queue, known, links := []string{start}, map[string]bool{}, map[string]bool{start: true}
	follow := func(e *colly.HTMLElement) {
		link, _, _ := strings.Cut(e.Request.AbsoluteURL(e.Attr("href")), "#") // as crawlers do, with rules and without
		if link != "" && !links[link] {
			links[link] = true
			queue = append(queue, link)
		}
	}
	web.OnHTML("a[href]", follow)
	explored.OnHTML("a[href]", follow)
	for len(queue) > 0 && ctx.Err() == nil {
		link := queue[0]
		queue = queue[1:]
		by := web
		key, changed := c.live.Canonical(link)
		if known[key] {
			if !changed || !c.explorer.Explores(link, time.Now()) {
				continue
			}
			by = explored
		}
		known[key] = true
		request := colly.NewContext()
		request.Put("found", link)
		_ = by.Request("GET", link, nil, request, nil) // was visited, or is not to be; OnError is told the rest
	}
	return ctx.Err()
}
