package rule

// MaxSite is the greatest size of the rules of one site together. docs/rules.md defines the size
// of a rule, and readers of lists refuse more.
const MaxSite = 16 << 20

// bareSize is the size of a rule without texts.
const bareSize = 128

// Size returns the size of a rule: 128, and the bytes of all texts that its record has, words and
// the keys of templates too.
func (w *Wire) Size() int {
	n := bareSize + len(w.Kind) + len(w.Op) + len(w.In) + len(w.Form) + len(w.Direction) + len(w.Class)
	n += lengthOf(w.Alpha) + lengthOf(w.Beta) + lengthOf(w.Value) + lengthOf(w.To) + lengthOf(w.After)
	for _, name := range w.Params {
		n += len(name)
	}
	if w.Pattern != nil {
		n += len(w.Pattern.Prefix) + len(w.Pattern.Class)
	}
	for key, value := range w.Where {
		n += len(key) + len(value)
	}
	for key, edit := range w.Edit {
		n += len(key) + edit.size()
	}
	return n + w.Scope.size() + w.Except.size()
}

func lengthOf(text *string) int {
	if text == nil {
		return 0
	}
	return len(*text)
}

func (e *WireEdit) size() int {
	if e.Drop {
		return len("drop")
	}
	return lengthOf(e.Set) + lengthOf(e.Copy)
}

func (w *WireScope) size() int {
	if w == nil {
		return 0
	}
	n := lengthOf(w.Path) + lengthOf(w.Prefix)
	for i := range w.Where {
		c := &w.Where[i]
		n += len(c.Param) + lengthOf(c.Value) + lengthOf(c.Begins)
	}
	return n
}

func (w *WireExcept) size() (n int) {
	if w == nil {
		return 0
	}
	for i := range w.Scopes {
		n += w.Scopes[i].size()
	}
	for _, url := range w.URLs {
		n += len(url)
	}
	return n
}
