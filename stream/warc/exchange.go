package warc

import (
	"bytes"
	"net/http"
	"strings"
)

// longestPairing is how many answers a pairing keeps waiting for their requests, and how many
// requests for their answers. Crawlers write both one after the other; some have several connections.
const longestPairing = 16

// pairing finds the method of each answer of an archive, which only the request of the same
// exchange tells. Either record may come first. They name each other (WARC-Concurrent-To), or,
// if neither names any record, have the same URL. T is what the reader keeps of an answer. The
// zero value is ready to use.
type pairing[T any] struct {
	answers  []waiting[T] // the oldest first
	requests []waiting[T] // without a value
}

// waiting is a record whose counterpart was not found yet. An answer with a method has found it.
type waiting[T any] struct {
	id, others, url, method string
	value                   T
}

func newWaiting[T any](h *header, value T) waiting[T] {
	return waiting[T]{string(h.id), string(h.others), string(h.url), h.method, value}
}

// request takes a record that is no answer. Records of other kinds have no method.
func (p *pairing[T]) request(h *header) {
	if h.method == "" {
		return
	}
	var none T
	r := newWaiting(h, none)
	for i := range p.answers {
		if a := &p.answers[i]; a.method == "" && a.exchanged(&r) {
			a.method = r.method
			return
		}
	}
	if len(p.requests) == longestPairing {
		p.requests = append(p.requests[:0], p.requests[1:]...)
	}
	p.requests = append(p.requests, r)
}

// answer takes an answer.
func (p *pairing[T]) answer(h *header, value T) {
	a := newWaiting(h, value)
	for i := range p.requests {
		if r := &p.requests[i]; a.exchanged(r) {
			a.method = r.method
			p.requests = append(p.requests[:i], p.requests[i+1:]...)
			break
		}
	}
	p.answers = append(p.answers, a)
}

// next returns the oldest answer if its method is known, if more than most are waiting, or at the
// end of the archive. The method is "" if there is no request.
func (p *pairing[T]) next(most int, end bool) (value T, method string, ok bool) {
	if len(p.answers) == 0 || p.answers[0].method == "" && len(p.answers) <= most && !end {
		return value, "", false
	}
	first := p.answers[0]
	p.answers = append(p.answers[:0], p.answers[1:]...)
	return first.value, first.method, true
}

// exchanged reports whether an answer and a request are of the same exchange.
func (a *waiting[T]) exchanged(r *waiting[T]) bool {
	if a.others == "" && r.others == "" {
		return a.url == r.url
	}
	return names(a.others, r.id) || names(r.others, a.id)
}

// names reports whether a list of records has one.
func names(list, id string) bool { return id != "" && strings.Contains(list, id+" ") }

// isPage reports whether a method asks for a page. A record without a request counts as one,
// unless its URL has the method that archives of browsers put there (?__wb_method=POST).
func isPage(method string, url []byte) bool {
	return (method == "" || method == http.MethodGet) && !bytes.Contains(url, []byte("__wb_method="))
}

// methodOf returns the method in the first line of an HTTP request, or "".
func methodOf(b []byte) string {
	end := bytes.IndexByte(b, ' ')
	for i := range max(end, 0) {
		if c := b[i] | 0x20; c < 'a' || c > 'z' {
			return ""
		}
	}
	return string(b[:max(end, 0)])
}
