package validator

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"dustbuster/operators/canon"
	"dustbuster/operators/dust"
	"dustbuster/operators/miner"
	"dustbuster/operators/params"
)

// Candidates are mined rules, each as it is tried first.
func Candidates(mined []miner.Rule) []Candidate {
	all := make([]Candidate, len(mined))
	for i := range mined {
		all[i] = Candidate{directed(&mined[i]), mined[i].Support()}
	}
	return all
}

// Shrinking is a substring rule in the direction that shrinks; other rules are as they
// are.
func Shrinking(r canon.Rule) canon.Rule {
	if grows(&r) {
		r.From, r.To = r.To, r.From
	}
	return r
}

// directed is the rule of a candidate that is tried first: the pair's shrinking
// direction, or the drop.
func directed(r *miner.Rule) canon.Rule {
	if r.Kind == miner.Parameter {
		return canon.Rule{Kind: canon.Drop, Param: r.Drop.Param, Scope: canon.Scope{Scope: r.Drop.Scope}}
	}
	p := r.Pair.Pair
	return canon.Rule{From: p.Alpha, To: p.Beta, AtStart: p.AtStart, AtEnd: p.AtEnd}
}

// grows tells whether a substring rule makes the larger side of the smaller.
func grows(r *canon.Rule) bool { return r.Kind == canon.Substring && dust.Larger(r.To, r.From) }

// ID is the rule's name on its site: a hash of all that it says, the same in
// every process and release.
func ID(site string, r *canon.Rule) string {
	text, err := json.Marshal(struct {
		Site string
		Wire
	}{site, *wire(r)})
	if err != nil {
		panic(err) // strings, numbers and booleans have a form
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:10])
}

// Wire is a rule as it is written: as in the output of mine, with the direction.
// A member that is nil is none of the rule's.
type Wire struct {
	Kind      string    `json:"kind"`                // "substring" or "parameter"
	Alpha     *string   `json:"alpha,omitempty"`     // the larger side
	Beta      *string   `json:"beta,omitempty"`      // the smaller
	AtStart   *bool     `json:"at_start,omitempty"`  // both stand at the URL's start
	AtEnd     *bool     `json:"at_end,omitempty"`    // both stand at its end
	Direction string    `json:"direction,omitempty"` // "alpha_to_beta" or "beta_to_alpha"
	Op        string    `json:"op,omitempty"`        // "drop" or "set"
	Param     *string   `json:"param,omitempty"`
	Value     *string   `json:"value,omitempty"` // of set
	Scope     WireScope `json:"scope"`
}

// WireScope is a scope as it is written; empty, the whole site. Unlike elsewhere, a
// member that is not known is an error: passed over, the rule would edit more URLs
// than it says.
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

// wire writes a rule.
func wire(r *canon.Rule) *Wire {
	w := &Wire{Kind: "parameter", Scope: wireScope(&r.Scope)}
	switch r.Kind {
	case canon.Substring:
		p := dust.NewPair(r.From, r.To, r.AtStart, r.AtEnd)
		w.Kind, w.Direction = "substring", "alpha_to_beta"
		w.Alpha, w.Beta, w.AtStart, w.AtEnd = &p.Alpha, &p.Beta, &p.AtStart, &p.AtEnd
		if grows(r) {
			w.Direction = "beta_to_alpha"
		}
	case canon.Drop:
		w.Op, w.Param = "drop", text(r.Param)
	case canon.Set:
		w.Op, w.Param, w.Value = "set", text(r.Param), text(r.Value)
	}
	return w
}

func wireScope(s *canon.Scope) (w WireScope) {
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

// Rule reads a rule. An error says what is missing or wrong. Without a direction, as
// mine prints it, alpha becomes beta.
func (w *Wire) Rule() (canon.Rule, error) {
	r := canon.Rule{Scope: w.Scope.scope()}
	isEmpty := func(p *string) bool { return p != nil && *p == "" }
	switch {
	case w.Direction != "" && w.Direction != "alpha_to_beta" && w.Direction != "beta_to_alpha":
		return r, fmt.Errorf("read rule: direction %q is neither alpha_to_beta nor beta_to_alpha", w.Direction)
	case isEmpty(w.Scope.Prefix) || isEmpty(w.Scope.Param):
		return r, errors.New("read rule: an empty prefix or param in its scope: leave it out")
	case w.Kind == "substring" && w.Alpha != nil && w.Beta != nil && w.AtStart != nil && w.AtEnd != nil:
		r.From, r.To, r.AtStart, r.AtEnd = *w.Alpha, *w.Beta, *w.AtStart, *w.AtEnd
		if w.Direction == "beta_to_alpha" {
			r.From, r.To = r.To, r.From
		}
	case w.Kind == "parameter" && w.Op == "drop" && w.Param != nil:
		r.Kind, r.Param = canon.Drop, *w.Param
	case w.Kind == "parameter" && w.Op == "set" && w.Param != nil && w.Value != nil:
		r.Kind, r.Param, r.Value = canon.Set, *w.Param, *w.Value
	default:
		return r, fmt.Errorf("read rule: kind %q with op %q lacks a member", w.Kind, w.Op)
	}
	if err := r.Validate(); err != nil {
		return r, fmt.Errorf("read rule: %w", err)
	}
	return r, nil
}

func (w *WireScope) scope() (s canon.Scope) {
	of := func(p *string) (string, bool) {
		if p == nil {
			return "", false
		}
		return *p, true
	}
	s.Scope = params.Scope{}
	s.Path, s.HasPath = of(w.Path)
	s.Param, _ = of(w.Param)
	s.Value, s.HasValue = of(w.Value)
	s.Prefix, _ = of(w.Prefix)
	return s
}

func text(s string) *string { return &s }
