package rule

import (
	"errors"
	"fmt"
	"strings"

	"dustbuster/operators/url/urlnorm"
)

// MaxBytes is the greatest length of a mined string, mined or edited.
const MaxBytes = 2048

// Validate returns an error if the rule is not valid. A valid rule has an edit, can change a
// URL, and consists of bytes of mined
// strings, at most MaxBytes in each text. A name may contain '?', since only the first
// '?' ends the path, and real logs have such names. The error describes the cause, with
// the text in %q.
func (r *Rule) Validate() error {
	if r.Edit == nil {
		return errors.New("a rule without an edit")
	}
	texts := r.texts()
	if err := validateTexts(texts[:]); err != nil {
		return err
	}
	if err := r.Scope.validate(); err != nil {
		return fmt.Errorf("scope: %w", err)
	}
	if err := r.validateOwn(); err != nil {
		return err
	}
	return r.does().validate() // NewExcept has checked the exceptions otherwise
}

// fromURL is a text of a rule that comes from URLs: a name with its value, or one of the two.
type fromURL struct{ name, value string }

// mostTexts is the greatest number of texts of a rule beside its scope, template and exceptions.
const mostTexts = MaxNames

func validateTexts(all []fromURL) error {
	for _, t := range all {
		if err := validateText(t.name); err != nil {
			return err
		}
		if err := validateText(t.value); err != nil {
			return err
		}
	}
	return nil
}

func validateText(text string) error {
	if len(text) > MaxBytes {
		return fmt.Errorf("%d bytes %q...: more than %d", len(text), text[:32], MaxBytes)
	}
	for i := range len(text) {
		if !urlnorm.IsPlain(text[i]) {
			return fmt.Errorf("text %q: no URL holds %q", text, text[i])
		}
	}
	return nil
}

// Text returns all texts of the rule that come from URLs, one a line, without the empty
// ones. The search for secrets reads it.
func (r *Rule) Text() string {
	texts := r.texts()
	all := texts[:]
	for k := range r.Rewrite().Template.Keys() {
		all = append(all, k.texts()...)
	}
	for _, s := range r.Except.Scopes() {
		scope := s.texts()
		all = append(all, scope[:]...)
	}
	return lines(append(all, fromURL{r.Except.get().urls, ""}))
}

// texts returns the texts of the rule other than its template and exceptions. Some may be empty.
func (r *Rule) texts() (all [mostTexts + 4]fromURL) {
	own := r.does().texts()
	copy(all[:], own[:])
	scope := r.Scope.texts()
	copy(all[mostTexts:], scope[:])
	return all
}

// Text returns all texts of the scope, one a line, without the empty ones.
func (s *Scope) Text() string {
	texts := s.texts()
	return lines(texts[:])
}

func (s *Scope) texts() [4]fromURL {
	return [...]fromURL{{"", s.Path}, {s.Where[0].Param, s.Where[0].asked()}, {s.Where[1].Param, s.Where[1].asked()}, {"", s.Prefix}}
}

// lines returns the texts that are not empty, one a line.
func lines(all []fromURL) string {
	var texts []string
	for _, t := range all {
		if text := pieceOf(t.name, t.value); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

// pieceOf returns the piece of a parameter and its value, if there is one.
func pieceOf(param, value string) string {
	if param == "" || value == "" {
		return param + value
	}
	return param + "=" + value
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
