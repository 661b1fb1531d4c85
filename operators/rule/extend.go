package rule

import (
	"bytes"
	"fmt"
)

// Extend adds a kind without members to the program, and returns the kind and a function
// that removes the kind. Extend is for tests that follow a new kind through the program:
// Extend must not run beside other uses of rules. apply returns the edited URL.
func Extend(name string, apply func(url []byte) []byte) (added Kind, remove func()) {
	added = Kind(len(kinds))
	kinds = append(kinds, kind{
		name:     name,
		validate: func(r *Rule) error { return nil },
		write:    func(r *Rule, w *Wire) { w.Kind = name },
		read:     func(*Wire, *Rule) error { return nil },
		words:    func(*Rule) string { return name },
		triggers: func(_ *Rule, t *Triggers) {},
		compare:  func(_, _ Likely) int { return 0 },
		apply:    apply,
	})
	return added, func() { kinds = kinds[:added] }
}

// editExtended applies the edit of a kind that Extend has added.
func (r *Rule) editExtended(dst, url []byte) (out []byte, changed bool) {
	if int(r.Kind) >= len(kinds) || kinds[r.Kind].apply == nil {
		panic(fmt.Sprintf("rule: kind %d is unknown", r.Kind))
	}
	made := kinds[r.Kind].apply(bytes.Clone(url))
	if bytes.Equal(made, url) {
		return dst, false
	}
	return append(dst, made...), true
}
