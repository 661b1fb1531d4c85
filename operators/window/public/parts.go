package public

import (
	_ "embed"
	"iter"
	"slices"
	"strings"
	"unicode"

	"dustbuster/operators/url/action"
	"dustbuster/operators/url/secret"
)

// part is a parameter of a URL.
type part struct {
	text  string // with the value, if it may be a command; "?" of a file for browsers. A "?" is written %3F
	name  string // in shape
	value string // decoded
}

// partsOf yields the parts of a mined string, in the path and in the query, in their order.
func partsOf(url string) iter.Seq[part] {
	return func(yield func(part) bool) {
		for piece := range allPieces(url) {
			name, value, valued := strings.Cut(piece, "=")
			p := part{name: shape(action.Decode(name)), value: action.Decode(value)}
			switch {
			case !valued && IsStatic(url):
				p.text = "?"
			case isWord(p.value) || dispatches(p.name):
				p.text = p.name + "=" + p.value
			default:
				p.text = p.name
			}
			p.text = strings.ReplaceAll(p.text, "?", "%3F") // which no decoded text holds
			if !yield(p) {
				return
			}
		}
	}
}

// hasParts reports whether a mined string has parameters, in the path or in the query.
func hasParts(url string) bool {
	for range allPieces(url) {
		return true
	}
	return false
}

// allPieces yields the pieces behind semicolons in the path of a mined string, and those of its query.
func allPieces(url string) iter.Seq[string] {
	return func(yield func(string) bool) {
		path, query, _ := strings.Cut(url, "?")
		for strings.IndexByte(path, ';') >= 0 {
			var segment string
			segment, path, _ = strings.Cut(path, "/")
			_, params, _ := strings.Cut(segment, ";")
			for piece := range pieces(params) {
				if !yield(piece) {
					return
				}
			}
		}
		for piece := range pieces(query) {
			if !yield(piece) {
				return
			}
		}
	}
}

// mostWordDigits is the number of digits that a word may have.
const mostWordDigits = 2

// isWord reports whether a decoded value may be a command: it is empty, or at most longestWord letters
// of any script and signs between words, with at least one letter and few digits. Letters at random are a
// session, and no word.
func isWord(value string) bool {
	all, digits, letters := 0, 0, 0
	for _, r := range value {
		all++
		switch {
		case '0' <= r && r <= '9':
			digits++
		case unicode.IsLetter(r):
			letters++
		case !unicode.IsMark(r) && !strings.ContainsRune("-_./:", r):
			return false
		}
	}
	if all == 0 {
		return true
	}
	return all <= longestWord && digits <= mostWordDigits && letters > 0 && (all < leastRandom || !secret.InURL("/?v="+value))
}

// leastRandom is the number of characters of the shortest value that may look random.
const leastRandom = 8

//go:embed dispatch.txt
var dispatchFile string

// dispatchNames holds the names of dispatch.txt.
var dispatchNames = func() map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(dispatchFile) {
		if !strings.HasPrefix(line, "#") {
			for name := range strings.FieldsSeq(line) {
				all[name] = true
			}
		}
	}
	return all
}()

// dispatches reports whether programs choose by a parameter what to do. Of user[action] the last name
// counts.
func dispatches(name string) bool {
	name = strings.ToLower(strings.TrimRight(name, "]"))
	return dispatchNames[name[strings.LastIndexByte(name, '[')+1:]]
}

// statics are endings of files that browsers load with a page. A piece without a value behind such a
// name only makes caches miss.
var statics = []string{"css", "js", "mjs", "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "bmp", "woff", "woff2", "ttf", "otf", "eot"}

// IsStatic reports whether a mined string names a file of style, script, image or font. O(bytes).
func IsStatic(url string) bool {
	path, _, _ := strings.Cut(url, "?")
	path, _, _ = strings.Cut(path[strings.LastIndexByte(path, '/')+1:], ";")
	dot := strings.LastIndexByte(path, '.')
	return dot >= 0 && slices.Contains(statics, strings.ToLower(path[dot+1:]))
}
