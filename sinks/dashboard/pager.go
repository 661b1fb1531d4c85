package dashboard

import (
	"net/url"
	"strconv"
)

// perPage is the number of rows of a page of a table.
const perPage = 50

// pager leads through the pages of a table.
type pager struct {
	All, First, Last int // rows, from 1; First 0: there are none
	Before, After    string
}

// skip returns how many rows come before the page that is asked for.
func (r *request) skip() int {
	n, err := strconv.Atoi(r.query.Get("page"))
	if err != nil || n < 1 || n > 1<<20 {
		n = 1
	}
	return (n - 1) * perPage
}

// pager returns the pager of a table of so many rows.
func (r *request) pager(path string, all int) pager {
	skip := r.skip()
	p := pager{All: all}
	if skip < all {
		p.First, p.Last = skip+1, min(skip+perPage, all)
	}
	n := skip/perPage + 1
	if n > 1 {
		p.Before = r.with(path, "page", strconv.Itoa(n-1))
	}
	if p.Last < all && p.First > 0 {
		p.After = r.with(path, "page", strconv.Itoa(n+1))
	}
	return p
}

// part returns the rows of the page that is asked for.
func part[T any](r *request, all []T) []T {
	skip := min(r.skip(), len(all))
	return all[skip:min(skip+perPage, len(all))]
}

// with returns the address of the page with another value of a parameter.
func (r *request) with(path, name, value string) string {
	q := url.Values{}
	for k, v := range r.query {
		q[k] = v
	}
	q.Set(name, value)
	if name != "page" {
		q.Del("page")
	}
	q.Del("done")
	return path + "?" + q.Encode()
}
