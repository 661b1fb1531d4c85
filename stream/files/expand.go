package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"dustbuster/stream/folder"
	"dustbuster/stream/lines"
)

// Expand lists the files to read for the paths that a user names, in their order. A file
// reached by several paths is read once.
//
//   - "-" is standard input.
//   - A file stands for itself, whatever its name.
//   - A directory stands for its logs, family by family in the order of their names, each
//     family oldest first. Subdirectories are not entered.
//   - A directory without logs stands for its web archives and columnar indexes, in the order
//     of their names (.warc, .warc.gz and the like, .parquet), or else, if it holds HTML pages,
//     for itself: the pages below it are read as a list of URLs (stream/folder).
//
// In a directory a file is a log if its name, without the marks of rotation and
// compression, ends in one of the words log, access and accesslog, set off by a dot,
// dash or underscore, perhaps followed by one of the endings .txt, .json, .jsonl, .csv
// and .tsv: access.log, access_log, example.org.log,
// localhost_access_log.2024-01-02.txt, ssl-access.json. Plesk's mark counts as a mark
// of rotation: access_ssl_log.processed.1.gz. Hidden files, error logs (error.log,
// ssl_error_log, site.err.log) and symbolic links to another file of the list are left
// out.
//
// Files whose names differ only in those marks are a family. Names decide the order
// within a family, because copying changes the times of files:
//
//  1. by date, ascending: access.log-20240102.gz, access-2024-01-02T15.log,
//     access.log-1704153600. Numbers right after the date count up;
//  2. then by number, descending: access.log.10.gz before access.log.2.gz
//     before access.log.1, and the same for access.1.log;
//  3. last the log still being written: access.log.
//
// A path that does not exist or cannot be examined and a directory without any of these are
// errors, which name the path and say what to do.
func Expand(paths []string) ([]string, error) { return expandAll(paths, []kind{logs, archives, pages}) }

// ExpandCrawl is Expand where a directory stands for its web archives, or else for its HTML
// pages, or else for its logs.
func ExpandCrawl(paths []string) ([]string, error) {
	return expandAll(paths, []kind{archives, pages, logs})
}

// kind lists the files of one kind in a directory, in order.
type kind func(dir string, entries []fs.DirEntry) []string

func expandAll(paths []string, kinds []kind) ([]string, error) {
	var files []string
	seen := make(map[any]bool)
	for _, path := range paths {
		found, err := expand(path, kinds)
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			if id := identity(file); !seen[id] {
				seen[id] = true
				files = append(files, file)
			}
		}
	}
	return files, nil
}

func expand(path string, kinds []kind) ([]string, error) {
	if path == Stdin {
		return []string{path}, nil
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("find log %q: no such file or directory\ngive a log file, a directory of logs, or - for standard input", path)
	}
	if err != nil {
		return nil, fmt.Errorf("find log %q: %w", path, lines.Cause(err))
	}
	if !info.IsDir() {
		return []string{filepath.Clean(path)}, nil
	}
	return directory(path, kinds)
}

// directory lists the files of the first kind that a directory has.
func directory(dir string, kinds []kind) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("find logs in %q: %w", dir, lines.Cause(err))
	}
	for _, list := range kinds {
		if files := list(dir, entries); len(files) > 0 {
			return files, nil
		}
	}
	return nil, fmt.Errorf("find logs in %q: no file there has the name of an access log, such as access.log or access.log.1.gz, or of a web archive, and none is an HTML page\nname the files themselves", dir)
}

func archives(dir string, entries []fs.DirEntry) (files []string) {
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if !archiveName.MatchString(entry.Name()) {
			continue
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			files = append(files, path)
		}
	}
	return files
}

// pages returns a directory that holds HTML pages.
func pages(dir string, _ []fs.DirEntry) []string {
	if folder.Holds(dir) {
		return []string{filepath.Clean(dir)}
	}
	return nil
}

func logs(dir string, entries []fs.DirEntry) []string {
	var logs []log
	plain := make(map[string]bool)
	for _, entry := range entries {
		if !entry.Type().IsRegular() {
			continue
		}
		if l, ok := parseName(entry.Name()); ok {
			logs = append(logs, l)
			plain[l.name] = true
		}
	}
	for _, entry := range entries {
		if entry.Type() != fs.ModeSymlink {
			continue
		}
		if l, ok := parseName(entry.Name()); ok && leadsElsewhere(dir, l.name, plain) {
			logs = append(logs, l)
		}
	}
	slices.SortFunc(logs, compare)
	files := make([]string, len(logs))
	for i, l := range logs {
		files[i] = filepath.Join(dir, l.name)
	}
	return files
}

// leadsElsewhere reports whether a symbolic link leads to a file other than the plain
// logs of its directory. Rotation by cronolog keeps a link to the newest log.
func leadsElsewhere(dir, name string, plain map[string]bool) bool {
	target, err := filepath.EvalSymlinks(filepath.Join(dir, name))
	if err != nil {
		return false
	}
	info, err := os.Stat(target)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	root, err := filepath.EvalSymlinks(dir)
	return err == nil && (filepath.Dir(target) != root || !plain[filepath.Base(target)])
}
