package rule

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/urlnorm"
)

// MaxBytes is the greatest length of a mined string, mined or edited.
const MaxBytes = 2048

// Validate returns an error if the rule is not valid. A valid rule is of a known kind,
// without members of another kind, can change a URL, and consists of bytes of mined
// strings, at most MaxBytes in each text. A name may contain '?', since only the first
// '?' ends the path, and real logs have such names. The error describes the cause, with
// the text in %q.
func (r *Rule) Validate() error {
	if err := r.validateTexts(); err != nil {
		return err
	}
	if err := r.Scope.validate(); err != nil {
		return fmt.Errorf("scope: %w", err)
	}
	switch r.Kind {
	case Substring:
		return r.validateSubstring()
	case Drop, Set:
		return r.validateParam()
	}
	return fmt.Errorf("kind %d is unknown", r.Kind)
}

func (r *Rule) validateTexts() error {
	for _, text := range r.Texts() {
		if len(text) > MaxBytes {
			return fmt.Errorf("%d bytes %q...: more than %d", len(text), text[:32], MaxBytes)
		}
		for i := range len(text) {
			if !urlnorm.IsPlain(text[i]) {
				return fmt.Errorf("text %q: no URL holds %q", text, text[i])
			}
		}
	}
	return nil
}

// Text returns all texts of the rule that come from URLs, one a line, without the empty
// texts. The search for secrets reads this text.
func (r *Rule) Text() string {
	s := &r.Scope
	texts := []string{r.From, r.To, pieceOf(r.Param, r.Value), s.Path, pieceOf(s.Param, s.Value), s.Prefix}
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "\n")
}

// pieceOf returns the piece of a parameter and, if there is one, the parameter's value.
func pieceOf(param, value string) string {
	if value == "" {
		return param
	}
	return param + "=" + value
}

// Texts returns all texts of the rule that come from URLs. Some may be empty.
func (r *Rule) Texts() [8]string {
	s := &r.Scope
	return [...]string{r.From, r.To, r.Param, r.Value, s.Path, s.Param, s.Value, s.Prefix}
}

func (r *Rule) validateSubstring() error {
	switch {
	case r.Param != "" || r.Value != "":
		return errors.New("a substring rule has a parameter")
	case r.From == r.To:
		return fmt.Errorf("both sides are %q", r.From)
	}
	return nil
}

func (r *Rule) validateParam() error {
	switch {
	case r.From != "" || r.To != "" || r.AtStart || r.AtEnd:
		return errors.New("a parameter rule has sides or anchors")
	case r.Param == "":
		return errors.New("the parameter has no name")
	case r.Kind == Drop && r.Value != "":
		return fmt.Errorf("a parameter is dropped and gets the value %q", r.Value)
	}
	return validatePiece(r.Param, r.Value)
}

// validate returns an error unless the scope is written in its only form.
func (s *Scope) validate() error {
	switch {
	case s.Path != "" && !s.HasPath:
		return fmt.Errorf("path %q is set, but HasPath is not", s.Path)
	case s.Value != "" && !s.HasValue:
		return fmt.Errorf("value %q is set, but HasValue is not", s.Value)
	case s.HasValue && s.Param == "":
		return fmt.Errorf("value %q without a parameter", s.Value)
	case strings.Contains(s.Path, "?"):
		return fmt.Errorf("path %q holds a question mark", s.Path)
	}
	return validatePiece(s.Param, s.Value)
}

// validatePiece returns an error unless name=value is one piece of a query.
func validatePiece(name, value string) error {
	if strings.ContainsAny(name, "=&;") {
		return fmt.Errorf("parameter %q holds a separator", name)
	}
	if strings.ContainsAny(value, "&;") {
		return fmt.Errorf("value %q holds a separator", value)
	}
	return nil
}
