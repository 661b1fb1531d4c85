package compare

import (
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// list is an ordered list of deployed rules. A round brings a URL to its canonical form
// under the rules of package rule ([canon.Canonizer]), and then applies each expression
// once, in list order.
type list struct {
	rules       []Candidate
	canonizer   *canon.Canonizer
	expressions []Candidate
	buf         []byte
}

// newList returns a list of valid rules. The error is of a list beyond the bounds of package
// canon.
func newList(rules []Candidate) (l *list, err error) {
	l = &list{rules: rules}
	plain := make([]rule.Rule, 0, len(rules))
	for i := range rules {
		if rules[i].Expression != nil {
			l.expressions = append(l.expressions, rules[i])
		} else {
			plain = append(plain, rules[i].Rule)
		}
	}
	l.canonizer, err = canon.Compile(plain)
	return l, err
}

// form returns the canonical form of a URL: rounds are repeated until a round changes
// nothing. A URL that the last of [canon.MaxRounds] rounds still changes is its own form.
func (l *list) form(url string) string {
	at := url
	for range canon.MaxRounds {
		before := at
		l.buf = append(l.buf[:0], at...)
		out, _ := l.canonizer.Canon(nil, l.buf)
		if at = string(out); len(l.expressions) == 0 {
			return at
		}
		for i := range l.expressions {
			at, _ = l.expressions[i].rewrite(at)
		}
		if at == before {
			return at
		}
	}
	return url
}
