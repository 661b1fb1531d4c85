package export

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// Head is what a file says of itself: how it was made, and of which rules.
type Head struct {
	Format   string // "" in files of versions that did not say it
	Redirect bool
	Time     string // of the export; "" if it is not there
	Sites    []HeadSite
}

// HeadSite is the rules that a file has of a site.
type HeadSite struct {
	Host  string
	Marks []string // of the rules, in their order: see rule.Mark
}

// Rules returns the number of rules in the file.
func (h *Head) Rules() (n int) {
	for i := range h.Sites {
		n += len(h.Sites[i].Marks)
	}
	return n
}

// ErrNoHead is the error of ReadHead for a file that does not name its rules.
var ErrNoHead = errors.New("the file does not name its rules: it is no export, or of a format without comments (dud, clearurls, no-vary-search, algolia)")

// longestHead bounds a file that is read for its head, in bytes.
const longestHead = 64 << 20

var siteLine = regexp.MustCompile(`^site ("(?:[^"\\]|\\.)*"): ([0-9]+) rules?, `)

// ReadHead reads the head of a file, and its comments about sites. A file that lacks some of its rules is an
// error: it was cut short or edited. O(bytes of the file).
func ReadHead(r io.Reader) (*Head, error) {
	text, err := io.ReadAll(io.LimitReader(r, longestHead+1))
	if err != nil {
		return nil, fmt.Errorf("read the head of an export: %w", err)
	}
	if len(text) > longestHead {
		return nil, fmt.Errorf("read the head of an export: the file has more than %d bytes", longestHead)
	}
	h, ours, missing := &Head{}, false, 0
	for line := range bytes.Lines(text) {
		said := said(string(line))
		if name, ok := strings.CutPrefix(said, "format "); ok && h.Format == "" && len(h.Sites) == 0 {
			h.Format, h.Redirect = strings.CutSuffix(name, ", redirects")
		} else if at, ok := strings.CutPrefix(said, "time "); ok && h.Time == "" && len(h.Sites) == 0 {
			h.Time = at
		} else if m := siteLine.FindStringSubmatch(said); m != nil && missing == 0 {
			host, err := strconv.Unquote(m[1])
			n, nerr := strconv.Atoi(m[2])
			if err != nil || nerr != nil {
				return nil, fmt.Errorf("read the head of an export: %.100q is no site", said)
			}
			// inComment has parted hyphens, as in xn--.
			h.Sites, missing = append(h.Sites, HeadSite{Host: strings.ReplaceAll(host, " ", "")}), n
		} else if marks, ok := strings.CutPrefix(said, "rules "); ok && missing > 0 {
			last := &h.Sites[len(h.Sites)-1]
			for _, mark := range strings.Fields(marks) {
				last.Marks, missing = append(last.Marks, mark), missing-1
			}
		}
		ours = ours || strings.HasPrefix(said, "Written by dustbuster")
	}
	switch {
	case !ours || len(h.Sites) == 0:
		return nil, ErrNoHead
	case missing != 0:
		last := h.Sites[len(h.Sites)-1]
		return nil, fmt.Errorf("read the head of an export: of site %.100q it names %d rules, and says that there are %d: the file was cut short or edited", last.Host, len(last.Marks), len(last.Marks)+missing)
	}
	return h, nil
}

// said returns the text of a line without the signs of comments.
func said(line string) string {
	line = strings.TrimSpace(line)
	line = strings.TrimSuffix(strings.TrimPrefix(line, "<!--"), "-->")
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(line, "#"), "//"))
}
