package rule

import (
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/url/urlnorm"
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
	return kinds[r.Kind].validate(r) // NewExcept has checked the exceptions
}

func (r *Rule) validateTexts() error {
	for _, text := range r.texts() {
		if err := validateText(text); err != nil {
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
// texts. The search for secrets reads this text.
func (r *Rule) Text() string {
	texts := []string{r.From, r.To, pieceOf(r.Param, r.Value), r.Other, r.Pattern.Prefix, r.Scope.Text()}
	for k := range r.Template.Keys() {
		texts = append(texts, k.text())
	}
	for _, s := range r.Except.Scopes() {
		texts = append(texts, s.Text())
	}
	return joined(append(texts, r.Except.urls))
}

// Text returns all texts of the scope, one a line, without the empty texts.
func (s *Scope) Text() string {
	return joined([]string{s.Path, pieceOf(s.Where[0].Param, s.Where[0].Value), pieceOf(s.Where[1].Param, s.Where[1].Value), s.Prefix})
}

// joined returns the texts that are not empty, one a line.
func joined(texts []string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "\n")
}

// pieceOf returns the piece of a parameter and, if there is one, the parameter's value.
func pieceOf(param, value string) string {
	if value == "" {
		return param
	}
	return param + "=" + value
}

// Size returns the number of bytes of all texts of the rule.
func (r *Rule) Size() (n int) {
	for _, text := range r.texts() {
		n += len(text)
	}
	return n + len(r.Template.lines) + len(r.Except.scopes) + len(r.Except.urls)
}

// texts returns the texts of the rule other than its template and exceptions. Some may be empty.
func (r *Rule) texts() [12]string {
	scope := r.Scope.texts()
	return [...]string{r.From, r.To, r.Param, r.Other, r.Value, r.Pattern.Prefix,
		scope[0], scope[1], scope[2], scope[3], scope[4], scope[5]}
}

func (s *Scope) texts() [6]string {
	return [...]string{s.Path, s.Prefix, s.Where[0].Param, s.Where[0].Value, s.Where[1].Param, s.Where[1].Value}
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
