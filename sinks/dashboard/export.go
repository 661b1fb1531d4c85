package dashboard

import (
	"errors"
	"net/url"

	"dustbuster/sinks/admin"
	"dustbuster/sinks/export"
	"dustbuster/sinks/page"
)

// exportData is the page of a site's exports.
type exportData struct {
	head
	Formats []choice
	Answers []choice // of a server
	Format  *export.Format
	None    bool // no rule is published
	Failed  string
	*export.Made
	Lines []string // of the text; none: it is too long
	File  string   // address of the text alone
}

func exported(r *request, h head) any {
	d := exportData{head: h, Made: &export.Made{}}
	var err error
	if d.Format, err = export.Find(r.query.Get("format")); err != nil {
		d.Format = &export.Formats()[0]
	}
	redirect := d.Format.Server && r.query.Get("redirect") == "yes"
	address := func(path, format string, redirect bool) string {
		return exportAddress(path, h.Name, format, redirect)
	}
	for _, f := range export.Formats() {
		d.Formats = append(d.Formats, choice{f.Name, address("export", f.Name, redirect && f.Server), f.Name == d.Format.Name})
	}
	if d.Format.Server {
		d.Answers = []choice{{"no", address("export", d.Format.Name, false), !redirect}, {"yes, with 301", address("export", d.Format.Name, true), redirect}}
	}
	d.File = address("api/v1/export", d.Format.Name, redirect)
	made, err := r.d.daemon.Export(r.ctx, h.Name, d.Format.Name, redirect)
	switch {
	case errors.Is(err, admin.ErrNoRules):
		d.None = true
	case err != nil:
		d.Failed = err.Error()
	default:
		d.Made, d.Lines = made, page.TextLines(string(made.Text))
	}
	return &d
}

// exportAddress returns the address of an export, on the page or alone.
func exportAddress(path, site, format string, redirect bool) string {
	q := url.Values{"site": {site}, "format": {format}}
	if redirect {
		q.Set("redirect", "yes")
	}
	return path + "?" + q.Encode()
}

func (d *exportData) Written() int { return d.Rules - len(d.Skipped) }
