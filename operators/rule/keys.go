package rule

import (
	"slices"
	"strconv"
	"strings"
)

// KeysOf appends the keys of a URL with their values, in the order of [Template.Keys]: the
// segments of the path, then the parameters by name. A bare parameter has no value, and is
// marked by Any. ok is false if no template fits the URL. The names and values share the
// URL's memory. O(bytes + keys · log keys).
func KeysOf(keys []Key, url string) (all []Key, ok bool) {
	path, query, hasQuery := strings.Cut(url, "?")
	_, path, ok = strings.Cut(path, "/")
	if !ok {
		return keys, false
	}
	begin, separator := len(keys), byte(0)
	for segments := true; segments; {
		var value string
		value, path, segments = strings.Cut(path, "/")
		keys = append(keys, Key{Name: segmentName(len(keys) - begin), Value: value})
	}
	first := len(keys)
	for more := hasQuery; more; {
		piece := query
		if at := separatorOf(query); at >= 0 {
			if separator != 0 && separator != query[at] {
				return keys[:begin], false
			}
			separator = query[at]
			piece, query = query[:at], query[at+1:]
		} else {
			more = false
		}
		name, value, valued := strings.Cut(piece, "=")
		if name == "" || name[0] == '/' {
			return keys[:begin], false
		}
		keys = append(keys, Key{Name: name, Value: value, Any: !valued})
	}
	params := keys[first:]
	if !slices.IsSortedFunc(params, compareNames) {
		slices.SortFunc(params, compareNames)
	}
	for i := 1; i < len(params); i++ {
		if params[i].Name == params[i-1].Name {
			return keys[:begin], false
		}
	}
	if len(keys)-begin > MaxKeys {
		return keys[:begin], false
	}
	return keys, true
}

func compareNames(a, b Key) int { return strings.Compare(a.Name, b.Name) }

// separatorOf returns the place of the first separator of a query, or -1.
func separatorOf(query string) int {
	for at := range len(query) {
		if query[at] == '&' || query[at] == ';' {
			return at
		}
	}
	return -1
}

var segmentNames = func() (names [MaxKeys]string) {
	for i := range names {
		names[i] = "/" + strconv.Itoa(i)
	}
	return names
}()

// segmentName returns the name of a segment. The segments beyond MaxKeys share a name.
func segmentName(n int) string { return segmentNames[min(n, MaxKeys-1)] }
