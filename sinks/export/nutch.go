package export

import (
	"bufio"
	"fmt"
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
	xmlHead(b, d.head(notes...))
	fmt.Fprint(b, "<regex-normalize>\n")
	for i := range d.sites {
		s := &d.sites[i]
		fmt.Fprintf(b, "<!-- %s -->\n", s.title())
		for range s.rounds {
			for r := range s.rules {
				e := tiled(urlHead(s.Site), &s.rules[r])
				fmt.Fprintf(b, "<regex><pattern>%s</pattern><substitution>%s</substitution></regex>\n",
					xmlText(e.pattern), xmlText(javaReplacement(e.to)))
			}
		}
	}
	fmt.Fprint(b, "</regex-normalize>\n")
}
