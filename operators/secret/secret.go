// Package secret tells text that looks like a secret or like somebody's address,
// which must go neither into events nor into published rules, and URLs that hold such
// text, which must not be asked for.
//
// It is a guess, made to err on the safe side: a rule that is held back is lost
// to a crawler, a session key that is published is lost to its owner.
package secret

import (
	"strings"
)

// A random token is long, of letters and digits in turn, and of many different
// ones. Words are neither: even "internationalization2015" changes once between
// letters and digits.
const (
	longToken     = 16 // bytes of a token that may be a key
	longDashed    = 32 // bytes of a token with dashes in it, as in a UUID
	manyTurns     = 3  // changes between letter and digit
	manyDifferent = 8  // different bytes
)

// Looks tells whether a piece of a URL looks like a secret: a long random token,
// a UUID, or an e-mail address, percent-encoded or not. O(bytes).
func Looks(text string) bool {
	return hasAddress(text) || hasToken(text, false, longToken) || hasToken(text, true, longDashed)
}

// InURL reports whether the text of a URL looks like a secret. The name of an object of
// git does not, in a URL that names a repository of git: it is a hash of what is there to
// see. O(bytes).
func InURL(url string) bool {
	return Looks(url) && (!namesRepository(url) || Looks(withoutObjects(url)))
}

// namesRepository reports whether a path segment, or the value of a parameter, ends in
// .git, as a repository's name does by custom.
func namesRepository(url string) bool {
	for piece := range strings.FieldsFuncSeq(url, func(r rune) bool { return strings.ContainsRune("/?&;=", r) }) {
		if strings.HasSuffix(piece, ".git") {
			return true
		}
	}
	return false
}

// withoutObjects leaves the names of git's objects out: 40 or 64 hexadecimal digits in
// lower case, with no letter or digit beside them.
func withoutObjects(url string) string {
	var b strings.Builder
	for url != "" {
		end := 0
		for end < len(url) && kind(url[end]) != other {
			end++
		}
		if run := url[:end]; end != 40 && end != 64 || strings.Trim(run, "0123456789abcdef") != "" {
			b.WriteString(run)
		}
		rest := min(end+1, len(url))
		b.WriteString(url[end:rest])
		url = url[rest:]
	}
	return b.String()
}

// Mask takes what looks like a secret out of a text that quotes URLs: a path segment, or
// the name or value of a parameter, becomes three asterisks. O(bytes).
func Mask(text string) string {
	var b strings.Builder
	for text != "" {
		end := strings.IndexAny(text, "/?&;= \"")
		if end < 0 {
			end = len(text)
		}
		if piece := text[:end]; Looks(piece) {
			b.WriteString("***")
		} else {
			b.WriteString(piece)
		}
		rest := min(end+1, len(text))
		b.WriteString(text[end:rest])
		text = text[rest:]
	}
	return b.String()
}

// hasToken looks for a run of letters and digits, and dashes if they may be part
// of it, that is long and looks random.
func hasToken(text string, dashes bool, long int) bool {
	start := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && (kind(text[i]) != other || dashes && (text[i] == '-' || text[i] == '_')) {
			continue
		}
		if i-start >= long && random(text[start:i]) {
			return true
		}
		start = i + 1
	}
	return false
}

func random(token string) bool {
	var seen [256]bool
	different, turns, last := 0, 0, other
	for i := range len(token) {
		if !seen[token[i]] {
			seen[token[i]] = true
			different++
		}
		k := kind(token[i])
		if k != other && last != other && k != last {
			turns++
		}
		if k != other {
			last = k
		}
	}
	return turns >= manyTurns && different >= manyDifferent
}

// kinds of bytes.
const (
	other = iota
	letter
	digit
)

func kind(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return digit
	case 'a' <= c|0x20 && c|0x20 <= 'z':
		return letter
	}
	return other
}

// hasAddress looks for name@domain.tld.
func hasAddress(text string) bool {
	text = strings.ReplaceAll(text, "%40", "@")
	for {
		name, domain, ok := strings.Cut(text, "@")
		if !ok {
			return false
		}
		dot := strings.IndexByte(domain, '.')
		if name != "" && kind(name[len(name)-1]) != other && dot > 0 && dot+1 < len(domain) &&
			onlyHost(domain[:dot]) && kind(domain[dot+1]) == letter {
			return true
		}
		text = domain
	}
}

func onlyHost(s string) bool {
	for i := range len(s) {
		if kind(s[i]) == other && s[i] != '-' {
			return false
		}
	}
	return true
}
