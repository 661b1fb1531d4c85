package weblog

import "strings"

// verbatim extracts a format string from pasted configuration. It removes the directive before
// the string (log_format main escape=json, LogFormat), the quotes around it, the semicolon or
// Apache's nickname after it, and Apache's backslashes, and joins nginx's quoted pieces.
func verbatim(s string) string {
	s = strings.TrimSpace(s)
	directive := true
	switch word, rest := cutWord(s); {
	case word == "log_format":
		_, s = cutWord(rest) // the name of the format
		if word, rest := cutWord(s); strings.HasPrefix(word, "escape=") {
			s = rest
		}
	case strings.EqualFold(word, "LogFormat"): // Apache's directives ignore case
		s = rest
	default:
		directive = false
	}
	if strings.HasPrefix(s, "'") || strings.HasPrefix(s, `"`) && (directive || whole(s)) {
		s = unquote(s)
	}
	return backslashes.Replace(s)
}

var backslashes = strings.NewReplacer(`\"`, `"`, `\'`, `'`, `\\`, `\`, `\t`, "\t", `\n`, "\n")

// cutWord splits the first word from the rest. Configurations contain tabs and newlines
// as well as blanks.
func cutWord(s string) (word, rest string) {
	end := strings.IndexAny(s, white)
	if end < 0 {
		return s, ""
	}
	return s[:end], strings.TrimLeft(s[end:], white)
}

const white = " \t\r\n"

// whole reports whether the double quotes at the start of s enclose the whole string, and
// not only a first field. If so, inner quotes have backslashes, and at most a nickname
// follows.
func whole(s string) bool {
	end := quoteEnd(s)
	if end < 0 {
		return false
	}
	rest := strings.TrimSpace(s[end+1:])
	return !strings.ContainsAny(rest, `%$" `) && strings.ContainsAny(s[1:end], "%$")
}

// unquote joins the quoted pieces of s, and drops all other text.
func unquote(s string) string {
	var b strings.Builder
	for {
		start := strings.IndexAny(s, `'"`)
		if start < 0 {
			return b.String()
		}
		s = s[start:]
		end := quoteEnd(s)
		if end < 0 {
			b.WriteString(s[1:])
			return b.String()
		}
		b.WriteString(s[1:end])
		s = s[end+1:]
	}
}

// quoteEnd returns the index of the quote that closes the one at the start of s.
func quoteEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i
		}
	}
	return -1
}
