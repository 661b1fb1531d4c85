package book

import (
	"regexp"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// number matches a number or a hash.
var number = regexp.MustCompile(`[0-9a-f]{7,}|[0-9]+`)

// kin returns an edit that stands for all edits of its kin. Substrings are of kin if they change one value of a parameter
// into one other, or if numbers or hashes alone tell what they change, after the same words of a segment or piece. Other
// edits are of kin to themselves.
func kin(e rule.Edit) rule.Edit {
	s, ok := e.(rule.Substring)
	if !ok {
		return e
	}
	before, from, to := apart(s.From, s.To)
	before = masked(before[strings.LastIndexAny(before, separators)+1:])
	isValue := strings.HasSuffix(before, "=") && !strings.ContainsAny(from+to, separators)
	if from, to = masked(from), masked(to); isValue || from == to {
		return rule.Substring{From: before + from, To: before + to}
	}
	return e
}

// separators stand between segments and between pieces.
const separators = "/?&;"

func masked(text string) string { return number.ReplaceAllLiteralString(text, "#") }

// apart returns what two texts begin with, and what they differ in, whole tokens.
func apart(a, b string) (before, restA, restB string) {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for n > 0 && (!dust.Boundary(a, n) || !dust.Boundary(b, n)) {
		n--
	}
	before, restA, restB = a[:n], a[n:], b[n:]
	end := 0
	for end < min(len(restA), len(restB)) && restA[len(restA)-1-end] == restB[len(restB)-1-end] {
		end++
	}
	for end > 0 && (!dust.Boundary(restA, len(restA)-end) || !dust.Boundary(restB, len(restB)-end)) {
		end--
	}
	return before, restA[:len(restA)-end], restB[:len(restB)-end]
}
