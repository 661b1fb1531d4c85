package rule

import "errors"

// Set gives every parameter of a name one value, bare parameters too.
type Set struct{ Param, Value string }

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
	hasQuery: always,
	compare:  func(a, b Likely) int { return CompareParams(&a.Rule, &b.Rule) },
}

const setLacks = "a set needs one name, and to, the new value"

func (Set) kind() Kind                  { return KindSet }
func (e Set) texts() [mostTexts]fromURL { return [mostTexts]fromURL{{e.Param, e.Value}} }
func (e Set) triggers(t *Triggers)      { t.add(Trigger{Text: e.Param}) }
func (e Set) write(w *Wire)             { w.Params, w.To = []string{e.Param}, text(e.Value) }
func (e Set) words() string {
	return "treat every " + e.Param + "=" + rest + " as " + e.Param + "=" + e.Value
}

// apply appends a URL with the new value for every occurrence of a parameter.
func (e *Set) apply(dst, url []byte) ([]byte, bool) {
	copied := 0
	for from, to := range Query(url) {
		if p := url[from:to]; named(p, e.Param) && !valued(p, e.Param, e.Value) {
			dst = append(append(dst, url[copied:from]...), e.Param...)
			dst = append(append(dst, '='), e.Value...)
			copied = to
		}
	}
	return finish(dst, url, copied)
}

func (e Set) validate() error {
	if e.Param == "" {
		return errors.New("the parameter has no name")
	}
	return validatePiece(e.Param, e.Value, false)
}

func (w *Wire) readSet() (Edit, error) {
	if len(w.Params) != 1 {
		return nil, errors.New(setLacks)
	}
	return Set{w.Params[0], *w.To}, nil
}
