// Command bodies turns a table of crawled pages into a list of URLs with sizes and digests,
// which dustbuster compare reads:
//
//	go run ./integration/bodies bodies.tsv.gz > crawl.tsv
//
// A line of the table has, with tabs between: URL, status, bytes, SHA-1 of the body, SHA-1 of
// the visible text, simhash, words, and type. The digest of a page in the list is that of its
// text, if the page has words, and that of its body otherwise: 64 bits of it.
package main

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: bodies bodies.tsv.gz > crawl.tsv")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bodies:", err)
		os.Exit(1)
	}
}

func run(path string, w io.Writer) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	table, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	lines := bufio.NewScanner(table)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line, err := entry(strings.Split(lines.Text(), "\t"))
		if err != nil {
			return fmt.Errorf("convert %q: %w", lines.Text(), err)
		}
		fmt.Fprintln(out, line)
	}
	return errors.Join(lines.Err(), out.Flush())
}

// entry returns a page's line of the list.
func entry(f []string) (string, error) {
	if len(f) < 8 {
		return "", fmt.Errorf("%d columns instead of 8", len(f))
	}
	digest := f[3]
	if f[6] != "0" && f[6] != "-" {
		digest = f[4]
	}
	if len(digest) < 16 {
		return "", fmt.Errorf("%q is no digest", digest)
	}
	return strings.Join([]string{f[0], f[1], f[2], digest[:16]}, "\t"), nil
}
