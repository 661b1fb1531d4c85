// Package secret recognizes text that looks like a secret or like personal data: keys and
// tokens, cards, accounts, telephone numbers and e-mail addresses. It must be neither in events
// nor in published rules, and a URL that holds it must not be fetched. A Veil removes it from
// all output of the program.
//
// # Method
//
// A text is cut into pieces: path segments, and the names and values of parameters. The
// escapes of a piece are decoded until none is left (%2540 is @), and a decoded piece with
// separators is cut again. A piece is a secret in any of these cases:
//
//   - a token in the piece begins like the keys of a service (prefix.go);
//   - a token in the piece is long and more like random letters and digits than like words
//     (token.go);
//   - the piece holds a number whose check digits are those of a payment card or a bank account
//     (number.go);
//   - the piece is a telephone number with its country code, or the value of a parameter whose
//     name says so: a password, a code, a date of birth (named.go, names.txt);
//   - the piece holds an e-mail address (address.go);
//   - the piece holds the address of a network card, or is the address of a computer
//     (network.go);
//   - a token of 8 to 15 letters and digits is more like random text than like a name
//     (short.go), or the piece holds a code in groups (groups.go).
//
// The form of the text decides. Random text, codes in groups and addresses of computers are no
// secrets if several clients asked for them: the names of uploaded pictures look random as
// well. Callers pass what is public. Everything else is a secret however many clients know it,
// such as a key.
//
// Every result is a guess. Crawlers lose a rule that is held back by mistake; an owner loses a
// key that is published by mistake. Time is linear in the text.
package secret

import (
	"iter"
	"strings"

	"dustbuster/operators/url/action"
)

// InURL reports whether a URL looks like a secret. In a URL that names a git repository, the
// name of an object is not a secret: it is a hash of public content. O(bytes).
func InURL(url string) bool { return looks(url, objects(url)) }

// InURLBut is InURL where some runs of text are known to be public. O(bytes).
func InURLBut(url string, public func(run string) bool) bool {
	object := objects(url)
	return looks(url, func(run string) bool { return object(run) || public(run) })
}

// Certain is InURL where random text, codes in groups and addresses of computers are public: it
// reports whether a URL is a secret however many clients asked for it. O(bytes).
func Certain(url string) bool { return looks(url, func(string) bool { return true }) }

// looks reports whether a text that quotes URLs holds text that looks like a secret. Runs
// of letters and digits that are public do not count. O(bytes).
func looks(text string, public func(run string) bool) bool {
	for p := range pieces(text, outer) {
		if !p.isServer() && hides(p.name, p.text, public) {
			return true
		}
	}
	return false
}

// stars replaces a secret.
const stars = "***"

// hidden yields the pieces of a text that the veil hides: those that look like secrets, and those of one
// client. In a text that names a git repository, the names of git objects stay. O(bytes).
func (v Veil) hidden(text string) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		if v.Lifted {
			return
		}
		public := objects(text)
		for p := range pieces(text, outer) {
			if !p.isServer() && (hides(p.name, p.text, public) || v.isOwn(p.text) && !public(p.text)) && !yield(p) {
				return
			}
		}
	}
}

func (v Veil) isOwn(piece string) bool { return v.Own != nil && v.Own(piece) }

// starsOf returns the text in the place of a hidden piece. What one client alone has shows its shape,
// but for what a name says to be a secret: a password has no length.
func (v Veil) starsOf(p *piece) string {
	if v.isOwn(p.text) && !named(action.Decode(p.name), p.text) {
		return shapeOf(p.text)
	}
	return stars
}

// replaced returns a text with other texts in the place of its hidden pieces.
func (v Veil) replaced(text string, by func(*piece) string) string {
	var b strings.Builder
	done := 0 // bytes of the text that are in b
	for p := range v.hidden(text) {
		b.WriteString(text[done:p.at])
		b.WriteString(by(&p))
		done = p.at + len(p.text)
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// shortest is the length in bytes of the shortest secret: the value of a parameter named
// after a password.
const shortest = 3

// hides reports whether a piece looks like a secret, other than runs that are public.
func hides(name, text string, public func(string) bool) bool {
	if len(text) < shortest {
		return false
	}
	name = action.Decode(name)
	if plain := action.Decode(text); plain != text {
		for p := range pieces(plain, inner) {
			if p.name == "" {
				p.name = name
			}
			if !p.isServer() && bare(p.name, p.text, public) {
				return true
			}
		}
		return false
	}
	return bare(name, text, public)
}

// bare reports whether a piece without escapes looks like a secret.
func bare(name, text string, public func(string) bool) bool {
	return len(text) >= shortest && (named(name, text) || hasPhone(text) || hasAddress(text) || hasKey(text) || hasHardware(text) || isClient(name, text) && !public(text) || hasToken(text, public))
}

// A Veil hides secrets from the readers of the program's output. All texts that quote URLs,
// and all rules, pass through a Veil before the program writes them. The zero Veil hides.
type Veil struct {
	Lifted bool // hides nothing: the operator asked for unmasked output

	// Own reports whether a piece of a text may belong to one client: see OwnIn. Mask hides such pieces
	// too, but for their shape. nil: clients are not known.
	Own func(piece string) bool
}

// Mask returns a text in which three asterisks replace each path segment, and each name and
// value of a parameter, that looks like a secret or is one client's own. O(bytes).
func (v Veil) Mask(text string) string { return v.replaced(text, v.starsOf) }

// HidesBut is Hides for a text in which some runs of letters and digits are known to be
// public. O(bytes).
func (v Veil) HidesBut(text string, public func(run string) bool) bool {
	return !v.Lifted && looks(text, public)
}

// Hides reports whether a text looks like a secret and must not be written. What cannot be
// shown in part, such as a rule, is left out. O(bytes).
func (v Veil) Hides(text string) bool { return v.HidesBut(text, nothing) }

// HidesValid is Hides for the text of a rule that a trial found valid. It was tried only
// because the names of git objects in it are public: see PublicIn. O(bytes).
func (v Veil) HidesValid(text string) bool { return v.HidesBut(text, IsObject) }
