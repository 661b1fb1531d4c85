package rule

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Pattern is a set of parameter names, or of segments, that are themselves values: a prefix, and
// then only characters of a class. The zero Pattern is none.
type Pattern struct {
	Prefix string
	Class  Class
}

// Class is a class of characters.
type Class uint8

// The classes.
const (
	Digits Class = iota + 1 // at least 4 of 0-9
	Hex                     // at least 8 of 0-9a-f, or of 0-9A-F, at least one of them a digit
)

var classNames = [...]string{Digits: "digits", Hex: "hex"}

// String returns the class's name in JSON.
func (c Class) String() string { return classNames[c] }

// Lengths of the part of a name behind the prefix.
const (
	leastDigits = 4
	leastHex    = 8
)

// Matches reports whether a name is one of the pattern.
func (p Pattern) Matches(name []byte) bool {
	return hasPrefix(name, p.Prefix) && p.Class.matches(name[len(p.Prefix):])
}

// matches reports whether a text consists of characters of the class.
func (c Class) matches(rest []byte) bool {
	digits, small, large := 0, 0, 0
	for _, b := range rest {
		switch {
		case '0' <= b && b <= '9':
			digits++
		case 'a' <= b && b <= 'f':
			small++
		case 'A' <= b && b <= 'F':
			large++
		default:
			return false
		}
	}
	if c == Digits {
		return digits >= leastDigits && digits == len(rest)
	}
	return digits > 0 && len(rest) >= leastHex && (small == 0 || large == 0)
}

func (p Pattern) validate(inPath bool) error {
	if p.Class == 0 || int(p.Class) >= len(classNames) {
		return fmt.Errorf("class %d of names is unknown", p.Class)
	}
	return validatePiece(p.Prefix, "", inPath)
}

func (p Pattern) compare(q Pattern) int {
	return cmp.Or(strings.Compare(p.Prefix, q.Prefix), cmp.Compare(p.Class, q.Class))
}

func (c Class) words() string {
	if c == Hex {
		return fmt.Sprintf("%d or more hexadecimal digits", leastHex)
	}
	return fmt.Sprintf("%d or more digits", leastDigits)
}

func (p Pattern) words() string {
	if p.Prefix == "" {
		return "whose name is " + p.Class.words()
	}
	return "whose name is " + p.Prefix + " and then " + p.Class.words()
}

// WirePattern is the written form of a pattern.
type WirePattern struct {
	Prefix string `json:"prefix"`
	Class  string `json:"class"` // "digits" or "hex"
}

func (w *WirePattern) read() (p Pattern, err error) {
	if w.Class == "" {
		return p, errors.New("a pattern of names has no class")
	}
	at := slices.Index(classNames[:], w.Class)
	if at <= 0 {
		return p, &UnknownError{fmt.Sprintf("class %q of names", w.Class)}
	}
	return Pattern{w.Prefix, Class(at)}, nil
}

// unknownInPattern returns what of a pattern this version does not know, or "".
func unknownInPattern(v any) string {
	pattern, _ := v.(object)
	return cmp.Or(otherThan(pattern, "prefix", "class"), unknownWord(pattern, "class", classNames[1:]...))
}
