package export

import (
	"bufio"
	"fmt"
)

// writeHeritrix writes a bean that replaces the bean of the same name in
// crawler-beans.cxml. Each rule of the bean matches a whole URL once.
func writeHeritrix(b *bufio.Writer, d *document) {
	xmlHead(b, d.head(
		"Put this bean in the place of canonicalizationPolicy in crawler-beans.cxml. Rules of",
		"your own that change case go behind these.",
		fmt.Sprintf("What a rule of parameters or syntax would edit in more than %d separate places stays.", Places)))
	fmt.Fprint(b, "<bean id=\"canonicalizationPolicy\" class=\"org.archive.modules.canonicalize.RulesCanonicalizationPolicy\">\n<property name=\"rules\">\n<list>\n")
	for i := range d.sites {
		s := &d.sites[i]
		fmt.Fprintf(b, "<!-- %s -->\n", s.title())
		for range s.rounds {
			for r := range s.rules {
				for _, e := range whole(urlHead(s.Site), &s.rules[r]) {
					fmt.Fprintf(b, "<bean class=\"org.archive.modules.canonicalize.RegexRule\"><property name=\"regex\" value=\"%s\"/><property name=\"format\" value=\"%s\"/></bean>\n",
						xmlText(e.pattern), xmlText(javaReplacement(e.to)))
				}
			}
		}
	}
	fmt.Fprint(b, "</list>\n</property>\n</bean>\n")
}
