package secret

import (
	"hash/maphash"
	"iter"
	"strings"

	"dustbuster/operators/url/action"
)

func nothing(string) bool { return false }

// objects returns a function that reports which runs of a URL are public: the names of git
// objects, if the URL names a git repository.
func objects(url string) func(run string) bool {
	if namesRepository(url) {
		return IsObject
	}
	return nothing
}

// PublicIn returns a function that reports which runs of text are public on a site, given its
// URLs, each with whether several clients asked for it: the names of git objects in URLs that
// name a repository, and the random text of URLs for which several clients asked. The URLs are
// read once, when a run is first asked for: O(bytes), and 8 bytes of memory for each long run.
// Each URL is needed until the next. Two runs are confused with a probability of 2^-64.
func PublicIn(urls iter.Seq2[[]byte, bool]) func(run string) bool {
	seed := maphash.MakeSeed()
	var known map[uint64]struct{} // nil: not read yet
	return func(run string) bool {
		if known == nil {
			known = map[uint64]struct{}{}
			add := func(run string) { known[maphash.String(seed, run)] = struct{}{} }
			for url, several := range urls {
				publicRuns(string(url), several, add)
			}
		}
		_, is := known[maphash.String(seed, run)]
		return is
	}
}

// publicRuns calls add for the runs of a URL that are public.
func publicRuns(text string, several bool, add func(run string)) {
	switch {
	case several:
		longRuns(action.Decode(text), add)
	case namesRepository(text):
		for run := range runs(text, noneElse) {
			if IsObject(run) {
				add(run)
			}
		}
	}
}

// runBytes are the bytes, besides letters and digits, of runs that may look like a secret: of
// tokens, of tokens with dashes, of groups, and of addresses.
var runBytes = []*set{noneElse, setOf("-_"), dash, setOf(".:")}

// longRuns calls add for the runs of a text that are long enough to look like a secret.
func longRuns(text string, add func(run string)) {
	for _, also := range runBytes {
		for run := range runs(text, also) {
			if len(run) >= leastRun {
				add(run)
			}
		}
	}
}

// leastRun is the length of the shortest run that may look random: an IPv6 address.
const leastRun = 6

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
