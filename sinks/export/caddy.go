package export

import (
	"bufio"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dustbuster/operators/rule"
)

// Caddy's expressions are those of Go: they neither look ahead nor behind. So a rule's scope and
// exceptions are tested by maps of their own, each 1 or 0, and a step reads these digits, a space,
// and the form so far. Other looks stand for a text that the match can as well take with it, or the
// rule is left out.

// linear is a rule in expressions without looks.
type linear struct {
	tests []string // of the scope and the exceptions
	digit string   // the expression of the digits of the tests, if the rule edits the URL
	steps [][]edit // of an edit whose to is nil, the form becomes empty
}

const noLooks = "Caddy's expressions cannot look ahead or behind, as this rule needs"

// linearOf returns the linear expressions of a valid rule that may edit some places of a URL, or the
// reason why there are none.
func linearOf(r *rule.Rule, places int) (l linear, reason string) {
	l.test(members(r, &r.Scope), "")
	for _, s := range r.Except.Scopes() {
		l.test(members(r, &s), "0")
	}
	for _, url := range r.Except.URLs() {
		l.test([]string{literal(url) + end}, "0")
	}
	bare := *r
	bare.Scope, bare.Except = rule.Scope{}, rule.Except{}
	e, reason := express("", &bare)
	if reason != "" {
		return l, reason
	}
	if e.steps = 1; e.left != "" {
		e.steps = places
	}
	switch {
	case readsItself(r) && e.left != "", r.Params().InPath && strings.Contains(strings.Join(l.tests, ""), cutPiece(r)):
		return l, noLooks
	case r.Kind() == rule.KindDrop && !r.Params().InPath:
		e.step[1].pattern = `^(` + path + mark + `[^#]*?)(?:` + sep + piece(r) + `)+` + end // linear without backtracking
		l.steps = append(e.all(), []edit{{pattern: e.left}})
	case r.Kind() == rule.KindSet:
		l.steps = [][]edit{setAll(r, places)}
	case e.left != "":
		l.steps = append(e.all(), []edit{{pattern: e.left}})
	default:
		l.steps = e.all()
	}
	return l, l.translate()
}

// test adds the tests of a scope. unless is the digit of which one of the tests must be, or "": all
// must be 1.
func (l *linear) test(members []string, unless string) {
	l.tests = append(l.tests, members...)
	if unless == "" {
		l.digit += strings.Repeat("1", len(members))
		return
	}
	var some []string
	for i := range members {
		some = append(some, strings.Repeat(".", i)+unless+strings.Repeat(".", len(members)-1-i))
	}
	l.digit += `(?:` + strings.Join(some, "|") + `)`
}

// setAll is the step of a rule that sets a parameter in all places of a URL. With more places, the
// step gives up.
func setAll(r *rule.Rule, places int) (step []edit) {
	name, value := literal(r.Params().Param), part{text: "=" + r.Params().Value}
	for n := places + 1; n > 0; n-- {
		e := edit{pattern: `^(` + path + ahead + name + `)` + valued, to: []part{{group: 1}, value}}
		for group := 2; group <= n; group++ {
			e.pattern += `(` + sep + `(?:[^#]*?` + sep + `)??` + name + `)` + valued
			e.to = append(e.to, part{group: group}, value)
		}
		e.pattern += `((?:` + sep + `[^#]*)?)` + end
		if e.to = append(e.to, part{group: n + 1}); n > places {
			e.to = nil
		}
		step = append(step, e)
	}
	return step
}

// translate writes the expressions for Caddy, or returns the reason why that cannot be.
func (l *linear) translate() (reason string) {
	write := func(pattern *string) {
		*pattern = inServer(withoutLooks.Replace(*pattern))
		if strings.Contains(*pattern, "(?=") || strings.Contains(*pattern, "(?!") || strings.Contains(*pattern, "(?<") {
			reason = noLooks
		}
	}
	for i := range l.tests {
		write(&l.tests[i])
	}
	for _, step := range l.steps {
		for i := range step {
			write(&step[i].pattern)
			for _, p := range step[i].to {
				if strings.ContainsAny(p.text, "{`") {
					reason = "a Caddyfile cannot hold its text"
				}
			}
		}
	}
	return reason
}

// withoutLooks replaces looks at the end of a text, or of all, and looks behind a text that is as
// short as it may be.
var withoutLooks = strings.NewReplacer(
	ended+inside, valued, inPathEnded+inPathInside+inPathEnd, `(?:[=;/\x3F]|$)`,
	ended, `(?:[=\x26;]|$)`, pieceEnd, `(?:[\x26;]|$)`, pathEnd, `(?:\x3F|$)`,
	`[^#]*?)`+afterWord+notInEscape, `(?:[^#]*?(?:[^0-9A-Za-z\x25]|`+signEscape+`))??)`,
	`[^#]*?)`+afterWord, `(?:[^#]*?(?:[^0-9A-Za-z]|`+signEscape+`))??)`,
	beforeWord+`(.*)`, `((?:[^0-9A-Za-z\x25].*|(?:`+signEscape+`|\x25[^0-9A-Fa-f]|\x25`+hex+`[^0-9A-Fa-f]).*|\x25`+hex+`?)?)$`,
	beforeDigits+`(.*)`, `((?:[^0-9A-Fa-f].*|`+hex+`[^0-9A-Fa-f].*|`+hex+`)?)$`)

func refuseCaddy(s *Site) func(*rule.Rule) string {
	server := refuseServer(s)
	return func(r *rule.Rule) string {
		if reason := server(r); reason != "" {
			return reason
		}
		_, reason := linearOf(r, 1)
		return reason
	}
}

