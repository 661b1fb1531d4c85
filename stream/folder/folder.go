// Package folder reads the HTML pages of a site that are kept as files in a folder, such as a
// copy made by wget --mirror. The path of a file below the folder is that of the page's URL:
// DIR/news/story?id=1.html is the page /news/story?id=1.html. The host is not known. A Reader
// reads the folder as a list of URLs with digests, in the form that operators/read/weblog
// parses (urllist).
//
// A regular file is a page if its name ends in .html, .htm or .xhtml, before a question mark or
// at the end, or if its first bytes look like HTML. Hidden files, and symbolic links, are left
// out.
package folder

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dustbuster/operators/url/urlnorm"
)

// Page is a page of a folder.
type Page struct {
	URL  string // the path and query, in the form of mined strings
	File string // where the page is
}

// Pages lists the pages below a folder, by file name on each level. An error is of a file or
// folder that cannot be read, and the list goes on after it.
func Pages(dir string) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		_ = walk(dir, func(file string, err error) error {
			page := err == nil
			if page {
				page, err = isPage(file)
			}
			if (page || err != nil) && !yield(Page{urlOf(dir, file), file}, err) {
				return fs.SkipAll
			}
			return nil
		})
	}
}

// mostLooks is how many files Holds examines.
const mostLooks = 10_000

// Holds reports whether a folder holds a page, among the first 10,000 files.
func Holds(dir string) (found bool) {
	looks := 0
	_ = walk(dir, func(file string, err error) error {
		if looks++; looks > mostLooks {
			return fs.SkipAll
		}
		if err == nil {
			found, _ = isPage(file)
		}
		if found {
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// walk calls a function for each regular file below a folder that is not hidden, and for
// subfolders that cannot be read.
func walk(dir string, each func(file string, err error) error) error {
	return filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		hidden := file != dir && strings.HasPrefix(filepath.Base(file), ".")
		switch {
		case err != nil:
			return each(file, err)
		case hidden && entry.IsDir():
			return fs.SkipDir
		case hidden || !entry.Type().IsRegular():
			return nil
		}
		return each(file, nil)
	})
}

// suffixes are the ends of the names of HTML files.
var suffixes = []string{".html", ".htm", ".xhtml"}

// isPage reports whether a file is HTML, by its name or else by its first bytes.
func isPage(file string) (bool, error) {
	name := strings.ToLower(filepath.Base(file))
	before, _, _ := strings.Cut(name, "?")
	if slices.Contains(suffixes, filepath.Ext(name)) || slices.Contains(suffixes, filepath.Ext(before)) {
		return true, nil
	}
	in, err := os.Open(file)
	if err != nil {
		return false, err
	}
	defer in.Close()
	var head [512]byte
	n, err := io.ReadFull(in, head[:])
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	return strings.HasPrefix(http.DetectContentType(head[:n]), "text/html"), nil
}

func urlOf(dir, file string) string {
	below, err := filepath.Rel(dir, file)
	if err != nil {
		below = file
	}
	return string(urlnorm.Escape([]byte("/"), filepath.ToSlash(below), ""))
}
