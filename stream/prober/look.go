package prober

import (
	"strings"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/sketch"
	"dustbuster/stream/fetch"
)

// Opened returns the pairs of a verdict as people look at them.
func (w *Worker) Opened(site string, e *book.Entry) []book.Opened {
	veiled := *e
	w.o.Lifecycle.VeilExamples(&veiled.Verdict)
	return w.o.Evidence.of(site, &veiled)
}

// open returns a judged pair as people look at it.
func (s *site) open(u, v string, p *fetched, told *Judged) *book.Opened {
	o := &book.Opened{U: s.side(u, &p.u, &told.U), V: s.side(v, &p.v, &told.V), Outcome: told.Reason, At: time.Now().Unix(), Compared: told.Compared, Alike: told.Resemblance}
	a, ok := p.u.Content.(content)
	b, also := p.v.Content.(content)
	if !told.Compared || !ok || !also {
		return o
	}
	if c := compare(p.u, p.v); !c.Equal() {
		o.Differ(a.words(), b.words(), s.worker.o.Lifecycle.Veil)
	}
	o.SameText = sketch.SameText(a.Page, b.Page) && len(o.Words) == 0
	return o
}

// side returns one page of a pair.
func (s *site) side(url string, d *fetch.Document, told *Visited) book.Side {
	veil := s.worker.o.Lifecycle.Veil
	out := book.Side{URL: veil.Mask(url), Status: told.Status, Length: told.Length, Failed: string(told.Failed), Canonical: veil.Mask(canonical(*d)), NoIndex: d.NoIndex}
	if link, err := s.worker.o.Fetcher.Where(s.name, url); err == nil && out.URL == url && strings.HasPrefix(link, "http") {
		out.Link = link
	}
	if d.Redirected {
		out.To = veil.Mask(d.Target)
	}
	if c, ok := d.Content.(content); ok {
		out.NoIndex = out.NoIndex || c.NoIndex
	}
	return out
}
