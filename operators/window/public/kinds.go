package public

import (
	_ "embed"
	"iter"
	"math/bits"
	"slices"
	"strings"
)

// Least is the number of bits in a mask of clients from which on a kind is public. Two
// clients of one bit look like one, so a kind may need more than three clients.
const Least = 3

// Several reports whether a mask of clients is of at least Least clients, so that what they
// asked for is public, if clients can be told apart.
func Several(clients uint16) bool { return bits.OnesCount16(clients) >= Least }

// Kinds holds the clients of the kinds of a window's URLs. The zero Kinds is empty and ready
// for use.
type Kinds struct {
	clients map[string]uint16 // by kind
	values  map[place][]string
}

// Add takes in a URL and the mask of its clients. O(bytes).
func (k *Kinds) Add(url string, clients uint16) {
	if k.clients == nil {
		k.clients = map[string]uint16{}
	}
	kind := Kind(url)
	k.clients[kind] |= clients
	k.addValues(url, kind)
}

// Asked reports whether the public asks for a URL: the URL is bare, or its kind is public.
// O(bytes).
func (k *Kinds) Asked(url string) bool {
	return Bare(url) || Several(k.clients[Kind(url)])
}

// Known reports whether a URL is bare, or some URL of the window is of its kind. O(bytes).
func (k *Kinds) Known(url string) bool {
	_, known := k.clients[Kind(url)]
	return known || Bare(url)
}

// Kind returns the kind of a mined string: the path without a last slash, in which "#"
// stands for a number and "~" for a title, and the names of the parameters in byte order,
// each once. O(bytes).
func Kind(url string) string {
	path, query, _ := strings.Cut(url, "?")
	host, path, _ := strings.Cut(path, "/") // the host is empty if hosts are mined apart
	kind := append(make([]byte, 0, len(url)), host...)
	for segment := range strings.SplitSeq(strings.TrimSuffix(path, "/"), "/") {
		kind = append(append(kind, '/'), shape(segment)...)
	}
	names := slices.Sorted(namesOf(query))
	for _, name := range slices.Compact(names) {
		kind = append(append(kind, '?'), name...) // no path and no name holds a "?" before a "="
	}
	return string(kind)
}

// Names yields the names of a mined string's parameters, in which "#" stands for a number and "~"
// for a title. O(bytes).
func Names(url string) iter.Seq[string] {
	return func(yield func(string) bool) {
		_, query, _ := strings.Cut(url, "?")
		for name := range namesOf(query) {
			if !yield(shape(name)) {
				return
			}
		}
	}
}

// namesOf yields the names of a query's parameters.
func namesOf(query string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for piece := range pieces(query) {
			name, _, _ := strings.Cut(piece, "=")
			if !yield(name) {
				return
			}
		}
	}
}

// Bounds of the words of a path.
const (
	leastHex     = 8  // hexadecimal digits of a number, such as the hash of a commit
	leastHyphens = 3  // hyphens and underscores of a title
	longestWord  = 24 // bytes; a longer segment is a title
)

// shape returns a segment of a path, or the sign that stands for it.
func shape(segment string) string {
	digits, hex, hyphens := 0, 0, 0
	for i := range len(segment) {
		switch c := segment[i]; {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			hex++
		case c == '-' || c == '_':
			hyphens++
		}
	}
	switch n := len(segment); {
	case n > 0 && digits == n || n >= leastHex && digits+hex == n:
		return "#"
	case hyphens >= leastHyphens || n > longestWord:
		return "~"
	}
	return segment
}

// pieces yields the pieces of a query that have a name.
func pieces(query string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for piece := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
			if piece[0] != '=' && !yield(piece) {
				return
			}
		}
	}
}

//go:embed content.txt
var content string

// endings holds the endings of content.txt.
var endings = func() map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(content) {
		if _, list, ok := strings.Cut(line, ":"); ok && line[0] != '#' {
			for ending := range strings.FieldsSeq(list) {
				all[ending] = true
			}
		}
	}
	return all
}()

// Bare reports whether a mined string has no query, and its path is / or ends like the name
// of a file of content. O(bytes).
func Bare(url string) bool {
	_, path, slash := strings.Cut(url, "/")
	if !slash || path == "" {
		return slash
	}
	dot := strings.LastIndexByte(path, '.')
	return dot >= 0 && !strings.Contains(path, "?") && endings[strings.ToLower(path[dot+1:])]
}
