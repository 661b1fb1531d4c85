package config

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
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
	in := &reader{file: "environment", env: l.reader.env}
	for i := range l.rows {
		row := &l.rows[i]
		name := Variable(row.key)
		known[name] = true
		if text, ok := l.reader.env[name]; ok {
			in.failIf(place{key: name}, row.setVariable(text))
			l.sources[row.key] = name
		}
	}
	*l.strangers = l.readStrangers(in, known)
	l.reader.errs = append(l.reader.errs, in.errs...)
}

// readStrangers notes variables that seem to be misspelled keys, or that are named like flags. It
// returns the names of the other variables that are no keys.
func (l *loader) readStrangers(r *reader, known map[string]bool) (others []string) {
	names, byFlag := slices.Sorted(maps.Keys(known)), map[string]string{}
	for _, row := range l.rows {
		if row.flag != "" {
			byFlag[Variable(strings.ReplaceAll(row.flag, "-", "_"))] = Variable(row.key)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.env)) {
		if !strings.HasPrefix(name, prefix) || known[name] || ofTests(name) {
			continue
		}
		if meant := cmp.Or(byFlag[name], Nearest(name, names)); meant != "" {
			r.fail(place{key: name}, fmt.Sprintf(" is not a key; meant %s?", meant))
			continue
		}
		others = append(others, name)
	}
	return others
}

// ofTests reports whether a variable is one of this project's tests (CONTRIBUTING.md), whose
// programs inherit it.
func ofTests(name string) bool {
	name = strings.TrimPrefix(name, prefix)
	return name == "DATA" || name == "PYTHON" || name == "SCREENSHOTS" || strings.HasPrefix(name, "TEST_")
}

// setVariable sets a value from the environment, and returns the mistake in it.
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
		return fmt.Sprintf(" must be %s, got %q", s.value.Expects(), text)
	}
	for _, part := range parts {
		if err := s.value.Set(part); err != nil {
			return fmt.Sprintf(" must be %s, got %q", s.value.Expects(), text)
		}
	}
	return s.problem()
}

var variable = regexp.MustCompile(`^\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)

// expand puts variables into a text: see the package comment. An error is the rest of a
// sentence that begins with the name of the value.
func expand(text string, env map[string]string) (string, error) {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, "$")
		out.WriteString(before)
		switch {
		case !found:
			return out.String(), nil
		case strings.HasPrefix(after, "$"):
			out.WriteByte('$')
			text = after[1:]
		case strings.HasPrefix(after, "{"):
			m := variable.FindStringSubmatch(after)
			if m == nil {
				return "", fmt.Errorf(" has a ${ that is neither ${NAME} nor ${NAME:-text}: write $${ for a dollar and a brace")
			}
			v, ok := env[m[1]]
			switch {
			case m[2] != "" && v == "":
				v = m[3]
			case !ok:
				return "", fmt.Errorf(" needs the environment variable %s, which is not set: set it, write ${%s:-text}, or $${ for a dollar and a brace", m[1], m[1])
			}
			out.WriteString(v)
			text = after[len(m[0]):]
		default:
			out.WriteByte('$')
			text = after
		}
	}
}

var special = regexp.MustCompile(`\$+\{?`)

// escape returns a text that expand turns into the given text.
func escape(text string) string {
	return special.ReplaceAllStringFunc(text, func(s string) string {
		dollars := strings.TrimSuffix(s, "{")
		if len(dollars) == 1 && len(s) == 1 {
			return s
		}
		return dollars + dollars + s[len(dollars):]
	})
}
