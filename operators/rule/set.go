package rule

import "errors"

// A set gives every parameter of a name one value, bare parameters too.
var setKind = kind{
	name:     "set",
	members:  []string{"op", "param", "params", "value", "to", "in"},
	validate: (*Rule).validateSet,
	write: func(r *Rule, w *Wire) {
		w.Kind, w.Op, w.Params, w.To = "parameter", "set", []string{r.Param}, text(r.Value)
	},
	read:     (*Wire).readSet,
	words:    func(r *Rule) string { return "set " + r.Param + "=" + r.Value },
	triggers: func(r *Rule, t *Triggers) { t.add(Trigger{Text: r.Param}) },
	compare:  func(a, b Likely) int { return CompareParams(&a.Rule, &b.Rule) },
}

// set appends a URL with the new value for every occurrence of a parameter.
func (r *Rule) set(dst, url []byte) ([]byte, bool) {
	copied := 0
	for from, to := range Query(url) {
		if p := url[from:to]; named(p, r.Param) && !valued(p, r.Param, r.Value) {
			dst = append(append(dst, url[copied:from]...), r.Param...)
			dst = append(append(dst, '='), r.Value...)
			copied = to
		}
	}
	if copied == 0 {
		return dst, false
	}
	return append(dst, url[copied:]...), true
}

func (r *Rule) validateSet() error {
	switch {
	case *r != Rule{Kind: Set, Param: r.Param, Value: r.Value, Scope: r.Scope, Except: r.Except}:
		return errors.New("a set has members other than a name and a value")
	case r.Param == "":
		return errors.New("the parameter has no name")
	}
	return validatePiece(r.Param, r.Value, false)
}

// readSet reads a set. Schema 1 writes the new value as value.
func (w *Wire) readSet(r *Rule) error {
	to := w.To
	if w.Param != nil {
		to = w.Value
	}
	names := w.names()
	switch {
	case w.In != "" && w.In != "query":
		return errors.New("a set is of parameters in the query alone")
	case len(names) != 1 || to == nil || w.To != nil && w.Value != nil:
		return errors.New("a set needs one name, and to, the new value")
	}
	r.Param, r.Value = names[0], *to
	return nil
}
