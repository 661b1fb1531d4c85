// Package action recognizes URLs that look like actions. A GET of such a URL may delete,
// buy, confirm or log out, although a GET should not.
//
// The decision is a guess from words in the path and the query, in the languages of words.txt.
// An action behind other words is not recognized. A page about one, such as
// /blog/how-to-delete-files, is taken for an action and left alone.
package action

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// Standard is the entry of a word list for all of words.txt.
const Standard = "standard"

//go:embed words.txt
var standard string

// List is a list of words. A List is immutable.
type List struct {
	words    map[string]bool       // single words, and rows of words written as one word
	rows     map[string][][]string // rows of consecutive words, by the first word
	pieces   map[string]bool       // words that must fill a whole piece
	names    [][]string            // words in the names of parameters with a value
	params   map[string]bool       // whole names of parameters with a value
	grants   map[string]bool       // the same, where the URL ends a login: see isLogin
	beside   map[string]bool       // names of parameters that stand beside a grant
	below    map[string]bool       // words of segments above a grant
	anywhere []string              // words of scripts without spaces
}

// New returns a list of entries in the forms described in words.txt. The entry [Standard] adds
// all of words.txt; an entry -WORD removes one word of words.txt. An entry without a letter or
// a digit is an error, and so is the removal of another word.
func New(entries []string) (*List, error) {
	l := &List{words: map[string]bool{}, rows: map[string][][]string{}, pieces: map[string]bool{}, params: map[string]bool{},
		grants: map[string]bool{}, beside: map[string]bool{}, below: map[string]bool{}}
	without := map[string]bool{}
	for _, e := range entries {
		if word, out := strings.CutPrefix(e, "-"); out {
			without[word] = false
		}
	}
	for _, e := range entries {
		switch {
		case e == Standard:
			l.addStandard(without)
		case strings.HasPrefix(e, "-"):
		case !l.add(e):
			return nil, fmt.Errorf("read words of actions: %q has neither a letter nor a digit", e)
		}
	}
	for word, found := range without {
		if !found {
			return nil, fmt.Errorf("read words of actions: -%s leaves out no word of the list %q", word, Standard)
		}
	}
	return l, nil
}

// addStandard adds the entries of words.txt, except the removed words, which addStandard
// marks as found.
func (l *List) addStandard(without map[string]bool) {
	verbs, objects := []string{}, []string{}
	for line := range strings.Lines(standard) {
		name, entries, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for _, e := range strings.Fields(entries) {
			word := strings.Trim(e, "/=")
			if _, out := without[word]; out {
				without[word] = true
				continue
			}
			switch name {
			case "Verbs":
				verbs = append(verbs, e)
			case "Objects":
				objects = append(objects, e)
			case "Grants":
				l.grants[word] = true
			case "Beside":
				l.beside[word] = true
			case "Below":
				l.below[word] = true
			default:
				l.add(e)
			}
		}
	}
	for _, v := range verbs {
		for _, o := range objects {
			l.words[v+o], l.words[o+v] = true, true
		}
	}
}

// add adds an entry. It returns false if there is neither a letter nor a digit.
func (l *List) add(entry string) bool {
	bare, whole := strings.CutPrefix(entry, "/")
	bare, name := strings.CutSuffix(bare, "=")
	text := fold(bare)
	tokens := words(text)
	switch {
	case len(tokens) == 0:
		return false
	case name && whole:
		l.params[strings.ToLower(text)] = true
	case name:
		l.names = append(l.names, tokens)
	case whole:
		l.pieces[strings.ToLower(text)] = true
	case isSpaceless(text):
		l.anywhere = append(l.anywhere, strings.ToLower(text))
	default:
		l.words[strings.Join(tokens, "")] = true
		if len(tokens) > 1 {
			l.rows[tokens[0]] = append(l.rows[tokens[0]], tokens)
		}
	}
	return true
}

// In reports whether a path and query look like an action. O(bytes).
func (l *List) In(path string) bool {
	if l.among(path) {
		return true
	}
	plain := fold(path)
	return plain != path && l.among(plain)
}

func (l *List) among(text string) bool {
	tokens := words(text)
	for i, t := range tokens {
		if l.words[t] || slices.ContainsFunc(l.rows[t], func(row []string) bool { return hasPrefix(tokens[i:], row) }) {
			return true
		}
	}
	lower := strings.ToLower(text)
	return slices.ContainsFunc(l.anywhere, func(s string) bool { return strings.Contains(lower, s) }) ||
		slices.ContainsFunc(strings.FieldsFunc(lower, isDelimiter), l.isPiece) || l.named(text)
}

func (l *List) isPiece(piece string) bool { return l.pieces[piece] }

// named reports whether a parameter with a value has one of the listed names.
func (l *List) named(text string) bool {
	for _, piece := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("/?&;", r) }) {
		name, _, valued := strings.Cut(piece, "=")
		if !valued {
			continue
		}
		if lower := strings.ToLower(name); l.params[lower] || l.grants[lower] && l.isLogin(text) {
			return true
		}
		tokens := words(name)
		for i := range tokens {
			if slices.ContainsFunc(l.names, func(row []string) bool { return hasPrefix(tokens[i:], row) }) {
				return true
			}
		}
	}
	return false
}

// isLogin reports whether a URL ends a login: another parameter of the answer of an authorization server says so,
// or a segment of the path.
func (l *List) isLogin(text string) bool {
	path, query, _ := strings.Cut(text, "?")
	return slices.ContainsFunc(words(path), func(w string) bool { return l.below[strings.TrimRight(w, "0123456789")] }) ||
		slices.ContainsFunc(strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' }), func(piece string) bool {
			name, _, _ := strings.Cut(piece, "=")
			return l.beside[strings.ToLower(name)]
		})
}

func hasPrefix(tokens, row []string) bool {
	return len(tokens) >= len(row) && slices.Equal(tokens[:len(row)], row)
}

// isDelimiter reports whether a character ends a piece.
func isDelimiter(r rune) bool { return strings.ContainsRune("/?&;=.:", r) }
