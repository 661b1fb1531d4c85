package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// environment returns the variables of a process' environment, by name. As in a shell, the
// last value counts.
func environment(env []string) map[string]string {
	m := map[string]string{}
	for _, e := range env {
		if name, v, ok := strings.Cut(e, "="); ok {
			m[name] = v
		}
	}
	return m
}

const prefix = "DUSTBUSTER_"

// Variable is the environment variable of a key.
func Variable(key string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

func (l *loader) readEnvironment() {
	known := map[string]bool{}
	in := &reader{file: "environment"}
	for i := range l.rows {
		row := &l.rows[i]
		name := Variable(row.key)
		known[name] = true
		if text, ok := l.reader.env[name]; ok {
			in.failIf(place{key: name}, row.setVariable(text))
			l.sources[row.key] = name
		}
	}
	in.strangers(l.reader.env, known)
	l.reader.errs = append(l.reader.errs, in.errs...)
}

// strangers notes variables that seem to be misspelled.
func (r *reader) strangers(env map[string]string, known map[string]bool) {
	names := slices.Sorted(maps.Keys(known))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if strings.HasPrefix(name, prefix) && !known[name] {
			if near := nearest(name, names); near != "" {
				r.fail(place{key: name}, fmt.Sprintf(" is not a key; meant %s?", near))
			}
		}
	}
}

// setVariable sets a value from the environment, and returns the mistake in the value.
func (s *setting) setVariable(text string) string {
	s.value.clear()
	parts := []string{text}
	var err error
	if s.value.Type() == "stringArray" {
		parts, err = commas(text)
	}
	switch {
	case !utf8.ValidString(text):
		return " must be UTF-8 text"
	case err != nil:
		return fmt.Sprintf(" must be %s, got %q", s.value.expects(), text)
	}
	for _, part := range parts {
		if err := s.value.Set(part); err != nil {
			return fmt.Sprintf(" must be %s, got %q", s.value.expects(), text)
		}
	}
	return s.problem()
}
