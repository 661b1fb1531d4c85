package dashboard

import (
	"fmt"
	"html/template"
	"strings"
	"sync"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/sinks/page"
	"dustbuster/sinks/text"
)

// templates are the pages by name: with buttons, for operators, and without. They are parsed for the
// first reader, since most commands have none.
var templates = map[bool]func() map[string]*template.Template{
	true:  sync.OnceValue(func() map[string]*template.Template { return parse(true) }),
	false: sync.OnceValue(func() map[string]*template.Template { return parse(false) }),
}

func parse(operates bool) map[string]*template.Template {
	base := template.Must(page.New().Funcs(template.FuncMap{
		"operates": func() bool { return operates }, "short": short, "words": words, "moment": timeElement, "title": title, "tone": tone, "why": why, "outcome": text.Reason, "came": came, "count": page.Count[int], "bound": bound, "effect": page.Effect, "pairs": pairsOf,
		"resemblance": func(x float64) string { return fmt.Sprintf("%.3f", x) }, "wide": page.Number[int64],
		"lag":   func(position, end int64) string { return page.Number(max(0, end-max(0, position))) },
		"form":  func(do, text string, r *row, id, back string) button { return button{do, text, r.Name, back, "id", id} },
		"judge": func(r *row, id, what string) judged { return judged{r.Name, r.Held.Mark, id, what} },
		"allow": func(r *row, param string) button { return button{"allow", "", r.Name, "site", "param", param} },
		"about": func(do string, r *row, name, value string) button {
			return button{do, "Take back", r.Name, "site", name, value}
		},
		"unused": func(r *row, file string) button {
			return button{"unused", "It is not in use", r.Name, "site", "file", file}
		},
	}).ParseFS(files, "pages/parts.html"))
	all := map[string]*template.Template{}
	for _, name := range []string{"overview", "site", "rules", "history", "verdicts", "pairs", "likely", "export", "inputs", "left", "try", "group", "error"} {
		all[name] = template.Must(template.Must(base.Clone()).ParseFS(files, "pages/"+name+".html"))
	}
	return all
}

// button is a form with one button, and one field about which it is.
type button struct{ Do, Text, Site, Back, Field, Value string }

// judged is a form with the buttons for a held update, or for one rule of it.
type judged struct{ Site, Mark, ID, What string }

// pair is a pair of URLs with marks where they differ.
type pair struct {
	From, To []page.Piece
	Outcome  string
}

func pairsOf(examples []rule.Example) (all []pair) {
	for _, e := range examples {
		from, to := page.Difference(e.U, e.V)
		all = append(all, pair{from, to, e.Outcome})
	}
	return all
}

// mostShown is the most characters that are shown of a foreign text.
const mostShown = 160

// short returns a foreign text as it is shown.
func short(s string) string { return page.Visible(page.Cut(mostShown, s)) }

func words(r *rule.Rule) string { return page.Visible(page.Cut(2*mostShown, r.Words())) }

// timeElement returns a time as an element, which is not broken into lines.
func timeElement(at int64) template.HTML {
	return template.HTML("<time>" + page.Moment(at) + "</time>") //nolint:gosec // digits
}

// seconds returns a span of time as it is shown.
func seconds(s float64) string { return (time.Duration(s) * time.Second).String() }

// bound returns a bound of a share as it is shown.
// Bounds are compared with 5 %, so small bounds have two digits more.
func bound(x float64) string {
	const unbroken = "\u00a0"
	if 0.001 <= x && x < 0.0995 {
		return fmt.Sprintf("%.2f"+unbroken+"%%", 100*x)
	}
	return strings.ReplaceAll(page.Percent(x), " %", unbroken+"%")
}

// came returns what became of a compared pair.
func came(p lifecycle.TriedPair) string {
	words := text.Reason(p.Reason.String())
	if p.Outcome == trial.Skip {
		return "proves nothing: " + words
	}
	return words
}

func tone(s rule.State) string {
	switch s {
	case rule.Valid:
		return "good"
	case rule.Refuted, rule.Retired:
		return "bad"
	case rule.Undecided:
		return "warn"
	}
	return ""
}

// why returns the reason of a verdict in words.
func why(reason string) string {
	if w := reasons[reason]; w != "" {
		return w
	}
	return reason
}

var reasons = map[string]string{
	"trial":           "by its trial",
	"server_error":    "the server fails at URLs that the rule makes",
	"stand_ins":       "the server refuses invented URLs, or enough were asked for today",
	"refused":         "the server refuses most URLs that the rule makes",
	"leads_back":      "the new URL leads back to the old one",
	"unsafe":          "some URL has no canonical form with it",
	"set":             "the rules together turned a URL into a wrong form",
	"report":          "a crawler reported a wrong pair, and it was wrong",
	"veto":            "vetoed by an operator",
	"canonical":       "the pages name the other direction as canonical",
	"redirects":       "the new URLs redirect",
	"clients":         "more clients ask for the URLs of the other direction",
	"preference":      "an operator prefers the other direction",
	"pin":             "undecided, and pinned by an operator",
	"tested_again":    "in a new trial",
	"near_threshold":  "the pages are about as alike as the threshold",
	"exception":       "it was given an exception, and the trial goes on",
	"other_page":      "the pages are not those that clients got",
	"other_canonical": "the pages name different canonical pages",
	"everywhere":      "the server shows the same text everywhere",
	"unsteady":        "the pages differed at the first look only",
	"control":         "pages that the rule does not join are as much alike",
}
