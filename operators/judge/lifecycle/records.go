package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// records makes the records of publications.
type records struct {
	site string
	o    *book.Options
	book *book.Book
}

func (r *records) record(e *book.Entry) rule.Record {
	byDomain, hosts := r.hosts()
	separators := r.book.Separators
	return rule.Record{
		Schema: rule.Schema, Site: r.site, ID: e.ID, Wire: *rule.NewWire(&e.Rule), Rank: e.Rank, State: e.State, Support: e.Support,
		Verdict: e.Verdict, FirstSeen: e.FirstSeen, ValidatedAt: e.ValidatedAt, ByDomain: byDomain, Hosts: hosts, Separators: &separators,
	}
}

// hosts reports whether the site's mined strings begin with their host, and returns the
// hosts of a grour.
func (r *records) hosts() (byDomain bool, hosts []string) {
	hosts, group := r.o.Groups[r.site]
	if group && len(hosts) == 0 { // the name of the group is itself a host
		hosts = []string{r.site}
	}
	return group || r.o.ByDomain && r.site != "", hosts
}

// renewed returns a publication of the same rules if some record lacks a separator, and
// otherwise nil. The set was already tried, so nothing is fetched.
func (r *records) renewed(now int64) *book.Publication {
	if !slices.ContainsFunc(r.book.Publication.Records, r.outdated) {
		return nil
	}
	next := r.book.Publication
	next.Sequence, next.At, next.Hour, next.Retired = next.Sequence+1, now, next.LastHour(), nil
	next.Records = slices.Clone(next.Records)
	separators := r.book.Separators
	for i := range next.Records {
		next.Records[i].Separators = &separators
	}
	return &next
}

// outdated reports whether a record lacks a separator that was seen.
func (r *records) outdated(record rule.Record) bool {
	return record.Separators == nil || *record.Separators != r.book.Separators
}
