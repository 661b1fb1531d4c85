package rule

// Rule is one directed edit of mined strings (path and query, or with hosts before them),
// as a crawler applies it. Rules can be compared with ==.
type Rule struct {
	Edit   Edit
	Scope  Scope
	Except Except // URLs in the scope that the rule leaves as they are
}

// Edit is what a rule does: a [Substring], [Drop], [Set], [Order], [Syntax], [Rewrite] or
// [Segment]. Edits can be compared with ==.
type Edit interface {
	kind() Kind
	validate() error           // of what the texts do not tell
	texts() [mostTexts]fromURL // the texts that come from URLs, but for a template
	words() string             // for people
	triggers(t *Triggers)      // adds the triggers of the edit
	write(w *Wire)             // sets the members; the inverse of the kind's read
}

// Kind returns the kind of the rule's edit.
func (r *Rule) Kind() Kind { return r.does().kind() }

// does returns the edit. The zero Rule, which is not valid, is a substring rule without texts.
func (r *Rule) does() Edit {
	if r.Edit == nil {
		return Substring{}
	}
	return r.Edit
}

// Sides returns the text that a rule replaces and the text that takes its place: the edit of a
// substring rule, and After and To of a segment rule. Other rules have none.
func (r *Rule) Sides() Substring {
	switch e := r.Edit.(type) {
	case Substring:
		return e
	case Segment:
		return Substring{From: e.After, To: e.To}
	}
	return Substring{}
}

// Syntax returns the edit of a syntax rule, and the zero Syntax of other rules.
func (r *Rule) Syntax() (e Syntax) { e, _ = r.Edit.(Syntax); return e }

// Rewrite returns the edit of a rewrite, and the zero Rewrite of other rules.
func (r *Rule) Rewrite() (e Rewrite) { e, _ = r.Edit.(Rewrite); return e }

// Segment returns the edit of a segment rule, and the zero Segment of other rules.
func (r *Rule) Segment() (e Segment) { e, _ = r.Edit.(Segment); return e }

// Params returns the parameters that a rule removes or changes: its drop, or for a set the drop
// of its name, whose Value is the new value. Of a segment rule it has the pattern of the segment
// alone. Other rules have none.
func (r *Rule) Params() Drop {
	switch e := r.Edit.(type) {
	case Drop:
		return e
	case Set:
		return Drop{Param: e.Param, Value: e.Value}
	case Segment:
		return Drop{Pattern: Pattern{Class: e.Class}}
	}
	return Drop{}
}

// EditsParams reports whether the rule removes or changes parameters by their names.
func (r *Rule) EditsParams() bool { k := r.Kind(); return k == KindDrop || k == KindSet }

// HasOneName reports whether the rule removes or changes all parameters of one name in the
// query.
func (r *Rule) HasOneName() bool {
	d := r.Params()
	return r.EditsParams() && d == Drop{Param: d.Param, Value: d.Value}
}

// Rest returns a URL without the parameters that the rule removes or changes. Rules that
// edit no parameters leave the URL as it is.
func (r *Rule) Rest(url []byte) []byte {
	if d := r.Params(); r.EditsParams() {
		if rest, changed := d.apply(nil, url); changed {
			return rest
		}
	}
	return url
}

// Apply applies the rule once. It appends the edited URL to dst, or returns dst unchanged
// if the URL does not change. The rule must be valid. dst and url may share memory if url
// does not lie behind dst's end. Apply allocates only to grow dst, and for an Order rule
// that edits more than 64 parameters. O(bytes of url), times the bytes of From at worst.
func (r *Rule) Apply(dst, url []byte) (out []byte, changed bool) {
	inPath := r.inPath()
	if !r.isIn(&r.Scope, url) || r.Scope.HasPath && !inPath && !r.Scope.hasPath(url[:pathEnd(url)]) {
		return dst, false
	}
	out, changed = r.edit(dst, url)
	if !changed || !inPath && r.Except == (Except{}) {
		return out, changed
	}
	path := url
	if inPath {
		path = out[len(dst):]
	}
	path = path[:pathEnd(path)]
	if !r.Scope.hasPath(path) || r.excepts(url, path) {
		return dst, false
	}
	return out, true
}

// inPath reports whether the rule removes parameters of path segments.
func (r *Rule) inPath() bool {
	d, is := r.Edit.(Drop)
	return is && d.InPath
}

func hasPrefix(url []byte, prefix string) bool {
	return len(url) >= len(prefix) && string(url[:len(prefix)]) == prefix
}
