package config

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"dustbuster/operators/read/client"
	"dustbuster/operators/read/crawler"
)

// mostListBytes bounds a file of crawlers' addresses.
const mostListBytes = 4 << 20

// readCrawlers reads the files of CrawlerAddresses, and returns the mistake as the rest of a sentence.
func (r *Read) readCrawlers() string {
	r.crawlers = nil
	if r.CrawlerAddresses == "" {
		return ""
	}
	paths, err := filepath.Glob(filepath.Join(r.CrawlerAddresses, "*.json"))
	if err != nil || len(paths) == 0 {
		return fmt.Sprintf(" must be a directory with files such as googlebot.json, got %q", r.CrawlerAddresses)
	}
	all := &crawler.Addresses{}
	for _, path := range paths {
		text, err := ReadAtMost(path, mostListBytes)
		if err == nil && len(text) > mostListBytes {
			err = fmt.Errorf("more than %d bytes", mostListBytes)
		}
		if err == nil {
			err = all.Add(strings.TrimSuffix(filepath.Base(path), ".json"), text)
		}
		if err != nil {
			return fmt.Sprintf(" has a file that cannot be read: %s: %v", path, err)
		}
	}
	r.crawlers = all
	return ""
}

// ReadAtMost reads a file. Of a longer file than most it reads one byte more.
func ReadAtMost(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}

// denying returns the Denies of admission; nil if there are no lists.
func denying(all *crawler.Addresses) func(text []byte, family uint32) bool {
	if all == nil {
		return nil
	}
	return func(text []byte, family uint32) bool {
		address, ok := client.Parse(text)
		return ok && all.Deny(family, address)
	}
}
