package page

import (
	"cmp"
	"slices"
	"strings"

	"dustbuster/operators/window/waste"
	"dustbuster/sinks/text"
)

// mostFamilies is the number of families of clients that are named.
const mostFamilies = 4

// Effect returns in words what a rule touches.
func Effect(e *waste.EffectRecord) string {
	said := Count(e.URLs, "URL")
	if e.Bytes > 0 {
		said += ", " + text.Size(e.Bytes)
	}
	if names := Families(e.Families); names != "" {
		said += "; fetched by " + names
	}
	return said
}

// Families names the families of clients that asked for the most URLs, each with their number; "" for none.
func Families(of []waste.FamilyRecord) string {
	asked := slices.Clone(of)
	slices.SortStableFunc(asked, func(a, b waste.FamilyRecord) int { return cmp.Compare(b.URLs, a.URLs) })
	var names []string
	for _, f := range asked[:min(len(asked), mostFamilies)] {
		names = append(names, Visible(f.Family)+" "+Number(f.URLs))
	}
	if more := len(asked) - len(names); more > 0 {
		names = append(names, "and "+Count(more, "other"))
	}
	return strings.Join(names, ", ")
}
