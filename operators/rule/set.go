package rule

import "errors"

// A set gives every parameter of a name one value, bare parameters too.
var setKind = kind{
	name:  "set",
	isOp:  true,
	about: "Every parameter of the name gets the value, bare parameters too.",
	members: []member{
		op,
		{name: "params", of: func(w *Wire) any { return &w.Params }, need: needed, schema: `"type": "array", "items": { "type": "string", "minLength": 1 }, "minItems": 1, "maxItems": 1`},
		{name: "to", of: func(w *Wire) any { return &w.To }, need: needed, about: "The new value."},
		{name: "in", of: func(w *Wire) any { return &w.In }, words: []string{"query"}},
	},
	lacks:    setLacks,
	read:     (*Wire).readSet,
	write:    func(r *Rule, w *Wire) { w.Params, w.To = []string{r.Param}, text(r.Value) },
	validate: (*Rule).validateSet,
	texts:    func(r *Rule) [mostTexts]fromURL { return [mostTexts]fromURL{{r.Param, r.Value}} },
	words: func(r *Rule) string {
		return "treat every " + r.Param + "=" + rest + " as " + r.Param + "=" + r.Value
	},
	triggers: func(r *Rule, t *Triggers) { t.add(Trigger{Text: r.Param}) },
	hasQuery: always,
	compare:  func(a, b Likely) int { return CompareParams(&a.Rule, &b.Rule) },
}

const setLacks = "a set needs one name, and to, the new value"

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

func (w *Wire) readSet(r *Rule) error {
	if len(w.Params) != 1 {
		return errors.New(setLacks)
	}
	r.Param, r.Value = w.Params[0], *w.To
	return nil
}
