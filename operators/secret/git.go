package secret

import (
	"iter"
	"strings"
)

// nothing reports that no run is public.
func nothing(string) bool { return false }

// objects returns a function that reports which runs of a URL are public: the names of git
// objects, if the URL names a git repository.
func objects(url string) func(run string) bool {
	if namesRepository(url) {
		return IsObject
	}
	return nothing
}

// Objects yields the names of git objects in a URL that names a repository. Other URLs have
// none. O(bytes).
func Objects(url string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !namesRepository(url) {
			return
		}
		start := 0
		for i := 0; i <= len(url); i++ {
			if i < len(url) && kind(url[i]) != other {
				continue
			}
			if run := url[start:i]; IsObject(run) && !yield(run) {
				return
			}
			start = i + 1
		}
	}
}

// PublicIn returns a function that reports which runs of letters and digits are public in rules
// for some URLs: the names of git objects in those URLs that name a repository. The URLs are
// read once, when a run first has the form of such a name: O(bytes). Each URL is needed until the
// next URL.
func PublicIn(urls iter.Seq[[]byte]) func(run string) bool {
	var names map[string]bool // nil: not read yet
	return func(run string) bool {
		if !IsObject(run) {
			return false
		}
		if names == nil {
			names = map[string]bool{}
			for url := range urls {
				for name := range Objects(string(url)) {
					names[strings.Clone(name)] = true
				}
			}
		}
		return names[run]
	}
}

// namesRepository reports whether a path segment, or the value of a parameter, ends in
// .git, as a repository's name does by custom.
func namesRepository(text string) bool {
	if !strings.Contains(text, ".git") {
		return false
	}
	for p := range pieces(text, outer) {
		if strings.HasSuffix(p.text, ".git") {
			return true
		}
	}
	return false
}

// IsObject reports whether a run of letters and digits has the form of the name of a git
// object: 40 or 64 lower-case hexadecimal digits.
func IsObject(run string) bool {
	return (len(run) == 40 || len(run) == 64) && strings.Trim(run, "0123456789abcdef") == ""
}
