package labels

import (
	"errors"
	"fmt"
	"strings"
)

// Bounds of what is read. A file beyond them is refused.
const (
	MostBytes = 64 << 20
	mostRows  = 500_000
	mostSkips = 1_000 // that are told with their line; the others are counted
	mostURL   = 4_096 // bytes
	mostAgain = 4     // texts, of which lines are read again behind quotes without an end
)

// ErrTooLarge reports a file beyond the bounds.
var ErrTooLarge = errors.New("the table is too large: 64 MiB and 500,000 rows are the most; keep the column of the URLs and that of their canonical URLs")

// Address is a URL, or a path of an unnamed host.
type Address struct {
	Host string // in normal form; "": none is named
	Path string // with query, as written, without a fragment
}

// Row is a URL and the URL that is named as its canonical one. They may be the same.
type Row struct{ URL, Canonical Address }

// Skip is a row that is left out.
type Skip struct {
	Line int // from 1
	Why  string
}

func (s Skip) String() string { return fmt.Sprintf("line %d: %s", s.Line, s.Why) }

// File is the rows of one or several files. The zero File is empty.
type File struct {
	Rows    []Row
	Named   int    // rows that name a canonical URL, of the last Read, those known before too
	Silent  int    // rows that name no canonical URL, such as those of images, of all files
	Skips   []Skip // of the last Read: the first of them
	Skipped int    // of the last Read: all

	known map[Address]int32 // places in Rows, by the URL
	hosts map[string]string // of Rows, each held once
}

// add adds a row. Of two rows of one URL the first counts.
func (f *File) add(line int, r Row) error {
	f.Named++
	at, known := f.known[r.URL]
	switch {
	case known && f.Rows[at].Canonical != r.Canonical:
		f.skip(line, "the URL has another canonical URL above")
	case known:
	case len(f.Rows) == mostRows:
		return ErrTooLarge
	default:
		if f.known == nil {
			f.known, f.hosts = map[Address]int32{}, map[string]string{}
		}
		r = Row{f.held(r.URL), f.held(r.Canonical)}
		f.known[r.URL] = int32(len(f.Rows))
		f.Rows = append(f.Rows, r)
	}
	return nil
}

// held returns a URL that does not hold the rest of its row in memory, which may be long.
func (f *File) held(a Address) Address {
	host, known := f.hosts[a.Host]
	if !known {
		host = strings.Clone(a.Host)
		f.hosts[host] = host
	}
	return Address{host, strings.Clone(a.Path)}
}

func (f *File) skip(line int, format string, args ...any) {
	if f.Skipped++; len(f.Skips) < mostSkips {
		f.Skips = append(f.Skips, Skip{line, fmt.Sprintf(format, args...)})
	}
}
