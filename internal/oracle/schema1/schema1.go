// Package schema1 translates rules between schema 1 and schema 2. The program knows schema 2
// alone. The lists that independent programs computed, and the program that judges lists by a
// crawl, know schema 1.
package schema1

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

type object = map[string]any

// Modern returns a line of an expected list as mine writes the rule, but for the order of the
// members: the pairs of substrings, whose lines have no kind; the parameter rules with param;
// and the scoped drops, whose lines have neither kind nor scope, and whose conditions without
// a value ask for a parameter with a value. A line that has a schema stays as it is.
func Modern(line []byte) ([]byte, error) {
	o, err := read(line)
	if err != nil || o["schema"] != nil {
		return bytes.TrimSpace(line), err
	}
	scope, _ := o["scope"].(object)
	if scope == nil {
		scope = object{}
	}
	switch {
	case o["alpha"] != nil:
		o["kind"] = "substring"
	case o["param"] != nil:
		o["params"] = []any{o["param"]}
		rename(o, "value", "to")
		if scope["param"] != nil {
			condition := object{"param": scope["param"]}
			move(scope, condition, "value")
			scope["where"] = []any{condition}
		}
	default:
		o["kind"] = "parameter"
		move(o, scope, "path")
		move(o, scope, "where")
		where, _ := scope["where"].([]any)
		for _, c := range where {
			if condition, _ := c.(object); condition["value"] == nil {
				condition["valued"] = true
			}
		}
	}
	delete(o, "param")
	delete(scope, "param")
	o["schema"], o["scope"] = 2, scope
	return write(o)
}

// ModernList returns a list with its lines as Modern returns them.
func ModernList(list []byte) (modern []byte, err error) {
	for line := range bytes.Lines(list) {
		line, err := Modern(line)
		if err != nil {
			return nil, err
		}
		modern = append(append(modern, line...), '\n')
	}
	return modern, nil
}

// Old returns a rule of schema 2 in schema 1, or false if schema 1 cannot say it.
func Old(line []byte) (old []byte, ok bool, err error) {
	o, err := read(line)
	if err != nil {
		return nil, false, err
	}
	params, _ := o["params"].([]any)
	scope, _ := o["scope"].(object)
	where, _ := scope["where"].([]any)
	path, _ := scope["path"].(string)
	isSubstring := o["kind"] == "substring"
	switch {
	case o["except"] != nil || len(where) > 1 || strings.Contains(path, "/*/"):
		return nil, false, nil
	case !isSubstring && (len(params) != 1 || o["value"] != nil || o["in"] != nil || scope["prefix"] != nil):
		return nil, false, nil
	}
	if !isSubstring {
		o["param"] = params[0]
		delete(o, "params")
		rename(o, "to", "value")
	}
	if len(where) == 1 {
		condition, _ := where[0].(object)
		if condition["valued"] != nil {
			return nil, false, nil
		}
		move(condition, scope, "param")
		move(condition, scope, "value")
		delete(scope, "where")
	}
	o["schema"] = 1
	old, err = write(o)
	return old, true, err
}

func read(line []byte) (o object, err error) {
	in := json.NewDecoder(bytes.NewReader(line))
	in.UseNumber()
	if err := in.Decode(&o); err != nil {
		return nil, fmt.Errorf("read rule %q: %w", line, err)
	}
	return o, nil
}

func write(o object) ([]byte, error) {
	var line bytes.Buffer
	out := json.NewEncoder(&line)
	out.SetEscapeHTML(false)
	err := out.Encode(o)
	return bytes.TrimSuffix(line.Bytes(), []byte("\n")), err
}

// move moves a member, if it is there.
func move(from, to object, name string) {
	if value, is := from[name]; is {
		to[name] = value
		delete(from, name)
	}
}

func rename(o object, from, to string) {
	if value, is := o[from]; is {
		o[to] = value
		delete(o, from)
	}
}
