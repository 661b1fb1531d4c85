package tail

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dustbuster/stream/files"
)

// log is a followed path with its known generations.
type log struct {
	path        string
	named       bool          // named by the user, not found by a pattern: the reader waits for it
	live        *generation   // the generation to which the path leads, or led last
	generations []*generation // oldest first
	emptied     bool          // a truncation was seen: the log is rotated by copytruncate
}

// entry is a file that may hold a generation of a log.
type entry struct {
	path string
	info os.FileInfo
	id   identity
	age  age
	live bool // the file is at the log's own path
}

// entries lists the files of a log's generations on disk, oldest first, the live file
// last. Rotated files lie beside the path, beside the target of a link, and in the
// directories elsewhere.
func (l *log) entries(elsewhere []string) []entry {
	places := []string{l.path}
	if real, err := filepath.EvalSymlinks(l.path); err == nil && real != l.path {
		places = append(places, real)
	}
	for _, dir := range elsewhere {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(l.path), dir)
		}
		places = append(places, filepath.Join(dir, filepath.Base(l.path)))
	}
	var all []entry
	for _, place := range places {
		all = append(all, siblings(place)...)
	}
	slices.SortStableFunc(all, func(a, b entry) int {
		return cmp.Or(compareAge(a.age, b.age), comparePacked(a.path, b.path), cmp.Compare(a.path, b.path))
	})
	if e, ok := enter(l.path); ok {
		e.live = true
		all = append(all, e)
	}
	return all
}

// comparePacked orders a plain file before its compressed copy, which may still be
// incomplete.
func comparePacked(a, b string) int {
	return cmp.Compare(len(packedName.FindString(a)), len(packedName.FindString(b)))
}

// siblings lists the rotated files beside a path. The list is empty if the directory
// cannot be read now.
func siblings(path string) []entry {
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	names, _ := readNames(dir)
	var all []entry
	for _, name := range names {
		age, ok := rotated(base, name)
		if !ok {
			continue
		}
		if e, ok := enter(filepath.Join(dir, name)); ok {
			e.age = age
			all = append(all, e)
		}
	}
	return all
}

func readNames(dir string) ([]string, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(-1)
}

// enter returns the entry of a regular file, or false if the path leads to none or
// cannot be examined.
func enter(path string) (entry, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return entry{}, false
	}
	id, _ := identify(info)
	return entry{path: path, info: info, id: id}, true
}

// expand returns the paths to follow: the paths named, and the files found by patterns
// and in directories. Left out are rotated files of another followed path, and paths
// that Options.Others claims.
func (f *follower) expand() (named, found []string) {
	taken := f.taken()
	for _, path := range f.options.Paths {
		here, in := f.lookUp(path)
		named = append(named, slices.DeleteFunc(here, taken.has)...)
		found = append(found, slices.DeleteFunc(in, taken.has)...)
	}
	bases := slices.Concat(named, found)
	for _, l := range f.logs {
		bases = append(bases, l.path)
	}
	found = slices.DeleteFunc(found, func(path string) bool {
		return slices.ContainsFunc(bases, func(base string) bool { return isRotatedPath(base, path) })
	})
	return named, found
}

// lookUp resolves a path given by the user: to the path itself, or to the files found
// by the pattern or in the directory.
func (f *follower) lookUp(path string) (named, found []string) {
	info, err := os.Stat(path)
	if _, missing := os.Lstat(path); missing != nil && isPattern(path) {
		matches, _ := filepath.Glob(path) // Open refused bad patterns
		return nil, slices.DeleteFunc(matches, noFile)
	}
	switch {
	case err != nil || info.Mode().IsRegular():
	case info.IsDir():
		return nil, f.logsIn(path)
	default:
		f.complain(path, errNoFile)
	}
	return []string{filepath.Clean(path)}, nil
}

// errNoFile is reported for a path that has become something else since the start. At
// the start the path would have been refused, or followed as a pipe.
var errNoFile = errors.New("neither a file nor a directory")

func noFile(path string) bool {
	_, ok := enter(path)
	return !ok
}

// logsIn lists the files in a directory whose names are names of logs.
func (f *follower) logsIn(dir string) (all []string) {
	names, err := readNames(dir)
	if err != nil {
		f.complain(dir, err)
	}
	slices.Sort(names)
	for _, name := range names {
		if path := filepath.Join(dir, name); files.IsLog(name) && !noFile(path) {
			all = append(all, path)
		}
	}
	return all
}

// claims holds the paths that other Readers follow, and the files at those paths.
type claims struct {
	paths map[string]bool
	files map[identity]bool
}

// has reports whether another Reader follows the path or the file there.
func (c claims) has(path string) bool {
	if len(c.paths) == 0 {
		return false
	}
	e, ok := enter(path)
	return c.paths[path] || ok && c.files[e.id]
}

// taken returns the claims of other Readers.
func (f *follower) taken() claims {
	c := claims{map[string]bool{}, map[identity]bool{}}
	for _, path := range f.options.Others {
		named, found := f.lookUp(path)
		for _, path := range slices.Concat(named, found) {
			c.paths[path] = true
			if e, ok := enter(path); ok {
				c.files[e.id] = true
			}
		}
	}
	return c
}

func isRotatedPath(base, path string) bool {
	dir, name := filepath.Split(path)
	baseDir, baseName := filepath.Split(base)
	if dir != baseDir || !strings.HasPrefix(name, strings.TrimSuffix(baseName, filepath.Ext(baseName))) {
		return false
	}
	_, ok := rotated(baseName, name)
	return ok
}

// logOf returns the log of a path, and makes it if need be.
func (f *follower) logOf(path string, named bool) *log {
	for _, l := range f.logs {
		if l.path == path {
			l.named = l.named || named
			return l
		}
	}
	l := &log{path: path, named: named}
	f.logs = append(f.logs, l)
	return l
}

// insert inserts a generation before the live generation, or at the end.
func (l *log) insert(g *generation) {
	at := len(l.generations)
	if i := slices.Index(l.generations, l.live); i >= 0 {
		at = i
	}
	l.generations = slices.Insert(l.generations, at, g)
}
