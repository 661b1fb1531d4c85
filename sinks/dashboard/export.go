package dashboard

import (
	"errors"
	"net/url"
	"strings"

	"dustbuster/sinks/admin"
	"dustbuster/sinks/export"
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

// mostText is the length in bytes of the longest text on a page.
const mostText = 32 << 10

func exported(r *request, h head) any {
	d := exportData{head: h, Made: &export.Made{}}
	var err error
	if d.Format, err = export.Find(r.query.Get("format")); err != nil {
		d.Format = &export.Formats()[0]
	}
	redirect := d.Format.Server && r.query.Get("redirect") == "yes"
	address := func(path, format string, redirect bool) string {
		q := url.Values{"site": {h.Name}, "format": {format}}
		if redirect {
			q.Set("redirect", "yes")
		}
		return path + "?" + q.Encode()
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
		if d.Made = made; len(made.Text) <= mostText {
			text := strings.ReplaceAll(string(made.Text), "\t", "    ") // they indent
			d.Lines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		}
	}
	return &d
}

// Written returns the number of rules in the text.
func (d *exportData) Written() int { return d.Rules - len(d.Skipped) }
