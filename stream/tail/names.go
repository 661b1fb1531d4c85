package tail

import (
	"cmp"
	"iter"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	packedName = regexp.MustCompile(`\.(?:gz|zst|zstd|bz2|xz|lz4|Z|zip)$`)
	marks      = regexp.MustCompile(`^[-_.]\d[-_.:TZ\d]*$|^[-_.](?:old|prev)$|^\.processed(?:[-_.]\d[-_.:TZ\d]*)?$`)
	gathering  = regexp.MustCompile(`\.processed$`) // Plesk appends the lines of the log to such a file
	digits     = regexp.MustCompile(`\d+`)
)

// age orders the rotated generations of a log by their names, because copying and
// compressing change the times of files.
type age struct {
	date   []int // numbers of a date and the numbers after it, which count up; empty: no date
	number int   // counts down
}

// rotated reports whether name is the name of a rotated generation of the log base, and
// returns the age. Rotated names of access.log are access.log.2.gz,
// access.log-20240102, access-2024-01-02T15.log, access.1.log and access.log.old.
// Plesk's access_log.processed and access_log.processed.1.gz are rotated names of
// access_log.
func rotated(base, name string) (age, bool) {
	plain := packedName.ReplaceAllString(name, "")
	if plain == base {
		return age{}, name != base
	}
	if rest, ok := strings.CutPrefix(plain, base); ok && marks.MatchString(rest) {
		return parseAge(rest), true
	}
	ending := filepath.Ext(base)
	rest, begins := strings.CutPrefix(plain, strings.TrimSuffix(base, ending))
	rest, ends := strings.CutSuffix(rest, ending)
	if begins && ends && ending != "" && marks.MatchString(rest) {
		return parseAge(rest), true
	}
	return age{}, false
}

// origins yields the names of the logs of which name is the name of a rotated generation.
func origins(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		plain := packedName.ReplaceAllString(name, "")
		ending := filepath.Ext(plain)
		stem := strings.TrimSuffix(plain, ending)
		bases := []string{plain}
		for i := range plain {
			if strings.IndexByte("-_.", plain[i]) >= 0 {
				bases = append(bases, plain[:i])
				if i < len(stem) {
					bases = append(bases, plain[:i]+ending)
				}
			}
		}
		for _, base := range bases {
			if _, ok := rotated(base, name); ok && base != "" && !yield(base) {
				return
			}
		}
	}
}

func parseAge(marks string) age {
	var all []int
	for _, word := range digits.FindAllString(marks, -1) {
		n, _ := strconv.Atoi(word[:min(len(word), 18)])
		all = append(all, n)
	}
	switch {
	case len(all) == 0:
		return age{number: 1}
	case len(all) >= 3 || all[0] >= 100_000:
		return age{date: all}
	}
	number := all[len(all)-1]
	if strings.HasPrefix(marks, ".processed") {
		number++ // access_log.processed itself has no number and counts as 1
	}
	return age{number: number}
}

// compareAge orders the oldest first: by date, then by number. Dated names come first.
func compareAge(a, b age) int {
	dated := cmp.Compare(min(len(b.date), 1), min(len(a.date), 1))
	return cmp.Or(dated, slices.Compare(a.date, b.date), b.number-a.number)
}

// isPattern reports whether a path contains a special character of filepath.Match.
func isPattern(path string) bool { return strings.ContainsAny(path, `*?[\`) }
