package weblog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// didYouMean suggests the known word nearest to a wrong word, if one is near: the words
// differ in case only, or in at most a third of the letters.
func didYouMean(wrong string, known []string) string {
	best, least := "", max(1, len(wrong)/3)+1
	for _, word := range known {
		if d := distance(wrong, word); d < least {
			best, least = word, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// servers maps the names of server programs to the formats that these programs write.
var servers = map[string]string{"nginx": "combined", "apache": "combined", "apache2": "combined", "httpd": "combined", "iis": "w3c", "ncsa": "common"}

func serverFormat(wrong string) string {
	if format, ok := servers[strings.ToLower(wrong)]; ok {
		return fmt.Sprintf(" (did you mean %q?)", format)
	}
	return didYouMean(wrong, Names())
}

// maxWord bounds the compared words. No known word is as long.
const maxWord = 100

// distance returns the number of letters to insert, remove or change to turn one word
// into the other, or 0 if only their case differs.
func distance(a, b string) int {
	return levenshtein.ComputeDistance(strings.ToLower(a[:min(len(a), maxWord)]), strings.ToLower(b))
}

// knownVariables returns the names of nginx's variables, with '$'.
func knownVariables() []string {
	known := []string{}
	for name := range nginxVariables {
		known = append(known, "$"+name)
	}
	for name := range strings.FieldsSeq(nginxSkipped) {
		known = append(known, "$"+name)
	}
	slices.Sort(known) // sorted, so that among equally near names the suggestion is always the same
	return known
}

// suggest suggests a directive for an unknown one: the same directive with the letter in
// the other case, or else all known directives.
func (d directive) suggest() string {
	letters, rest := "", ""
	switch {
	case d.letter == "" || strings.Contains(d.argument, "%"):
		return ""
	case d.argument != "":
		letters, rest = argumentLetters+"t", "{"+d.argument+"}"
	default:
		for letter := range apacheDirectives {
			letters += string(letter)
		}
		letters += "t"
	}
	known := []string{}
	for _, letter := range letters {
		known = append(known, "%"+d.modifiers+rest+string(letter))
	}
	slices.Sort(known)
	for _, k := range known {
		if strings.EqualFold(k, "%"+d.modifiers+rest+d.letter) {
			return fmt.Sprintf(" (did you mean %q?)", k)
		}
	}
	return " (known are " + strings.Join(known, " ") + ")"
}
