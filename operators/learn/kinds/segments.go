package kinds

import (
	"strings"

	"dustbuster/operators/rule"
)

// leastValues is the number of different values of a segment that is no page's own. Versions have
// fewer.
const leastValues = 10

// segmentClasses are the classes of segments.
var segmentClasses = [...]rule.Pattern{{Class: rule.Digits}, {Class: rule.Hex}}

// trySegments tries to cut segments out of the path.
func (l *learner) trySegments() {
	for i, list := range l.segments() {
		list = sortNames(list)
		for from := 0; from < len(list) && !l.halted; {
			to := from + 1
			for to < len(list) && list[to].name == list[from].name {
				to++
			}
			if l.hasValues(list[from:to], segmentClasses[i].Class) {
				l.trySegment(rule.Segment{After: list[from].name, To: list[from].name, Class: segmentClasses[i].Class}, list[from:to])
			}
			from = to
		}
	}
}

// trySegment tries a rule on the pages with a value of the class. What stands before the segment
// is left, or loses its own last segment, the mark of the value (/s/7f3a9c21/a is /s/a, or /a).
func (l *learner) trySegment(s rule.Segment, list []named) {
	var urls []uint32
	for i := range list {
		urls = append(urls, list[i].url)
	}
	l.try(rule.Rule{Edit: s}, urls)
	if mark := strings.LastIndexByte(s.After[:len(s.After)-1], '/'); mark >= 0 {
		s.To = s.After[:mark+1]
		l.try(rule.Rule{Edit: s}, urls)
	}
}

// hasValues reports whether enough different values stand behind one text. Of digits those count
// that are no dates, of hexadecimal digits those that are no numbers.
func (l *learner) hasValues(list []named, class rule.Class) bool {
	if len(list) < leastValues {
		return false
	}
	values := map[string]bool{}
	for i := range list {
		_, path, _ := strings.Cut(l.pages[list[i].url].URL, "/")
		value, _, _ := strings.Cut(path[len(list[i].name)-1:], "/")
		if isNumber := strings.Trim(value, "0123456789") == ""; class == rule.Digits && !isDate(value) || class == rule.Hex && !isNumber {
			values[value] = true
		}
		if len(values) == leastValues {
			return true
		}
	}
	return false
}

// isDate reports whether digits may be a year, a month or a day of this century or the last.
func isDate(digits string) bool {
	n := len(digits)
	return (n == 4 || n == 6 || n == 8) && (digits[:2] == "19" || digits[:2] == "20")
}

// segments returns, by class, what stands in the path before each segment of the class, if more of
// the path stands behind that segment.
func (l *learner) segments() (lists [len(segmentClasses)][]named) {
	for _, u := range l.all {
		if l.give() {
			return lists
		}
		path, _, _ := strings.Cut(l.pages[u].URL, "?")
		path = path[max(0, strings.IndexByte(path, '/')):]
		for from, to := 1, 0; ; from = to + 1 {
			n := strings.IndexByte(path[min(from, len(path)):], '/')
			if to = from + n; n < 0 || to+1 == len(path) {
				break
			}
			if n < leastOfDigits || path[to+1] == '/' {
				continue
			}
			l.url = append(l.url[:0], path[from:to]...)
			for i := range segmentClasses {
				if segmentClasses[i].Matches(l.url) {
					lists[i] = append(lists[i], named{name: path[:from], url: u})
				}
			}
		}
	}
	return lists
}
