package rule

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	jsonv2 "github.com/go-json-experiment/json"
)

// ID returns the rule's name on a site: a hash of the rule's content but the exceptions,
// equal in every process and release.
func ID(site string, r *Rule) string {
	bare := *r
	bare.Except = Except{}
	text, err := json.Marshal(struct {
		Site string
		Wire
	}{site, *NewWire(&bare)})
	if err != nil {
		panic(err) // strings, numbers and booleans can always be encoded
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:10])
}

// Wire is the written form of a rule. The members of each kind are declared in its file. A
// nil or empty member does not apply to the rule.
type Wire struct {
	Kind string `json:"kind"` // "substring", "parameter", "form", "template" or "segment"
	WireSubstring
	WireSyntax
	WireParameter
	WireRewrite
	WireSegment
	Scope  *WireScope  `json:"scope,omitempty"`  // nil: the whole site
	Except *WireExcept `json:"except,omitempty"` // nil: none
}

// WireScope is the written form of a scope. An empty WireScope is the whole site. An
// unknown member is an UnknownError: without it, the rule would edit more URLs than
// intended.
type WireScope struct {
	Path   *string         `json:"path,omitempty"`
	Prefix *string         `json:"prefix,omitempty"`
	Where  []WireCondition `json:"where,omitempty"` // at most two
}

// WireCondition is the written form of a condition of a scope.
type WireCondition struct {
	Param  string  `json:"param"`
	Value  *string `json:"value,omitempty"`
	Valued bool    `json:"valued,omitempty"`
	Own    bool    `json:"own,omitempty"`    // of exceptions: on the rule's own parameter
	Begins *string `json:"begins,omitempty"` // with own: the value begins so
}

// UnknownError is the error of a rule whose meaning this version does not know. A reader
// leaves it out, and applies no rule of its site.
type UnknownError struct {
	What string // what is unknown, and its name
}

func (e *UnknownError) Error() string { return e.What + " is unknown to this version" }

// UnmarshalJSON reads a scope. The error of an unknown member is an UnknownError.
func (w *WireScope) UnmarshalJSON(text []byte) error {
	type plain WireScope // without this method
	return strictly("scope", text, (*plain)(w))
}

// strictly decodes JSON. An unknown member is an UnknownError.
func strictly(what string, text []byte, to any) error {
	err := jsonv2.Unmarshal(text, to, jsonv2.RejectUnknownMembers(true))
	if at, is := errors.AsType[*jsonv2.SemanticError](err); is && errors.Is(err, jsonv2.ErrUnknownName) {
		err = &UnknownError{"member " + strconv.Quote(at.JSONPointer.LastToken())}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// NewWire returns the written form of a rule.
func NewWire(r *Rule) *Wire {
	w := &Wire{Scope: newWireScope(&r.Scope), Except: newWireExcept(r.Except)}
	k := &kinds[r.Kind()]
	if w.Kind = k.name; k.isOp {
		w.Kind, w.Op = parameter, k.name
	}
	r.does().write(w)
	return w
}

func newWireScope(s *Scope) *WireScope {
	w := &WireScope{}
	if s.HasPath {
		w.Path = text(s.Path)
	}
	if s.Prefix != "" {
		w.Prefix = text(s.Prefix)
	}
	for _, c := range s.Where {
		if c.Param == "" {
			continue
		}
		out := WireCondition{Param: c.Param, Valued: c.Valued, Own: c.Own}
		if c.HasValue {
			out.Value = text(c.Value)
		}
		if c.Begins != "" {
			out.Begins = text(c.Begins)
		}
		w.Where = append(w.Where, out)
	}
	return w
}

// Rule returns the rule. The error is an UnknownError if its kind or a member is unknown,
// or else describes a missing or wrong member. Without a direction, as in mine's output,
// alpha becomes beta.
func (w *Wire) Rule() (r Rule, err error) {
	err = w.read(&r)
	if err == nil {
		err = r.Validate()
	}
	if err != nil {
		return r, fmt.Errorf("read rule: %w", err)
	}
	return r, nil
}

func (w *Wire) read(r *Rule) error {
	at, err := w.kind()
	if err != nil {
		return err
	}
	if err := w.checkOthers(&kinds[at]); err != nil {
		return err
	}
	if err := w.Scope.read(&r.Scope); err != nil {
		return err
	}
	if r.Except, err = w.Except.read(); err != nil {
		return err
	}
	if err = w.checkOwn(&kinds[at]); err == nil {
		r.Edit, err = kinds[at].read(w)
	}
	return err
}

func (w *Wire) kind() (int, error) {
	name, isOp := w.Kind, w.Kind == parameter
	if isOp {
		name = w.Op
	}
	switch {
	case w.Kind == "":
		return 0, errors.New("it has no kind")
	case name == "":
		return 0, errors.New("it has no op")
	}
	for at := range kinds {
		if kinds[at].name == name && kinds[at].isOp == isOp {
			return at, nil
		}
	}
	return 0, &UnknownError{w.name()}
}

// name returns the kind, and the op of a parameter rule, for errors.
func (w *Wire) name() string {
	if w.Kind == parameter {
		return fmt.Sprintf("kind %q with op %q", w.Kind, w.Op)
	}
	return fmt.Sprintf("kind %q", w.Kind)
}

// read reads a scope. The conditions may stand in any order.
func (w *WireScope) read(s *Scope) error {
	if w == nil {
		return nil
	}
	switch {
	case w.Prefix != nil && *w.Prefix == "":
		return errors.New("an empty prefix in its scope: leave it out")
	case len(w.Where) > len(s.Where):
		return fmt.Errorf("%d conditions in its scope, at most %d", len(w.Where), len(s.Where))
	}
	for i, c := range w.Where {
		if c.Param == "" {
			return errors.New("a condition without a parameter in its scope")
		}
		s.Where[i] = Condition{Param: c.Param, Valued: c.Valued, Own: c.Own}
		if c.Begins != nil {
			if s.Where[i].Begins = *c.Begins; *c.Begins == "" {
				return errors.New("an empty beginning in a condition: leave it out")
			}
		}
		if c.Value != nil {
			s.Where[i].Value, s.Where[i].HasValue = *c.Value, true
		}
	}
	if s.Where[1].Param != "" && s.Where[0].compare(s.Where[1]) > 0 {
		s.Where[0], s.Where[1] = s.Where[1], s.Where[0]
	}
	if w.Path != nil {
		s.Path, s.HasPath = *w.Path, true
	}
	if w.Prefix != nil {
		s.Prefix = *w.Prefix
	}
	return nil
}

func text(s string) *string { return &s }

// MarshalJSON writes the rule as a Wire.
func (r Rule) MarshalJSON() ([]byte, error) { return json.Marshal(NewWire(&r)) }

// UnmarshalJSON reads a rule written by MarshalJSON.
func (r *Rule) UnmarshalJSON(b []byte) (err error) {
	var w Wire
	if err = json.Unmarshal(b, &w); err == nil {
		*r, err = w.Rule()
	}
	return err
}

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
