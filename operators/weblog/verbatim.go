package weblog

import "strings"

// verbatim takes a format string out of the configuration that it was copied
// with: the directive before it (log_format main escape=json, LogFormat), the
// quotes around it, nginx's string in several quoted pieces, the semicolon or
// Apache's nickname after it, and Apache's backslashes.
func verbatim(s string) string {
	s = strings.TrimSpace(s)
	if rest, ok := strings.CutPrefix(s, "log_format "); ok {
		s = afterName(rest)
	} else if rest, ok := strings.CutPrefix(s, "LogFormat "); ok {
		s = strings.TrimSpace(rest)
	}
	if s == "" {
		return s
	}
	switch s[0] {
	case '\'':
		s = unquote(s, '\'')
	case '"':
		if whole(s) {
			s = unquote(s, '"')
		}
	}
	if strings.Contains(s, `\`) {
		s = backslashes.Replace(s)
	}
	return s
}

var backslashes = strings.NewReplacer(`\"`, `"`, `\'`, `'`, `\\`, `\`, `\t`, "\t", `\n`, "\n")

// afterName passes over the name of an nginx log_format and escape=.
func afterName(s string) string {
	_, s, _ = strings.Cut(strings.TrimSpace(s), " ")
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "escape=") {
		_, s, _ = strings.Cut(s, " ")
	}
	return strings.TrimSpace(s)
}

// whole reports whether the double quotes at the start of s are around all of
// it, and not a quoted first field: then inner quotes have backslashes, and at
// most a nickname follows.
func whole(s string) bool {
	end := quoteEnd(s, '"')
	if end < 0 {
		return false
	}
	rest := strings.TrimSpace(s[end+1:])
	return !strings.ContainsAny(rest, `%$"`) && strings.ContainsAny(s[1:end], "%$") && !strings.ContainsAny(rest, " ")
}

// unquote joins the quoted pieces of s, and drops what is not quoted.
func unquote(s string, quote byte) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, quote)
		if i < 0 {
			return b.String()
		}
		s = s[i:]
		end := quoteEnd(s, quote)
		if end < 0 {
			b.WriteString(s[1:])
			return b.String()
		}
		b.WriteString(s[1:end])
		s = s[end+1:]
	}
}

// quoteEnd is the index of the quote that closes the one that s begins with.
func quoteEnd(s string, quote byte) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return -1
}
