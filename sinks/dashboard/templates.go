package dashboard

import (
	"fmt"
	"html/template"
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
		"operates": func() bool { return operates }, "short": short, "said": said, "words": words, "moment": timeElement, "title": title, "tone": page.StateTone, "state": stateWords, "evidence": page.Evidence, "why": why, "outcome": text.Reason, "came": came, "count": page.Count[int], "bound": page.Bound, "effect": page.Effect, "pairs": pairsOf,
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

// mostSaid is the most characters of sentences that are shown.
const mostSaid = 1200

// short returns a foreign text as it is shown.
func short(s string) string { return page.Visible(page.Cut(mostShown, s)) }

// said returns sentences with foreign texts as they are shown.
func said(s string) string { return page.Visible(page.Sentences(mostSaid, s)) }

func words(r *rule.Rule) string { return page.Visible(page.Cut(2*mostShown, r.Words())) }

// timeElement returns a time as an element, which is not broken into lines.
func timeElement(at int64) template.HTML {
	return template.HTML("<time>" + page.Moment(at) + "</time>") //nolint:gosec // digits
}

// stateWords returns a state in words.
func stateWords(s rule.State) string { return page.StateWords[s] }

// seconds returns a span of time as it is shown.
func seconds(s float64) string { return (time.Duration(s) * time.Second).String() }

// came returns what became of a compared pair.
func came(p lifecycle.TriedPair) string {
	words := text.Reason(p.Reason.String())
	if p.Outcome == trial.Skip {
		return "inconclusive: " + words
	}
	return words
}

// why returns the reason of a verdict in words; "" if its pairs say it.
func why(reason string) string {
	if reason == "trial" {
		return ""
	}
	return text.Reason(reason)
}
