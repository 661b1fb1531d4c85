// Crawler is an example of a crawler that applies dustbuster's rules. It crawls one host,
// prints the URLs that it fetches, and fetches one URL of each canonical form.
//
//	go run . -rules rules.jsonl http://127.0.0.1:8080/             # a list of validate or run
//	go run . -rules http://127.0.0.1:9464 http://127.0.0.1:8080/   # the list of a daemon
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net/url"
	"os"
	"os/signal"
	"time"

	"dustbuster/stream/rules"

	"github.com/gocolly/colly/v2"
)

func main() {
	source := flag.String("rules", "", "file or daemon's address of the rules")
	delay := flag.Duration("delay", time.Second, "pause between two requests")
	flag.Parse()
	if flag.NArg() != 1 || *source == "" {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *source, flag.Arg(0), *delay); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, source, start string, delay time.Duration) error {
	live, err := open(ctx, source)
	if err != nil {
		return err
	}
	return crawl(ctx, live, start, delay, func(url string) { fmt.Println(url) })
}

// open returns the rules of a source, and keeps them current until ctx ends.
func open(ctx context.Context, source string) (*rules.Live, error) {
	list, err := rules.Open(ctx, source, nil)
	if err != nil {
		return nil, err
	}
	live := new(rules.Live)
	if err := live.Set(list); err != nil {
		return nil, err
	}
	go live.Follow(ctx, source, time.Minute, func(err error) { log.Print(err) })
	return live, nil
}

// crawl follows the links from a URL, within its host and what robots.txt allows. It fetches
// one URL of each canonical form.
func crawl(ctx context.Context, live *rules.Live, start string, delay time.Duration, fetched func(url string)) error {
	first, err := url.Parse(start)
	if err != nil {
		return err
	}
	c := colly.NewCollector(colly.StdlibContext(ctx), colly.UserAgent("dustbuster-example"), colly.AllowedDomains(first.Hostname()))
	c.IgnoreRobotsTxt = false
	if err := c.Limit(&colly.LimitRule{DomainGlob: "*", Delay: delay}); err != nil {
		return err
	}
	visit := func(link string) error {
		canonical, _ := live.Canonical(link)
		return c.Visit(canonical)
	}
	c.OnResponse(func(r *colly.Response) { fetched(r.Request.URL.String()) })
	c.OnError(func(r *colly.Response, err error) { log.Printf("fetch %s: %v", r.Request.URL, err) })
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		_ = visit(e.Request.AbsoluteURL(e.Attr("href"))) // was visited, or is not to be; OnError is told the rest
	})
	if err := visit(start); err != nil {
		return err
	}
	return ctx.Err()
}
