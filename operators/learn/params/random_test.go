package params

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strings"

	"dustbuster/internal/oracle"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// randomURL returns URLs that often collide: few paths, names and values, and every
// corner of the syntax.
func randomURL(r *rand.Rand, values int) string {
	if r.IntN(4) > 0 {
		return regularURL(r, values)
	}
	url := []string{"/", "/p", "/p/q", ""}[r.IntN(4)]
	if r.IntN(6) == 0 {
		return url
	}
	url += "?"
	for i := range r.IntN(5) {
		if i > 0 {
			url += []string{"&", "&", "&", ";"}[r.IntN(4)]
		}
		name := []string{"n", "n", "n", "n", "a", "a", "b", "m", "?", ""}[r.IntN(10)]
		switch r.IntN(8) {
		case 0:
			url += name
		case 1:
			url += name + "="
		default:
			url += fmt.Sprint(name, "=", r.IntN(values))
		}
	}
	return url
}

// regularURL returns URLs as one application writes them.
func regularURL(r *rand.Rand, values int) string {
	var pieces []string
	if r.IntN(5) > 0 {
		pieces = append(pieces, []string{"a=0", "a=1", "a=", "a", fmt.Sprint("a=", r.IntN(values))}[r.IntN(5)])
	}
	if r.IntN(3) == 0 {
		pieces = append(pieces, fmt.Sprint("b=", r.IntN(values)))
	}
	if r.IntN(3) > 0 {
		pieces = append(pieces, fmt.Sprint("n=", r.IntN(3)))
	}
	path := []string{"/", "/p"}[r.IntN(2)]
	if len(pieces) == 0 {
		return path
	}
	return path + "?" + strings.Join(pieces, "&")
}

// truth describes a random world: the sizes of its pages do not depend on n within the
// scope.
type truth struct {
	scope   rule.Scope
	digests bool // the evidence also has digests and several classes
}

func randomTruth(r *rand.Rand) truth {
	path, value := []string{"/", "/p"}[r.IntN(2)], []string{"1", "0", ""}[r.IntN(3)]
	return truth{
		digests: r.IntN(3) == 0,
		scope: []rule.Scope{
			{},
			{HasPath: true, Path: path},
			{Where: rule.Where("a", value)},
			{HasPath: true, Path: path, Where: rule.With("a")},
			{HasPath: true, Path: path, Where: rule.Where("a", value)},
		}[r.IntN(5)],
	}
}

func (h truth) holds(url string) bool {
	return slices.Contains(scopesOf(url, map[string]bool{"a": true}), h.scope)
}

// evidence mostly returns the truth, and sometimes nothing or noise.
func (h truth) evidence(r *rand.Rand, url string) evidence.Spans {
	if r.IntN(10) == 0 {
		return nil
	}
	if h.digests && r.IntN(2) == 0 {
		return randomEvidence(r)
	}
	if h.holds(url) {
		url = oracle.WithoutName(url, "n")
	}
	crc := int64(crc32.ChecksumIEEE([]byte(url)))
	return size(100 + crc%50)
}

func randomEvidence(r *rand.Rand) evidence.Spans {
	var e evidence.Spans
	for class := range r.IntN(4) {
		if lo := int64(100 + r.IntN(8)/6); r.IntN(3) > 0 {
			e = append(e, evidence.Span{Class: uint8(class), Min: lo, Max: lo + int64(r.IntN(2))})
		}
	}
	if r.IntN(2) == 0 {
		d := int64(r.IntN(3)) - 1
		e = append(e, evidence.Span{Class: evidence.Digest, Min: d, Max: d + int64(r.IntN(4)/3)})
	}
	return e
}
