package prober

import (
	"crypto/sha1" //nolint:gosec // archives name contents by it
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"slices"

	"dustbuster/operators/judge/sketch"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/read/digest"
	"dustbuster/stream/fetch"

	"github.com/klauspost/compress/s2"
)

// content is the part of a body kept by a Fetcher.
type content struct {
	*sketch.Page
	digest uint64            // in the form of archives' logs
	sum    [sha256.Size]byte // in the form of reports
	list   []byte            // the page's List, compressed
}

// Digest returns the part of a body that a Fetcher keeps.
func Digest(target, contentType string, body []byte) any {
	sum := sha1.Sum(body) //nolint:gosec // as above
	page := sketch.PageAt(target, contentType, body)
	list := slices.Clone(s2.Encode(nil, page.List))
	page.List = nil
	return content{page, digest.OfPayload(base32.StdEncoding.AppendEncode(nil, sum[:])), sha256.Sum256(body), list}
}

// Bytes returns the memory of the content, about.
func (c content) Bytes() int64 {
	return contentBytes + int64(4*(len(c.Shingles)+len(c.Bag)+len(c.Media)+len(c.Marks)+len(c.Bound)+len(c.Data))+len(c.list)+len(c.Canonical)+len(c.Base)+len(c.Until))
}

// contentBytes is the memory of a content, beside its lists and texts.
const contentBytes = 600

// words returns the page's List.
func (c *content) words() []byte {
	list, err := s2.Decode(nil, c.list)
	if err != nil {
		panic(err) // Digest made it
	}
	return list
}

// compare compares two existing documents.
func compare(u, v fetch.Document) trial.Compared {
	a, ok := u.Content.(content)
	b, also := v.Content.(content)
	if !ok || !also {
		return trial.Compared{}
	}
	made := trial.Compared{
		Alike: sketch.Exact(a.Page, b.Page), SameText: sketch.SameText(a.Page, b.Page), SameBytes: a.Digest == b.Digest,
		OtherMedia: sketch.OtherMedia(a.Page, b.Page), Disowned: disowned(u, v), Leads: leads(u, v),
		U: shown(u, a), V: shown(v, b),
	}
	made.Differing = differing(&a, &b, made.Alike)
	if !made.SameText {
		made.Common = sketch.Common(a.Bag, b.Bag)
	}
	made.ManyWords = made.Alike < 1 && sketch.DifferInMany(a.Page, b.Page, made.Alike, trial.MostDiffering)
	return made
}

// differing returns the words and marks by which two pages differ; nil if the pages are equal, or not
// nearly alike, or have more words than are kept.
func differing(a, b *content, alike float64) *trial.Differing {
	if a.Digest == b.Digest || alike < trial.Floor {
		return nil
	}
	u, v, ok := sketch.Apart(a.Page, b.Page, trial.MostDiffering)
	if ok && len(u)+len(v) == 0 {
		if sketch.SameText(a.Page, b.Page) {
			return nil
		}
		u, v = sketch.Swapped(a.words(), b.words())
	}
	if !ok {
		return nil
	}
	return trial.NewDiffering(u, v)
}

func shown(d fetch.Document, c content) trial.Shown {
	return trial.Shown{HTML: c.HTML, Image: c.Image, Words: c.Words, Text: c.Text, Digest: c.digest,
		Sent: d.Sent, Length: c.Length, Header: d.Header, NoIndex: d.NoIndex || c.NoIndex || fetch.IsPast(c.Until), Wall: c.Wall, Varies: d.Varies}
}

// wordsOf returns the words of a page in two visits.
func wordsOf(first, last fetch.Document) (v sketch.Visits) {
	a, ok := first.Content.(content)
	b, also := last.Content.(content)
	if ok && also && a.HTML == b.HTML {
		v = sketch.Visits{First: a.Bag, Last: b.Bag}
	}
	return v
}

// disowned reports whether two documents both name a canonical page, and not the same.
func disowned(u, v fetch.Document) bool {
	a, b := canonical(u), canonical(v)
	return a != "" && b != "" && a != b
}

// leads returns 1 if two documents both name v as their canonical page, -1 if both name u, and
// else 0. A URL that redirects is not named: the page that is named is the end of the redirect.
func leads(u, v fetch.Document) int {
	switch a := canonical(u); {
	case a == "" || a != canonical(v) || u.Target == v.Target:
		return 0
	case a == v.Target && !v.Redirected:
		return 1
	case a == u.Target && !u.Redirected:
		return -1
	}
	return 0
}

// canonical returns the canonical page named by a document, in normal form; "" if the
// document names none, or its header and its text name different pages.
func canonical(d fetch.Document) string {
	header := d.Resolve("", d.Canonical)
	c, ok := d.Content.(content)
	if !ok {
		return header
	}
	named := d.Resolve(c.Base, c.Canonical)
	switch {
	case header == "" || header == named:
		return named
	case named == "":
		return header
	}
	return ""
}

// alike returns how much two documents of one page resemble each other.
func alike(a, b fetch.Document) float64 {
	if a.Status != b.Status || a.Target != b.Target || a.Content == nil || b.Content == nil {
		return 1 // another kind of answer, or one without a page, gives no measure of the page's noise
	}
	return compare(a, b).Alike
}

// document returns the result of a fetch in the form used by trials.
func document(d fetch.Document, err error) trial.Document {
	var e *fetch.Error
	switch {
	case err == nil && d.Truncated:
		return trial.Document{Failure: trial.TooLarge}
	case err == nil:
		return trial.Document{Status: d.Status, Redirected: d.Redirected, Target: d.Target}
	case !errors.As(err, &e):
		return trial.Document{Failure: trial.Unreachable}
	}
	return trial.Document{Failure: failureOf(e.Reason)}
}

func failureOf(why fetch.Reason) trial.Failure {
	switch why {
	case fetch.Robots, fetch.Closed:
		return trial.Robots
	case fetch.Action, fetch.Pattern, fetch.Secret, fetch.Unasked:
		return trial.Action
	case fetch.Timeout:
		return trial.Timeout
	case fetch.Loop:
		return trial.Endless
	case fetch.Address, fetch.NoOrigin, fetch.Target, fetch.OffSite:
		return trial.Forbidden
	}
	return trial.Unreachable
}
