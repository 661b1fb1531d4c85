package tail

import (
	"bytes"
	"errors"
	"slices"

	"dustbuster/operators/read/weblog"
)

// torn counts the last lines of a generation, and those of them that were left out because they
// hold zero bytes or have lost a half. A line here and there is what a crash leaves. A text of
// which most lines are left out is no log that can be followed.
type torn struct {
	seen, left int
	wrong      error // nil: most of the last lines are whole
}

// Older lines lose half of their weight at each step. Fewer lines than enoughLines prove nothing.
const (
	lastLines   = 128
	enoughLines = 8
)

var (
	errUTF16 = errors.New(weblog.UTF16)
	errTorn  = errors.New("most of the last lines hold zero bytes, or are torn: do two programs write to the file, or one without O_APPEND?")
)

// add counts lines, and reports whether the state has changed.
func (t *torn) add(whole, left int, head []byte) (changed bool) {
	t.seen, t.left = t.seen+whole+left, t.left+left
	for t.seen > lastLines {
		t.seen, t.left = t.seen/2, t.left/2
	}
	before := t.wrong
	switch {
	case left > 0 && whole == 0 && weblog.IsUTF16(head):
		t.wrong = errUTF16
	case t.wrong == nil && t.seen >= enoughLines && 2*t.left > t.seen:
		t.wrong = errTorn
	case t.wrong != nil && 4*t.left < t.seen:
		t.wrong = nil
	}
	return t.wrong != before
}

// weigh compares the lines that are handed over with those left out, and reports whether the
// generation has become unreadable, or readable.
func (f *follower) weigh(g *generation, text []byte) (changed bool) {
	left := int(g.cut.runs)
	if g.cut.torn > 0 && left == 0 && g.cut.state == atLine {
		left = 1
	}
	if left == 0 && g.torn.left == 0 {
		return false
	}
	changed = g.torn.add(bytes.Count(text, []byte{'\n'}), left, g.head)
	if changed && g.torn.wrong != nil {
		f.complain(g.owner, g.torn.wrong)
	}
	return changed
}

// Unreadable returns the followed paths whose files hold no lines that can be handed over, each
// with the reason. Any goroutine may call Unreadable.
func (r *Reader) Unreadable() map[string]error {
	all := make(map[string]error)
	for _, one := range r.shown().paths {
		if one.live == nil {
			continue
		}
		if wrong := one.live.look().wrong; wrong != nil {
			all[one.path] = wrong
		}
	}
	return all
}

// Missing lists the paths, patterns and directories for which no file was found since the Reader
// was opened, nor before, as far as its positions say. Any goroutine may call Missing.
func (r *Reader) Missing() (all []string) {
	for _, one := range r.shown().paths {
		if one.never {
			all = append(all, one.path)
		}
	}
	slices.Sort(all)
	return all
}
