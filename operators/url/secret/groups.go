package secret

import "strings"

// Groups of letters and digits with dashes between, as in the keys of products and in codes
// to recover an account: XK7P-9QMD-2R4T, ab12c-de34f.
const (
	leastGroup = 4
	mostGroup  = 6
)

// isGroups reports whether a run of letters, digits and dashes consists of such groups, or is
// a social security number: 3, 2 and 4 digits. In two groups, or in small letters, letters
// and digits alternate. Groups that differ in digits only are no code: S1E02-S2E03.
func isGroups(run string) bool {
	parts, mixed, dense := 0, 0, 0
	upper, alike := true, true
	first := ""
	for part := range strings.SplitSeq(run, "-") {
		if parts++; parts == 1 {
			first = part
		}
		if len(part) != len(first) || len(part) < leastGroup || len(part) > mostGroup {
			return isSocial(run)
		}
		turns := 0
		for i := range len(part) {
			upper = upper && part[i] < 'a'
			alike = alike && (part[i] == first[i] || kind(part[i]) == digit && kind(first[i]) == digit)
			if i > 0 && kind(part[i]) != kind(part[i-1]) {
				turns++
			}
		}
		mixed += min(turns, 1)
		dense += min(turns, 2) / 2
	}
	return !alike && parts > 1 && (dense == parts || parts > 2 && upper && mixed > 1 && 2*mixed >= parts)
}

func isSocial(run string) bool {
	return len(run) == 11 && run[3] == '-' && run[6] == '-' && countDigits(run) == 9
}

// hasGroups reports whether a text holds a code in groups that is not public.
func hasGroups(text string, public func(string) bool) bool {
	if strings.IndexByte(text, '-') < 0 {
		return false
	}
	for run := range runs(text, dash) {
		if run = strings.Trim(run, "-"); strings.IndexByte(run, '-') > 0 && isGroups(run) && !public(run) {
			return true
		}
	}
	return false
}
