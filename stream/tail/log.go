package tail

import (
	"cmp"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"dustbuster/stream/files"
)

// log is a followed path with its known generations.
type log struct {
	path        string
	named       bool          // named by the user, not found by a pattern: the reader waits for it
	live        *generation   // the generation to which the path leads, or led last
	generations []*generation // oldest first
	places      []place       // where its rotated files lie, as of the last scan
	existed     bool          // some generation was seen
	emptied     bool          // a truncation was seen: the log is rotated by copytruncate
}

// entry is a file that may hold a generation of a log.
type entry struct {
	path string
	real string // path, with links resolved
	info os.FileInfo
	id   identity
	age  age
	live bool // the file is at the log's own path
}

// entries lists the files of a log's generations on disk, oldest first, the live file
// last.
func (f *follower) entries(l *log) []entry {
	var all []entry
	for _, p := range l.places {
		all = append(all, f.siblings(p)...)
	}
	slices.SortStableFunc(all, func(a, b entry) int {
		return cmp.Or(compareAge(a.age, b.age), comparePacked(a.path, b.path), cmp.Compare(a.path, b.path))
	})
	if e, ok := f.enter(l.path); ok {
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

// expand returns the paths to follow: the paths named, and the files found by patterns
// and in directories. Left out are rotated files of another followed path, and paths
// that Options.Others claims.
func (f *follower) expand() (named, found []string) {
	taken := f.taken()
	f.finds = false
	for _, path := range f.options.Paths {
		here, in := f.lookUp(path)
		f.finds = f.finds || len(here) == 0
		f.existed[path] = f.existed[path] || len(in) > 0
		named = append(named, slices.DeleteFunc(here, taken.has)...)
		found = append(found, slices.DeleteFunc(in, taken.has)...)
	}
	bases := maps.Clone(f.byPath)
	for _, path := range slices.Concat(named, found) {
		bases[path] = nil
	}
	found = slices.DeleteFunc(found, func(path string) bool {
		for base := range origins(filepath.Base(path)) {
			if _, ok := bases[filepath.Join(filepath.Dir(path), base)]; ok {
				return true
			}
		}
		return false
	})
	return named, found
}

// lookUp resolves a path given by the user: to the path itself, or to the files found
// by the pattern or in the directory.
func (f *follower) lookUp(path string) (named, found []string) {
	info, err := os.Stat(path)
	if isPattern(path) && !exists(path) {
		matches, _ := filepath.Glob(path) // Open refused bad patterns
		return nil, slices.DeleteFunc(matches, f.noFile)
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

func (f *follower) noFile(path string) bool {
	_, ok := f.enter(path)
	return !ok
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// logsIn lists the files in a directory whose names are names of logs.
func (f *follower) logsIn(dir string) (all []string) {
	names, err := readNames(dir)
	if err != nil {
		f.complain(dir, err)
	}
	slices.Sort(names)
	for _, name := range names {
		if path := filepath.Join(dir, name); files.IsLog(name) && !f.noFile(path) {
			all = append(all, path)
		}
	}
	return all
}

// claims holds the paths that other Readers follow, and the files at those paths.
type claims struct {
	paths map[string]bool
	files map[identity]bool
	enter func(path string) (entry, bool)
}

// has reports whether another Reader follows the path or the file there.
func (c claims) has(path string) bool {
	if len(c.paths) == 0 {
		return false
	}
	e, ok := c.enter(path)
	return c.paths[path] || ok && c.files[e.id]
}

// taken returns the claims of other Readers.
func (f *follower) taken() claims {
	c := claims{map[string]bool{}, map[identity]bool{}, f.enter}
	for _, path := range f.options.Others {
		named, found := f.lookUp(path)
		for _, path := range slices.Concat(named, found) {
			c.paths[path] = true
			if e, ok := f.enter(path); ok {
				c.files[e.id] = true
			}
		}
	}
	return c
}

// logOf returns the log of a path, and makes it if need be.
func (f *follower) logOf(path string, named bool) *log {
	l := f.byPath[path]
	if l == nil {
		l = &log{path: path}
		f.byPath[path] = l
		f.logs = append(f.logs, l)
	}
	l.named = l.named || named
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
