// Command dustbench is DUST bench: sites with a log, a server and the truth, and a judge of
// canonical forms. docs/dustbench.md says how a program enters.
//
//	dustbench run SITE REQUESTS ENTRY...          a run of an entry, as a line of JSON
//	dustbench content KIND N [DIR]                articles: pages in a folder, or a file for mediawiki or wordpress
//	dustbench serve LINKED DIR                    the shop for crawlers, with links to so many URLs, until the input ends
//	dustbench likely SITE ENTRY...                task A: the precision of likely rules, as a line of JSON
//	dustbench names LOG URLS                      an entry of task A: the list of names by hand
//	dustbench crawl SITE -                        task C: a crawl with labels, for dustbuster compare
//	dustbench peer NAME LOG ORIGIN REQUESTS URLS  an entry that stands for what others do
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	if err := bench(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "dustbench:", err)
		os.Exit(1)
	}
}

func bench(args []string) error {
	if len(args) < 3 {
		return errors.New("usage: dustbench run SITE REQUESTS ENTRY..., likely SITE ENTRY..., crawl SITE -, serve LINKED DIR, content KIND N [DIR], names LOG URLS, or peer NAME LOG ORIGIN REQUESTS URLS")
	}
	switch args[0] {
	case "serve":
		linked, err := strconv.Atoi(args[1])
		if err != nil {
			return fmt.Errorf("read LINKED: %w", err)
		}
		return serveShop(linked, args[2], os.Stdin, os.Stdout)
	case "content":
		n, err := strconv.Atoi(args[2])
		if err != nil {
			return fmt.Errorf("read N: %w", err)
		}
		return writeContent(args[1], articles(n), strings.Join(args[3:], ""), os.Stdout)
	case "likely":
		result, err := likely(args[1], args[2:])
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(result)
	case "names":
		urls, err := os.ReadFile(args[2])
		if err != nil {
			return err
		}
		return namesAsRules(strings.Fields(string(urls)), os.Stdout)
	case "crawl":
		return writeCrawl(args[1], os.Stdout)
	case "peer":
		return enterBy(args[1], args[2:], os.Stdout)
	case "run":
		n, err := strconv.Atoi(args[2])
		if err != nil {
			return fmt.Errorf("read REQUESTS: %w", err)
		}
		result, err := run(args[1], n, args[3:])
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(result)
	}
	return fmt.Errorf("no command %q", args[0])
}
