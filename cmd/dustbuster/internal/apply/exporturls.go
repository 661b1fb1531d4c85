package apply

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"dustbuster/cmd/dustbuster/internal/offline"
	"dustbuster/config"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/read/weblog"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"

	"github.com/spf13/cobra"
)

// someURLs are the different URLs of a log, or of a list of URLs, by site.
type someURLs struct{ sites *miner.Sites }

// readURLs reads a log in any known format, or a list of URLs, one a line.
func readURLs(cmd *cobra.Command, path string) (*someURLs, error) {
	c := config.MineDefaults()
	c.Rule.Learners = nil // the URLs alone are wanted
	o := offline.OptionsOf(&c, nil)
	list, err := isURLList(path)
	if err != nil {
		return nil, fmt.Errorf("read --urls: %w", err)
	}
	if list {
		read, err := readList(path, o)
		if err != nil {
			return nil, fmt.Errorf("read --urls: %w", err)
		}
		return &someURLs{read.Sites}, nil
	}
	var said bytes.Buffer
	read, err := offline.Read(cmd.Context(), []string{path}, o, &said)
	if err != nil {
		return nil, fmt.Errorf("read --urls: %s%w", &said, err)
	}
	return &someURLs{read.Sites}, nil
}

// isURLList reports whether the first line of a file is a URL.
func isURLList(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	line, err := in.Peek(len("https://"))
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	for _, begin := range []string{"http://", "https://", "/"} {
		if bytes.HasPrefix(line, []byte(begin)) {
			first, _ := in.ReadString('\n')
			return !strings.ContainsAny(strings.TrimRight(first, "\r\n"), " \t"), nil
		}
	}
	return false, nil
}

// readList folds a list of URLs.
func readList(path string, o offline.ReadOptions) (*offline.Reading, error) {
	g, err := admit.New(o.Records.Admit)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	read := offline.NewReading(o)
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	var seen evidence.Observation
	for lines.Scan() {
		h := weblog.Hit{Method: []byte("GET"), Status: 200, Target: bytes.TrimRight(lines.Bytes(), "\r")}
		if site, why := g.Admit(&seen, &h); why == admit.Admitted {
			read.Sites.Fold(site, &seen)
		}
	}
	return read, lines.Err()
}

// of returns the URLs of a site, or nil if there are none. If only is set, the URLs of a log
// that names no host are the site's as well.
func (u *someURLs) of(site string, only bool) iter.Seq[[]byte] {
	var found []*urllist.Copy
	for m := range u.sites.All() {
		if m.Site() == site || only && m.Site() == "" {
			found = append(found, m.Window())
		}
	}
	if len(found) == 0 {
		return nil
	}
	return func(yield func([]byte) bool) {
		for _, urls := range found {
			for url := range urls.URLs {
				if !yield(url) {
					return
				}
			}
		}
	}
}
