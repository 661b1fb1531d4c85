package public

import (
	_ "embed"
	"strings"
)

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
	return !strings.Contains(path, "?") && endings[strings.ToLower(path[dot+1:])] && dot >= 0
}
