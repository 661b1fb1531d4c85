package export

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"strings"
)

// writeNutch writes the file of urlnormalizer-regex.
func writeNutch(b *bufio.Writer, d *document) {
	writeNormalizer(b, d,
		"Read by the plugin urlnormalizer-regex (property urlnormalizer.regex.file).",
		"Where BasicURLNormalizer runs before (urlnormalizer.order), no rule meets what it",
		"rewrites: %7E is ~ by then, and fragments are gone.")
}

// writeStormCrawler writes the file of RegexURLNormalizer, which comes from Nutch.
func writeStormCrawler(b *bufio.Writer, d *document) {
	writeNormalizer(b, d,
		"Read by RegexURLNormalizer (parameter regexNormalizerFile), from the topology's jar.",
		"Where BasicURLNormalizer runs before, it sorts and rewrites queries, and some rules",
		"do not meet what they were learned from.")
}

// writeNormalizer writes a list of Java expressions and replacements. Each expression
// replaces all its matches in the result of the expression before.
func writeNormalizer(b *bufio.Writer, d *document, notes ...string) {
	d.writeXML(b, notes, "<regex-normalize>\n",
		"<regex><pattern>%s</pattern><substitution>%s</substitution></regex>\n", "</regex-normalize>\n",
		func(e *expressions) []edit { return []edit{e.tiled} })
}

// writeHeritrix writes a bean that replaces that of the same name in crawler-beans.cxml. Each rule
// of the bean matches a whole URL once.
func writeHeritrix(b *bufio.Writer, d *document) {
	notes := []string{
		"Put this bean in the place of canonicalizationPolicy in crawler-beans.cxml. Rules of",
		"your own that change case go behind these.",
		"What a rule of parameters or syntax would edit in more places than its steps here stays.",
	}
	d.writeXML(b, notes,
		"<bean id=\"canonicalizationPolicy\" class=\"org.archive.modules.canonicalize.RulesCanonicalizationPolicy\">\n<property name=\"rules\">\n<list>\n",
		"<bean class=\"org.archive.modules.canonicalize.RegexRule\"><property name=\"regex\" value=\"%s\"/><property name=\"format\" value=\"%s\"/></bean>\n",
		"</list>\n</property>\n</bean>\n", (*expressions).inOrder)
}

// writeXML writes edits of the rules, each in a format for a Java expression and its replacement.
func (d *document) writeXML(b *bufio.Writer, notes []string, begin, format, end string, of func(*expressions) []edit) {
	fmt.Fprint(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!--\n")
	for _, line := range d.head(notes...) {
		fmt.Fprintf(b, "\t%s\n", line)
	}
	fmt.Fprint(b, "-->\n", begin)
	for i := range d.sites {
		s := &d.sites[i]
		for _, line := range s.titles() {
			fmt.Fprintf(b, "<!-- %s -->\n", line)
		}
		for _, e := range s.expressions(urlHead(s.Site)) {
			for _, e := range of(&e) {
				fmt.Fprintf(b, format, xmlText(e.pattern), xmlText(javaReplacement(e.to)))
			}
		}
	}
	fmt.Fprint(b, end)
}

// javaReplacement writes a replacement for java.util.regex.Matcher. No pattern has
// ten groups, so a digit after a group is no part of its number. The brace would
// begin a placeholder of Spring's.
func javaReplacement(to []part) string {
	return render(to, "$%d", func(text string) string {
		return backslashed(text, func(c byte) bool { return c == '$' || c == '\\' || c == '{' })
	})
}

func xmlText(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder does not fail
	return b.String()
}
