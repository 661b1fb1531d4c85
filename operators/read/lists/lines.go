package lists

import (
	"bytes"
	"regexp"
	"strings"
)

// Read adds the entries of a text, in whatever of the three forms it is. What it leaves out is in Skips.
// It returns an error if the text is no list at all, or too large. O(bytes).
func (l *List) Read(text []byte) error {
	l.Skips, l.Skipped = nil, 0
	if len(text) > MostBytes {
		return ErrTooLarge
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	a := &adder{list: l}
	if bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) {
		return a.readJSON(text)
	}
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		a.line++
		if err := a.readLine(string(bytes.TrimSpace(line))); err != nil {
			return err
		}
	}
	return nil
}

// readLine adds a name, or a filter line.
func (a *adder) readLine(line string) error {
	if line == "" || line[0] == '#' && !strings.HasPrefix(line, "##") || line[0] == '!' || line[0] == '[' && strings.HasSuffix(line, "]") {
		return nil
	}
	if text, modifiers, removes := cutModifiers(line); removes {
		return a.readFilter(text, modifiers)
	}
	start, any := strings.CutSuffix(line, "*")
	switch {
	case !isName(start) || strings.Contains(start, "*"):
		a.skip("%q is neither the name of a parameter nor a line with $removeparam", clip(line))
		return nil
	case any:
		return a.pattern(a.to(nil), "^(?i:"+regexp.QuoteMeta(start)+")", false)
	}
	return a.name(a.to(nil), line, true)
}

// clip shortens a text of a message.
func clip(text string) string {
	if len(text) > 60 {
		return text[:60] + "..."
	}
	return text
}
