package weblog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// didYouMean names the known word nearest to a wrong one, if one is near: it
// differs in case only, or in at most a third of its letters.
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

// servers are formats by what people call them: the program that writes them.
var servers = map[string]string{"nginx": "combined", "apache": "combined", "apache2": "combined", "httpd": "combined", "iis": "w3c", "ncsa": "common"}

// serverFormat names the format that was meant by a wrong name.
func serverFormat(wrong string) string {
	if format, ok := servers[strings.ToLower(wrong)]; ok {
		return fmt.Sprintf(" (did you mean %q?)", format)
	}
	return didYouMean(wrong, Names())
}

// maxWord bounds the words that are compared; no known word is as long.
const maxWord = 100

// distance is how many letters must be put in, taken out or changed to make one
// word of another; 0 if only their case differs.
func distance(a, b string) int {
	return levenshtein.ComputeDistance(strings.ToLower(a[:min(len(a), maxWord)]), strings.ToLower(b))
}

// knownVariables are nginx's variables by name, with '$'.
func knownVariables() []string {
	known := []string{}
	for name := range nginxVariables {
		known = append(known, "$"+name)
	}
	for name := range strings.FieldsSeq(nginxSkipped) {
		known = append(known, "$"+name)
	}
	slices.Sort(known) // of two as near, always the same is named
	return known
}

// suggest tells what might be meant by an unknown directive: the same one with a
// letter in the other case, or else what there is.
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
