package duster

// Marks returns the delimiters of a URL, in order. Many URLs of a site have the same ones. A
// rule that does not fit the delimiters ([Rule.Fits]) changes none of these URLs.
func Marks(url string) string {
	b := make([]byte, 0, len(url))
	for i := range len(url) {
		if kindOf(url[i]) == mark {
			b = append(b, url[i])
		}
	}
	return string(b)
}

// Fits reports whether the context may match URLs with these delimiters.
func (r *Rule) Fits(marks string) bool { return r.marks.fit(marks) }

// marks are the delimiters of a context in order. The delimiters of a URL that the context
// matches contain the needed ones in order, and are contained in all of them in order. The
// test is much cheaper than the expression, and most URLs fail it.
type marks struct{ needed, all string }

// marksOf returns the delimiters of a consensus.
func marksOf(a *alphabet, row []column) (m marks) {
	for i := range row {
		if c := &row[i]; c.kind == mark {
			text := a.tokens[c.set[0]]
			m.all += text
			if !c.gap {
				m.needed += text
			}
		}
	}
	return m
}

// fit reports whether the context may match a URL.
func (m *marks) fit(url string) bool {
	needed, all := 0, 0
	for i := range len(url) {
		c := url[i]
		if kindOf(c) != mark {
			continue
		}
		if needed < len(m.needed) && m.needed[needed] == c {
			needed++
		}
		for all < len(m.all) && m.all[all] != c {
			all++
		}
		if all == len(m.all) {
			return false
		}
		all++
	}
	return needed == len(m.needed)
}
