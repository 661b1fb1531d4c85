package rule

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"dustbuster/operators/dust"
)

// Shrinking returns a substring rule in the direction that shrinks URLs. Other rules are
// returned as they are.
func (r Rule) Shrinking() Rule {
	if r.Grows() {
		r.From, r.To = r.To, r.From
	}
	return r
}

// Grows reports whether a substring rule turns the smaller side of its pair into the larger one.
func (r *Rule) Grows() bool { return r.Kind == Substring && dust.Larger(r.To, r.From) }

// ID returns the rule's name on a site: a hash of the rule's content, equal in every
// process and release.
func ID(site string, r *Rule) string {
	text, err := json.Marshal(struct {
		Site string
		Wire
	}{site, *NewWire(r)})
	if err != nil {
		panic(err) // strings, numbers and booleans can always be encoded
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:10])
}

// Wire is the written form of a rule: the form of mine's output, with the direction. A nil
// member does not apply to the rule.
type Wire struct {
	Kind      string     `json:"kind"`                // "substring" or "parameter"
	Alpha     *string    `json:"alpha,omitempty"`     // the larger side
	Beta      *string    `json:"beta,omitempty"`      // the smaller side
	AtStart   *bool      `json:"at_start,omitempty"`  // both sides stand at the URL's start
	AtEnd     *bool      `json:"at_end,omitempty"`    // both sides stand at the URL's end
	Direction string     `json:"direction,omitempty"` // "alpha_to_beta" or "beta_to_alpha"
	Op        string     `json:"op,omitempty"`        // "drop" or "set"
	Param     *string    `json:"param,omitempty"`
	Value     *string    `json:"value,omitempty"` // of set
	Scope     *WireScope `json:"scope,omitempty"` // nil: the whole site
}

// WireScope is the written form of a scope. An empty WireScope is the whole site. Unlike in
// other objects, an unknown member is an error: without the member, the rule would edit
// more URLs than intended.
type WireScope struct {
	Path   *string `json:"path,omitempty"`
	Prefix *string `json:"prefix,omitempty"`
	Param  *string `json:"param,omitempty"`
	Value  *string `json:"value,omitempty"`
}

// UnmarshalJSON reads a scope.
func (w *WireScope) UnmarshalJSON(text []byte) error {
	type plain WireScope // without this method
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode((*plain)(w)); err != nil {
		return fmt.Errorf("scope: %w", err)
	}
	return nil
}

// NewWire returns the written form of a rule.
func NewWire(r *Rule) *Wire {
	w := &Wire{Kind: "parameter", Scope: newWireScope(&r.Scope)}
	switch r.Kind {
	case Substring:
		p := r.Pair()
		w.Kind, w.Direction = "substring", "alpha_to_beta"
		w.Alpha, w.Beta, w.AtStart, w.AtEnd = &p.Alpha, &p.Beta, &p.AtStart, &p.AtEnd
		if r.Grows() {
			w.Direction = "beta_to_alpha"
		}
	case Drop:
		w.Op, w.Param = "drop", text(r.Param)
	case Set:
		w.Op, w.Param, w.Value = "set", text(r.Param), text(r.Value)
	}
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
	if s.Param != "" {
		w.Param = text(s.Param)
	}
	if s.HasValue {
		w.Value = text(s.Value)
	}
	return w
}

// Rule returns the rule. Rule returns an error that describes a missing or wrong member.
// Without a direction, as in mine's output, alpha becomes beta.
func (w *Wire) Rule() (Rule, error) {
	r := Rule{Scope: w.Scope.scope()}
	isEmpty := func(p *string) bool { return p != nil && *p == "" }
	switch {
	case w.Direction != "" && w.Direction != "alpha_to_beta" && w.Direction != "beta_to_alpha":
		return r, fmt.Errorf("read rule: direction %q is neither alpha_to_beta nor beta_to_alpha", w.Direction)
	case w.Scope != nil && (isEmpty(w.Scope.Prefix) || isEmpty(w.Scope.Param)):
		return r, errors.New("read rule: an empty prefix or param in its scope: leave it out")
	case w.Kind == "substring" && w.Alpha != nil && w.Beta != nil && w.AtStart != nil && w.AtEnd != nil:
		r.From, r.To, r.AtStart, r.AtEnd = *w.Alpha, *w.Beta, *w.AtStart, *w.AtEnd
		if w.Direction == "beta_to_alpha" {
			r.From, r.To = r.To, r.From
		}
	case w.Kind == "parameter" && w.Op == "drop" && w.Param != nil:
		r.Kind, r.Param = Drop, *w.Param
	case w.Kind == "parameter" && w.Op == "set" && w.Param != nil && w.Value != nil:
		r.Kind, r.Param, r.Value = Set, *w.Param, *w.Value
	default:
		return r, fmt.Errorf("read rule: kind %q with op %q lacks a member", w.Kind, w.Op)
	}
	if err := r.Validate(); err != nil {
		return r, fmt.Errorf("read rule: %w", err)
	}
	return r, nil
}

func (w *WireScope) scope() (s Scope) {
	if w == nil {
		return s
	}
	of := func(p *string) (string, bool) {
		if p == nil {
			return "", false
		}
		return *p, true
	}
	s.Path, s.HasPath = of(w.Path)
	s.Param, _ = of(w.Param)
	s.Value, s.HasValue = of(w.Value)
	s.Prefix, _ = of(w.Prefix)
	return s
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
