package public

import (
	_ "embed"
	"iter"
	"slices"
	"strings"
)

// Kind returns the kind of a mined string: the path without a last slash and path parameters, in
// which "#" stands for a number and "~" for a title, and the parts in byte order, each once. O(bytes).
func Kind(url string) string { return join(kindOf(url)) }

// join writes a path and parts as a kind.
func join(path string, parts []string) string {
	if len(parts) == 0 {
		return path
	}
	return path + "?" + strings.Join(parts, "?")
}

// kindOf returns the path of a kind, and the parts in byte order, each once.
func kindOf(url string) (path string, parts []string) {
	for p := range partsOf(url) {
		parts = append(parts, p.text)
	}
	slices.Sort(parts)
	return kindPath(url), slices.Compact(parts)
}

// kindPath returns the path of a kind.
func kindPath(url string) string {
	path, _, _ := strings.Cut(url, "?")
	host, path, _ := strings.Cut(path, "/") // the host is empty if hosts are mined apart
	kind := append(make([]byte, 0, len(url)), host...)
	path = strings.TrimSuffix(path, "/")
	for more := true; more; {
		var segment string
		segment, path, more = strings.Cut(path, "/")
		segment, _, _ = strings.Cut(segment, ";")
		kind = append(append(kind, '/'), shape(segment)...)
	}
	return string(kind)
}

// Page returns the page of a mined string: see the comment of the package. O(bytes).
func Page(url string) string {
	_, _, page := pageOf(url)
	return page
}

// pageOf returns the page of a mined string: its directory, the last segment as it is and in shape.
func pageOf(url string) (dir, child, page string) {
	path, _, _ := strings.Cut(url, "?")
	host, path, _ := strings.Cut(path, "/")
	dir, last := host, ""
	for segment := range strings.SplitSeq(path, "/") {
		if segment, _, _ = strings.Cut(segment, ";"); segment == "" {
			continue
		}
		if last != "" {
			dir += "/" + shape(last)
		}
		last = segment
	}
	return dir, last, dir + "/" + shape(last)
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
	if len(segment) > longestWord {
		if isHex(segment) {
			return "#"
		}
		return "~"
	}
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
	case hyphens >= leastHyphens:
		return "~"
	}
	return segment
}

// isHex reports whether all bytes are hexadecimal digits.
func isHex(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < '0' || '9' < c) && (c|0x20 < 'a' || 'f' < c|0x20) {
			return false
		}
	}
	return true
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

// media holds the endings of images, fonts, sound, film and archives.
var media = func() map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(content) {
		switch group, list, _ := strings.Cut(line, ":"); group {
		case "image", "font", "sound", "film", "archive":
			for ending := range strings.FieldsSeq(list) {
				all[ending] = true
			}
		}
	}
	return all
}()

// IsMedia reports whether a mined string names a file that is an image, a font, sound, film or an archive. O(bytes).
func IsMedia(url string) bool {
	path, _, _ := strings.Cut(url, "?")
	path, _, _ = strings.Cut(path[strings.LastIndexByte(path, '/')+1:], ";")
	dot := strings.LastIndexByte(path, '.')
	return dot >= 0 && media[strings.ToLower(path[dot+1:])]
}

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
