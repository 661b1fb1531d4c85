package config

import (
	"fmt"
	"regexp"
	"strings"
)

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
