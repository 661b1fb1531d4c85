// Package text writes rules for people to read: best first, each with a pair of URLs as
// an example.
package text

import (
	"bufio"
	"cmp"
	"fmt"
	"io"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/learn/shown"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
)

// List is the rules of a site.
type List struct {
	Rows      []shown.Row  // that are written
	Proposals []Proposal   // of the rows
	Rules     int          // all rules of the site
	Reach     *miner.Reach // of the site
	Notes     []notes.Note
	Explained []rule.Likely // rules without a row, which a catch-all explains
}

// Write writes the rows of a site's list under a line with its name and its notes. Apart reports
// whether an empty line must separate the site from earlier output. Rules and examples go through
// the veil.
func Write(w io.Writer, site *miner.Machine, veil secret.Veil, l *List, apart bool) error {
	out := bufio.NewWriter(w)
	if apart {
		fmt.Fprintln(out)
	}
	writeSite(out, site, veil, l)
	if len(l.Rows) > 0 {
		fmt.Fprintf(out, "\n%4s  %7s  rule\n", "rank", "support")
	}
	for i := range l.Rows {
		writeRow(out, l.Reach, veil, i+1, &l.Rows[i], &l.Proposals[i])
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write rules: %w", err)
	}
	return nil
}

// WriteBare lists a site without rules, with what its log shows.
func WriteBare(w io.Writer, site *miner.Machine, reach *miner.Reach) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s: no rule found in %s\n", cmp.Or(site.Site(), "unnamed site"), numbered(site.URLs(), "URL"))
	for _, n := range reach.Notes().Notes {
		fmt.Fprintf(out, "Note: %s.\n", n)
	}
	seen := reach.See()
	fmt.Fprintln(out, &seen)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write rules: %w", err)
	}
	return nil
}

// writeSite writes a line with the site's name, and one for each note on what the log cannot tell.
func writeSite(out io.Writer, site *miner.Machine, veil secret.Veil, l *List) {
	name := cmp.Or(site.Site(), "unnamed site") // the log names no host
	fmt.Fprintf(out, "%s: %s of %s\n", name, numbered(l.Rules, "likely rule"), numbered(site.URLs(), "URL"))
	for _, n := range l.Notes {
		fmt.Fprintf(out, "Note: %s.\n", n)
		if words := Explained(n, l.Explained, veil); words != "" {
			fmt.Fprintf(out, "      %s\n", words)
		}
	}
}

// Explained says which of a site's rules a note explains, or "".
func Explained(n notes.Note, rules []rule.Likely, veil secret.Veil) string {
	if n.Kind != notes.CatchAll || len(rules) == 0 {
		return ""
	}
	return fmt.Sprintf("explains %s, such as: %s", Count(len(rules), "likely rule"), Masked(&rules[0], nil, veil))
}

// Count returns a number with its noun, such as "1 rule" and "2 rules".
func Count(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

const indent = "               " // under the rule

func writeRow(out io.Writer, reach *miner.Reach, veil secret.Veil, rank int, row *shown.Row, p *Proposal) {
	r := &row.Rule
	fmt.Fprintf(out, "%4d  %7d  %s%s\n", rank, r.Support, Masked(r, reach, veil), found(r))
	if u, v, ok := reach.Example(&r.Rule); ok {
		u, v = veil.MaskBoth(u, v)
		fmt.Fprintf(out, "%s%s\n%s%s\n", indent, Readable(u), indent, Readable(v))
	}
	if r.Weighed {
		fmt.Fprintf(out, "%s%s\n", indent, figures(r))
	}
	fmt.Fprintf(out, "%s%s\n", indent, effect(&p.Effect))
	if words := p.words(); words != "" {
		fmt.Fprintf(out, "%s%s\n", indent, words)
	}
	for _, line := range Folded(row, veil) {
		fmt.Fprintf(out, "%s%s\n", indent, line)
	}
}

// Folded says which rules are folded under a row.
func Folded(row *shown.Row, veil secret.Veil) (lines []string) {
	if row.Texts > 0 {
		lines = append(lines, fmt.Sprintf("also stands for %s", Count(row.Texts, "similar rule")))
	}
	if row.Values > 0 {
		lines = append(lines, fmt.Sprintf("also stands for %s about values of %s", Count(row.Values, "rule"), veil.Mask(row.Of)))
	}
	if n := len(row.Joined); n > 0 {
		line := "replaces a narrower rule: "
		if n > 1 {
			line = fmt.Sprintf("replaces %d narrower rules, such as: ", n)
		}
		lines = append(lines, line+Masked(&row.Joined[0], nil, veil))
	}
	return lines
}

// Hidden says which rules of a site are not shown, and why, in the words of a list.
func Hidden(h *shown.Hidden) (why []string) {
	for _, part := range []struct {
		rules int
		words string
	}{
		{h.Light, "this may be chance"},
		{h.Contradicted, "pages differed on the same day"},
		{h.OneContent, "all evidence comes from a single page"},
		{h.Files, "the files have different sizes"},
	} {
		if part.rules > 0 {
			why = append(why, fmt.Sprintf("%s hidden: %s", Count(part.rules, "rule"), part.words))
		}
	}
	return why
}

// found returns the name of the learner of a rule, if it looks at the window now and then.
func found(r *rule.Likely) string {
	if name := r.Wire().Learner; name != "" {
		return "  [" + name + "]"
	}
	return ""
}

// Masked returns the words of a likely rule through a veil: see MaskedWords.
func Masked(l *rule.Likely, reach *miner.Reach, veil secret.Veil) string {
	return MaskedWords(Rule(l), &l.Rule, reach, veil)
}

// MaskedWords returns the words of a rule through a veil. If both sides of a substring rule are hidden and
// would look alike, they say what differs, by the name of its parameter. A rule that lacks the name has
// that of its example; reach may be nil.
func MaskedWords(words string, r *rule.Rule, reach *miner.Reach, veil secret.Veil) string {
	if r.Kind() != rule.KindSubstring {
		return veil.Mask(words)
	}
	name, alike := veil.Difference(r.Sides().From, r.Sides().To)
	if !alike {
		return veil.Mask(words)
	}
	if (name == "" || name == "=") && reach != nil {
		u, v, _ := reach.Example(r)
		name, _ = veil.Difference(u, v)
	}
	if name == "" || name == "=" || veil.Mask(name) != name {
		return "two hidden texts are the same"
	}
	return "two hidden values of " + name + " are the same"
}

// Rule formats a rule, with ^ and $ where a substring is anchored.
func Rule(l *rule.Likely) string {
	r := &l.Rule
	if r.Kind() == rule.KindSubstring {
		p := r.Pair()
		r = &rule.Rule{Edit: rule.Substring{From: p.Alpha, To: p.Beta, AtStart: p.AtStart, AtEnd: p.AtEnd}}
		return r.PairWords()
	}
	unit := "pair"
	if l.Learner == params.Name || l.Learner == "" {
		unit = "group"
	}
	return fmt.Sprintf("%s (%d of %s alike)", r.Words(), l.Support, Count(l.Comparable, unit))
}