// writeCaddy writes a route for each site, whose maps make one form from another. The variable dust
// has the form so far: the placeholder of a map is evaluated each time that it is asked for.
func writeCaddy(b *bufio.Writer, d *document) {
	d.serverHead(b, "Import this in each site block that it is meant for; each URL that is not its own",
		"canonical form is redirected to it.", "canonical form is answered with it in the header Link.")
	fmt.Fprint(b, "route {\n")
	for i := range d.sites {
		s := &d.sites[i]
		host := "."
		if s.Host != "" {
			host = hostPattern(s.Site)
		}
		for _, line := range s.titles() {
			fmt.Fprintf(b, "\t# %s\n", line)
		}
		fmt.Fprintf(b, "\t@dust_%d {\n\t\tmethod GET HEAD\n\t\texpression `{http.request.hostport}.matches(r\"(?i)%s\")`\n\t}\n\troute @dust_%[1]d {\n", i, host)
		w := caddyWriter{Writer: b, site: i}
		w.writeSite(s)
		fmt.Fprint(b, "\t}\n")
	}
	const differs = "\t@dust expression `{vars.dust} != {vars.dust_uri} && {vars.dust}.startsWith(\"/\") && (%s!{vars.dust}.startsWith(\"//\"))`\n"
	if d.Redirect {
		fmt.Fprintf(b, differs, `{vars.dust_uri}.startsWith("//") || `)
		fmt.Fprint(b, "\tredir @dust {scheme}://{hostport}{vars.dust} 301\n}\n")
	} else {
		fmt.Fprintf(b, differs, "") // a reference with // would begin with a host
		fmt.Fprintf(b, "\theader @dust +Link `%s`\n}\n", linkOf("{vars.dust}", `"`))
	}
}

// caddyWriter writes the maps of a site. Their placeholders have the numbers of the site and n.
type caddyWriter struct {
	*bufio.Writer
	site, n int
}

// writeSite writes the rounds of a site. A URL that the first round leaves as it is skips the
// others, and a URL that is too long skips all.
func (w *caddyWriter) writeSite(s *site) {
	first := w.placeholder()
	w.mapping("{http.request.orig_uri}", first, "``", "`~^(?:https?://[^/?# ]*)?"+target+"(?:#.*)?$` `${1}`")
	fmt.Fprintf(w, "\t\tvars dust_uri %s\n\t\tvars dust %[1]s\n\t\tvars dust_first %[1]s\n", first)
	w.when("{vars.dust}.size() <= "+strconv.Itoa(rule.MaxBytes), func() {
		w.rounds(s, s.rounds[:1])
		if len(s.rounds) > 1 {
			w.when("{vars.dust} != {vars.dust_first}", func() { w.rounds(s, s.rounds[1:]) })
		}
	})
}

// rounds writes the rules of some rounds. If the first step of a rule edits nothing, its others are
// skipped.
func (w *caddyWriter) rounds(s *site, rounds [][]int) {
	for _, rank := range slices.Concat(rounds...) {
		r := &s.rules[rank]
		l, _ := linearOf(r, s.places[rank])
		source, begin := w.tests(&l)
		if len(l.steps) > 1 {
			fmt.Fprint(w, "\t\tvars dust_rule {vars.dust}\n")
		}
		w.step(source, begin, l.steps[0])
		if len(l.steps) > 1 {
			w.when("{vars.dust} != {vars.dust_rule}", func() {
				for _, step := range l.steps[1:] {
					w.step(source, begin, step)
				}
			})
		}
		if grows(r) {
			w.when("{vars.dust}.size() > "+strconv.Itoa(rule.MaxBytes), func() { fmt.Fprint(w, "\t\tvars dust ``\n") })
		}
	}
}

// tests writes the maps of the tests of a rule, and returns the text before the form so far in the source
// of a step, and what an expression begins with.
func (w *caddyWriter) tests(l *linear) (source, begin string) {
	for _, test := range l.tests {
		digit := w.placeholder()
		w.mapping("{vars.dust}", digit, "0", "`~^"+test+"` 1")
		source += digit
	}
	if source == "" {
		return "", "^"
	}
	fmt.Fprintf(w, "\t\tvars dust_in `%s`\n", source)
	return "{vars.dust_in} ", "^" + l.digit + " "
}

// step writes a step, which edits the variable dust.
func (w *caddyWriter) step(source, begin string, step []edit) {
	var lines []string
	for _, e := range step {
		lines = append(lines, fmt.Sprintf("`~%s` `%s`", begin+e.pattern[1:], render(e.to, "${%d}", caddyText)))
	}
	to := w.placeholder()
	w.mapping("`"+source+"{vars.dust}`", to, "{vars.dust}", lines...)
	fmt.Fprintf(w, "\t\tvars dust %s\n", to)
}

// when writes a route for requests of which a condition is true.
func (w *caddyWriter) when(condition string, write func()) {
	n := w.n
	w.n++
	fmt.Fprintf(w, "\t\t@dust_%d_%d expression `%s`\n\t\troute @dust_%[1]d_%[2]d {\n", w.site, n, condition)
	write()
	fmt.Fprint(w, "\t\t}\n")
}

func (w *caddyWriter) placeholder() string {
	w.n++
	return fmt.Sprintf("{dust_%d_%d}", w.site, w.n-1)
}

// mapping writes a map from a source to a placeholder, with lines of an expression and a result.
func (w *caddyWriter) mapping(source, to, otherwise string, lines ...string) {
	fmt.Fprintf(w, "\t\tmap %s %s {\n\t\t\t%s\n\t\t\tdefault %s\n\t\t}\n", source, to, strings.Join(lines, "\n\t\t\t"), otherwise)
}

// caddyText writes a text into an output of a map.
func caddyText(s string) string { return strings.ReplaceAll(s, "$", "$$") }
