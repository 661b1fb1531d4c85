package text

import (
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/weight"
	"dustbuster/operators/rule"
)

// figures formats what the log says for a rule.
func figures(r *rule.Likely) string {
	words := fmt.Sprintf("weight %.1f: %d of %s alike, %.1f by chance", r.Weight, r.Alike, Count(r.Pairs, "pair"), r.Expected)
	if Shared(r) {
		words += "; " + SharedWords
	}
	return words
}

// SharedWords is what Shared says of a rule.
const SharedWords = "other URLs in this place look equally similar, so this may be a coincidence"

// Shared reports whether the texts of a rule have little part in its pages being alike: other
// values in the same place of the URL do as well.
func Shared(r *rule.Likely) bool {
	return r.Weighed && r.Own < weight.Shown && weight.Shown <= r.Weight
}

// effect formats the effect of a rule.
func effect(e *miner.Effect) string {
	s := "merges " + Count(e.URLs, "URL")
	if e.Hits > 0 {
		s += "; " + Count(int(e.Hits), "hit")
	}
	if e.Bytes > 0 { // the log holds sizes
		s += ", " + Size(e.Bytes)
	}
	return s
}

// Size formats a number of bytes.
func Size(bytes int64) string {
	const units = "kMGTPE"
	if bytes < 1000 {
		return Count(int(bytes), "byte")
	}
	x, unit := float64(bytes)/1000, 0
	for x >= 999.5 && unit < len(units)-1 {
		x, unit = x/1000, unit+1
	}
	return fmt.Sprintf("%.3g %cB", x, units[unit])
}

// clear is how many times as many hits one form of the pages must have for the hits to
// propose a direction.
const clear = 2

// Proposal is the direction of a likely rule that the log proposes.
type Proposal struct {
	Rule   rule.Rule
	Effect miner.Effect // of the rule in this direction
	Why    string       // ""; or the reason for the direction, if there are two
	Turned bool         // the direction is the other one than the listed rule's
}

// Propose returns the direction that the log proposes: never toward a form with a word such as print,
// toward the form with far more hits, and otherwise toward small letters or the shorter form. There is no reason if the log tells nothing, or if the rule
// has but one direction.
func Propose(reach *miner.Reach, r rule.Rule) Proposal {
	p := Proposal{Rule: r, Effect: reach.Effect(&r)}
	e := &p.Effect
	from, to := rule.Unpreferred(r.Sides().From), rule.Unpreferred(r.Sides().To)
	switch {
	case r.Kind() != rule.KindSubstring:
	case e.Hits > clear*e.Stayed && r.Sides().To != "" && (from == "" || to != ""):
		p.Why = fmt.Sprintf("the form with %d hits instead of %d", e.Hits, e.Stayed)
		p.Rule.Edit = r.Opposite().Edit
		p.Effect, p.Turned = reach.Effect(&p.Rule), true
	case e.Stayed > clear*e.Hits && e.Hits > 0 && (to == "" || from != ""):
		p.Why = fmt.Sprintf("the form with %d hits instead of %d", e.Stayed, e.Hits)
	case (from == "") != (to == ""):
		p.Why, p.Rule = "the form without the word "+from+to, r.Shrinking()
		if p.Turned = p.Rule != r; p.Turned {
			p.Effect = reach.Effect(&p.Rule)
		}
	case strings.EqualFold(r.Sides().From, r.Sides().To):
		p.Why, p.Rule = "the form with fewer capitals", r.Shrinking()
		if p.Turned = p.Rule != r; p.Turned {
			p.Effect = reach.Effect(&p.Rule)
		}
	case len(r.Sides().From) > len(r.Sides().To):
		p.Why = "the shorter form"
	}
	return p
}

// words formats a proposal beside the pair of texts.
func (p *Proposal) words() string {
	switch {
	case p.Why == "":
		return ""
	case p.Turned:
		return "proposed: keep the first, " + p.Why
	}
	return "proposed: keep the second, " + p.Why
}

// longRun is the number of escaped bytes from which a run of escapes is decoded. Shorter
// runs, such as a single letter with an accent, can be read as they are.
const longRun = 6

// Readable returns a URL with each long run of escapes decoded, if the run spells printable
// characters beyond ASCII.
func Readable(url string) string {
	var out []byte
	for url != "" {
		run := escapes(url)
		if len(run) >= longRun && printable(run) {
			out = append(out, run...)
			url = url[3*len(run):]
			continue
		}
		n := max(1, 3*len(run))
		out = append(out, url[:n]...)
		url = url[n:]
	}
	return string(out)
}

// escapes returns the bytes beyond ASCII of the escapes that begin a text.
func escapes(s string) (run []byte) {
	for len(s) >= 3 && s[0] == '%' {
		b, err := hex.DecodeString(s[1:3])
		if err != nil || b[0] < utf8.RuneSelf {
			break
		}
		run = append(run, b[0])
		s = s[3:]
	}
	return run
}

func printable(run []byte) bool {
	for len(run) > 0 {
		c, n := utf8.DecodeRune(run)
		if c == utf8.RuneError || !unicode.IsPrint(c) {
			return false
		}
		run = run[n:]
	}
	return true
}
