package export

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"strings"
)

// javaReplacement writes a replacement for java.util.regex.Matcher. No pattern has
// ten groups, so a digit after a group is no part of its number. The brace would
// begin a placeholder of Spring's.
func javaReplacement(to []part) string {
	return render(to, "$", func(text string) string {
		return backslashed(text, func(c byte) bool { return c == '$' || c == '\\' || c == '{' })
	})
}

func xmlText(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder does not fail
	return b.String()
}

func xmlHead(b *bufio.Writer, lines []string) {
	fmt.Fprint(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!--\n")
	for _, line := range lines {
		fmt.Fprintf(b, "\t%s\n", line)
	}
	fmt.Fprint(b, "-->\n")
}
