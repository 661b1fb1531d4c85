package tail

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// log is a path that is followed, and the generations of it that are known.
type log struct {
	path        string
	named       bool          // by the user, and not found by a pattern: it is waited for
	live        *generation   // what the path leads to, or led to last
	generations []*generation // oldest first
	emptied     bool          // it is rotated by copying and truncating, as far as was seen
}

// entry is a file that is, or may be, a generation of a log.
type entry struct {
	path string
	info os.FileInfo
	id   identity
	age  age
	live bool // the log's path itself
}

// entries lists the generations of a log that are on disk, oldest first, the
// live one last. Rotated ones lie beside the path, beside the file that it
// links to, and in the further directories.
func (l *log) entries(elsewhere []string) []entry {
	places := []string{l.path}
	if real, err := filepath.EvalSymlinks(l.path); err == nil && real != l.path {
		places = append(places, real)
	}
	for _, dir := range elsewhere {
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

// comparePacked puts a plain file before its compressed copy, of which more
// may still have to be written.
func comparePacked(a, b string) int {
	return cmp.Compare(len(packedName.FindString(a)), len(packedName.FindString(b)))
}

// siblings lists the rotated generations beside a path. A directory that
// cannot be read has none now.
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

// enter looks at a file. What is none, or cannot be looked at, is no entry.
func enter(path string) (entry, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return entry{}, false
	}
	id, _ := identify(info)
	return entry{path: path, info: info, id: id}, true
}

// expand finds the paths to follow: those named, and those that match a pattern
// and are not rotated generations of another that is followed or matches.
func (f *follower) expand() (named, found []string) {
	for _, path := range f.options.Paths {
		if _, err := os.Lstat(path); err == nil || !isPattern(path) {
			named = append(named, filepath.Clean(path))
			continue
		}
		matches, _ := filepath.Glob(path) // a bad pattern was found by Open
		for _, match := range matches {
			if _, ok := enter(match); ok {
				found = append(found, match)
			}
		}
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

func isRotatedPath(base, path string) bool {
	dir, name := filepath.Split(path)
	baseDir, baseName := filepath.Split(base)
	if dir != baseDir || !strings.HasPrefix(name, strings.TrimSuffix(baseName, filepath.Ext(baseName))) {
		return false
	}
	_, ok := rotated(baseName, name)
	return ok
}

// logOf returns the log of a path, a new one if there is none.
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

// insert puts a generation before the live one, or at the end.
func (l *log) insert(g *generation) {
	at := len(l.generations)
	if i := slices.Index(l.generations, l.live); i >= 0 {
		at = i
	}
	l.generations = slices.Insert(l.generations, at, g)
}
