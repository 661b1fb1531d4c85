// Package secret recognizes text that looks like a secret or like somebody's own data:
// keys and tokens, cards, accounts, telephone numbers and e-mail addresses. Such text must
// go neither into events nor into published rules, and a URL that holds such text must not
// be fetched. A Veil takes the text out of whatever leaves the program.
//
// # Method
//
// A text is cut into pieces: path segments, and the names and values of parameters. The
// escapes of a piece are undone until none is left (%2540 is @), and a piece that turns out
// to hold separators is cut again. A piece is a secret if one of these holds:
//
//   - a token in it begins as the keys of some service do (prefix.go);
//   - a token in it is long and more like random letters and digits than like words
//     (token.go);
//   - it holds a number whose check digits make it a payment card or a bank account
//     (number.go);
//   - it is a telephone number with its country code, or the value of a parameter that is
//     named after a telephone or a password (named.go);
//   - it holds an e-mail address (address.go).
//
// The form of the text alone counts. How many clients asked for a URL says nothing: a key
// that two clients know is a key.
//
// Each is a guess. A rule that is held back by mistake is lost to a crawler; a key that is
// published is lost to its owner. Time is linear in the text.
package secret

import (
	"strings"

	"dustbuster/operators/action"
)

// InURL reports whether a URL looks like a secret. The name of an object of git does not,
// in a URL that names a repository of git: the name is a hash of what is there to see.
// O(bytes).
func InURL(url string) bool { return looks(url, objects(url)) }

// looks reports whether a text that quotes URLs holds what looks like a secret, other than
// runs of letters and digits that are public. O(bytes).
func looks(text string, public func(run string) bool) bool {
	for p := range pieces(text, outer) {
		if hides(p.name, p.text, public) {
			return true
		}
	}
	return false
}

// stars stand for a secret.
const stars = "***"

// mask replaces each piece of a text that looks like a secret by three asterisks. Names of
// objects of git stay in a text that names a repository of git. O(bytes).
func mask(text string) string {
	public := objects(text)
	var b strings.Builder
	done := 0 // bytes of the text that are in b
	for p := range pieces(text, outer) {
		if hides(p.name, p.text, public) {
			b.WriteString(text[done:p.at])
			b.WriteString(stars)
			done = p.at + len(p.text)
		}
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// shortest is the bytes of the shortest secret: a password of a parameter named so.
const shortest = 4

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
			if bare(p.name, p.text, public) {
				return true
			}
		}
		return false
	}
	return bare(name, text, public)
}

// bare reports whether a piece without escapes looks like a secret.
func bare(name, text string, public func(string) bool) bool {
	return len(text) >= shortest && (named(name, text) || hasPhone(text) || hasAddress(text) || hasKey(text) || hasToken(text, public))
}
