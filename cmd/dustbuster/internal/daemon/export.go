package daemon

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"dustbuster/cmd/dustbuster/internal/apply"
	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/sinks/admin"
	"dustbuster/sinks/export"
	"dustbuster/stream/prober"
	"dustbuster/stream/rules"

	"go.uber.org/zap"
)

// Bounds of the exports of a daemon.
const (
	exportAge   = time.Minute // after which the URLs of a site are looked at again
	mostExports = 16          // that are kept
	mostLooked  = 1 << 20     // URLs of a site whose needs are looked at, about a second
)

// exports makes one export at a time, since each takes a copy of a site's URLs, and keeps those made last.
type exports struct {
	sync.Mutex
	kept map[exported]madeExport
}

type (
	exported struct {
		site, format string
		redirect     bool
		sequence     int64 // of the publication
	}
	madeExport struct {
		*export.Made
		at time.Time
	}
)

// Export returns the published rules of a site in a format, as the URLs of its window need them. It remembers the
// file, so that its rules are told when they are retired.
func (d *daemon) Export(ctx context.Context, site, format string, redirect bool) (*export.Made, error) {
	made, err := d.export(ctx, site, format, redirect)
	if err == nil && len(made.Marks) > 0 {
		file := &book.File{Format: format, Redirect: redirect, At: time.Now().Unix(), Marks: made.Marks}
		if err := d.ofSite(func(w *prober.Worker) error { return w.Take(site, file) }); err != nil {
			d.log.Warn("cannot remember an exported file, so nothing will say when it is outdated", zap.String("site", site), zap.String("format", format), zap.Error(err))
		}
	}
	return made, err
}

func (d *daemon) export(ctx context.Context, site, format string, redirect bool) (*export.Made, error) {
	state, _ := d.known()
	p := state.Published[site]
	if p == nil || len(p.Records) == 0 {
		return nil, admin.ErrNoRules
	}
	list, err := rules.NewSite(site, p.Records)
	if err != nil {
		return nil, err
	}
	e, key := &d.exports, exported{site, format, redirect, p.Sequence}
	e.Lock()
	defer e.Unlock()
	if last := e.kept[key]; last.Made != nil && time.Since(last.at) < exportAge {
		return last.Made, nil
	}
	if e.kept == nil || len(e.kept) >= mostExports {
		e.kept = map[exported]madeExport{}
	}
	made, err := exportOf(ctx, d.workers(), &list, format, redirect)
	if err == nil {
		e.kept[key] = madeExport{made, time.Now()}
	}
	return made, err
}

// exportOf makes the export of one site.
func exportOf(ctx context.Context, workers []*prober.Worker, list *rules.Site, format string, redirect bool) (*export.Made, error) {
	site, made := export.SiteOf(list), &export.Made{Rules: len(list.Rules)}
	for _, w := range workers {
		if urls := w.URLs(ctx, list.Name); urls != nil {
			site.URLs, made.URLs, made.Of = some(urls.URLs, mostLooked)
		}
	}
	var text bytes.Buffer
	var err error
	made.Skipped, err = export.Write(&text, format, []export.Site{site}, export.Options{
		Version: cli.Version(), Hash: apply.HashOf(&rules.List{Sites: []rules.Site{*list}}), Time: time.Now().UTC().Format(time.RFC3339), Redirect: redirect})
	made.Text = text.Bytes()
	if err == nil {
		made.Marks = marksBut(&site, made.Skipped)
	}
	return made, err
}

// marksBut returns the marks of the rules of a site but those that were left out.
func marksBut(site *export.Site, skipped []export.Skipped) (marks []string) {
	for rank := range site.Rules {
		if !slices.ContainsFunc(skipped, func(s export.Skipped) bool { return s.Rank == rank }) {
			marks = append(marks, site.Mark(rank))
		}
	}
	return marks
}

// some returns at most so many URLs, evenly out of all, with their number and that of all.
func some(urls iter.Seq[[]byte], most int) (part iter.Seq[[]byte], n, all int) {
	for range urls {
		all++
	}
	every := 1 + max(0, all-1)/most
	part = func(yield func([]byte) bool) {
		i := 0
		for url := range urls {
			if i%every == 0 && !yield(url) {
				return
			}
			i++
		}
	}
	return part, (all + every - 1) / every, all
}
