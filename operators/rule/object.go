package rule

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"unicode/utf8"
)

// object is a JSON object without the members that are null. Numbers are json.Number.
type object = map[string]any

// mostDepth is the greatest number of objects and lists within each other in a record.
const mostDepth = 32

// readObject reads a JSON object. Of several members of one name, the last counts.
func readObject(text []byte) (o object, err error) {
	if !utf8.Valid(text) {
		return nil, errors.New("not UTF-8")
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	if err := in.Decode(&o); err != nil || o == nil {
		var other *json.UnmarshalTypeError
		if errors.As(err, &other) {
			err = errors.New(other.Value)
		}
		return nil, fmt.Errorf("not a rule (one JSON object): %w", cmp.Or(err, errors.New("null")))
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not a rule (one JSON object): something follows it")
	}
	if !clean(o, mostDepth) {
		return nil, fmt.Errorf("more than %d objects and lists within each other", mostDepth)
	}
	return o, nil
}

// clean removes the members that are null from all objects of a value, or returns false if
// it is too deep.
func clean(v any, depth int) bool {
	var parts []any
	switch v := v.(type) {
	case object:
		for name, member := range v {
			if member == nil {
				delete(v, name)
			}
			parts = append(parts, member)
		}
	case []any:
		parts = v
	default:
		return true
	}
	return depth > 0 && !slices.ContainsFunc(parts, func(part any) bool { return !clean(part, depth-1) })
}

func hasEmptyList(v any) bool {
	switch v := v.(type) {
	case object:
		for _, member := range v {
			if hasEmptyList(member) {
				return true
			}
		}
	case []any:
		return len(v) == 0 || slices.ContainsFunc(v, hasEmptyList)
	}
	return false
}

// unknownIn returns what of a record this version does not know, or "". A part that is not of
// its type holds nothing that is unknown.
func unknownIn(o object) string {
	kind, _ := o["kind"].(string)
	scope, _ := o["scope"].(object)
	except, _ := o["except"].(object)
	scopes, _ := except["scopes"].([]any)
	if what := otherThan(o, slices.Concat(ruleMembers, otherMembers)...); what != "" {
		return what
	}
	if what := otherThan(except, "scopes", "urls"); what != "" {
		return what
	}
	for _, s := range append([]any{scope}, scopes...) {
		if what := unknownInScope(s); what != "" {
			return what
		}
	}
	w := Wire{Kind: kind}
	w.Op, _ = o["op"].(string)
	at, err := w.kind()
	switch {
	case err == nil:
	case isText(o["kind"]) && (kind != parameter || isText(o["op"])):
		return w.name()
	case kind != parameter:
		return ""
	default:
		at = int(Order) // without an op, the rule has the members that all ops have
	}
	for _, m := range kinds[at].members {
		if what := m.unknownIn(o); what != "" {
			return what
		}
	}
	return ""
}

// otherThan returns a member of an object that has none of some names, or "".
func otherThan(o object, names ...string) string {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if !slices.Contains(names, name) {
			return fmt.Sprintf("member %q", name)
		}
	}
	return ""
}

// unknownWord returns a member of an object that is a text, but none of some words, or "".
func unknownWord(o object, name string, words ...string) string {
	if word, is := o[name].(string); is && !slices.Contains(words, word) {
		return fmt.Sprintf("%s %q", name, word)
	}
	return ""
}

func isText(v any) bool { _, is := v.(string); return is }

func unknownInScope(v any) string {
	scope, _ := v.(object)
	if what := otherThan(scope, "path", "prefix", "where"); what != "" {
		return what
	}
	where, _ := scope["where"].([]any)
	for _, c := range where {
		condition, _ := c.(object)
		if what := otherThan(condition, "param", "value", "valued", "own", "begins"); what != "" {
			return what
		}
	}
	return ""
}
