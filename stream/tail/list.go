package tail

import (
	"os"
	"path/filepath"
)

// place is where rotated files of a log lie.
type place struct{ dir, base string }

// places returns where the rotated files of a log lie: beside the path, beside the target of a
// link, and in the directories elsewhere.
func (f *follower) places(path string) []place {
	at := func(path string) place { return place{filepath.Dir(path), filepath.Base(path)} }
	all := []place{at(path)}
	if real := f.realPath(path); real != path {
		all = append(all, at(real))
	}
	for _, dir := range f.options.Elsewhere {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(path), dir)
		}
		all = append(all, place{filepath.Clean(dir), filepath.Base(path)})
	}
	return all
}

// survey lists each directory once, and sorts the names by the log whose rotated file they name.
func (f *follower) survey() {
	f.bases = make(map[string]map[string][]string)
	for _, l := range f.logs {
		l.places = f.places(l.path)
		for _, p := range l.places {
			dir := f.realDir(p.dir)
			if f.bases[dir] == nil {
				f.bases[dir] = make(map[string][]string)
			}
			f.bases[dir][p.base] = nil
		}
	}
	for dir, bases := range f.bases {
		names, _ := readNames(dir) // the rotated files cannot be read now, then
		for _, name := range names {
			for base := range origins(name) {
				if _, ok := bases[base]; ok {
					bases[base] = append(bases[base], name)
				}
			}
		}
	}
}

// siblings lists the rotated files in a place.
func (f *follower) siblings(p place) (all []entry) {
	for _, name := range f.bases[f.realDir(p.dir)][p.base] {
		if e, ok := f.enter(filepath.Join(p.dir, name)); ok {
			e.age, _ = rotated(p.base, name)
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
func (f *follower) enter(path string) (entry, bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return entry{}, false
	}
	e := entry{path: path, info: info}
	if info.Mode()&os.ModeSymlink != 0 {
		if e.info, err = os.Stat(path); err != nil {
			return entry{}, false
		}
		e.real = resolve(path)
	} else {
		e.real = filepath.Join(f.realDir(filepath.Dir(path)), filepath.Base(path))
	}
	e.id, _ = identify(e.info)
	return e, e.info.Mode().IsRegular()
}

// realPath resolves links, so that a generation can be found when the links change.
func (f *follower) realPath(path string) string {
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink != 0 {
		return resolve(path)
	}
	return filepath.Join(f.realDir(filepath.Dir(path)), filepath.Base(path))
}

// realDir resolves the links of a directory, once a scan.
func (f *follower) realDir(dir string) string {
	real, ok := f.reals[dir]
	if !ok {
		real = resolve(dir)
		f.reals[dir] = real
	}
	return real
}

func resolve(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// selection holds the paths that a user gave: files, directories and patterns.
type selection struct {
	exact    map[string]bool
	patterns []string
}

func selectPaths(paths []string) selection {
	s := selection{exact: make(map[string]bool)}
	for _, path := range paths {
		s.exact[filepath.Clean(path)] = true
		if isPattern(path) {
			s.patterns = append(s.patterns, path)
		}
	}
	return s
}

// has reports whether a path is selected, or lies in a selected directory.
func (s *selection) has(path string) bool {
	if s.exact[path] || s.exact[filepath.Dir(path)] {
		return true
	}
	for _, pattern := range s.patterns {
		if match, _ := filepath.Match(pattern, path); match {
			return true
		}
	}
	return false
}
