package rule

import (
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
	if int(r.Kind) >= len(kinds) {
		return fmt.Errorf("kind %d is unknown", r.Kind)
	}
	if err := r.validateTexts(); err != nil {
		return err
	}
	if err := r.Scope.validate(); err != nil {
		return fmt.Errorf("scope: %w", err)
	}
	return kinds[r.Kind].validate(r)
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
	texts := []string{r.From, r.To, pieceOf(r.Param, r.Value), r.Other, r.Pattern.Prefix, s.Path,
		pieceOf(s.Where[0].Param, s.Where[0].Value), pieceOf(s.Where[1].Param, s.Where[1].Value), s.Prefix}
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
func (r *Rule) Texts() [12]string {
	s := &r.Scope
	return [...]string{r.From, r.To, r.Param, r.Other, r.Value, r.Pattern.Prefix,
		s.Path, s.Prefix, s.Where[0].Param, s.Where[0].Value, s.Where[1].Param, s.Where[1].Value}
}

// validatePiece returns an error unless name=value is one piece of a query, or of a path
// segment.
func validatePiece(name, value string, inPath bool) error {
	separators := "&;"
	if inPath {
		separators = ";/?"
	}
	if strings.ContainsAny(name, separators+"=") {
		return fmt.Errorf("parameter %q holds a separator", name)
	}
	if strings.ContainsAny(value, separators) {
		return fmt.Errorf("value %q holds a separator", value)
	}
	return nil
}
