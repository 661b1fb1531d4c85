// Package page is the common look of the pages for people: the report of a log and the pages
// of the daemon. The package has one style sheet, one layout, and pictures in SVG.
//
// Pages are written by html/template. Pages can be read without their script, which copies texts and saves tables. A
// strict Content-Security-Policy refuses nothing of them: no element has styles or scripts of its own, and [Policy]
// allows the style sheet and the script by their hashes. The style sheet follows the reader's choice of light or dark, and has rules for print.
//
// # Pictures
//
// A picture is a value of type [Shares], [Histogram] or [Curve]. A template draws a picture with
//
//	{{template "shares" .}}  {{template "histogram" .}}  {{template "curve" .}}
//
// "opened" shows a pair of pages: [Opened]. Among words, "spark" draws a Curve and "bar" a [Row]. An SVG holds shapes only and is stretched to
// the width of the page. All words stand beside the SVG in HTML, so words keep their size on a
// narrow screen. Each SVG has a title, and where the shapes say more than the words, a
// description for screen readers.
//
// # Foreign text
//
// Text from a log or from a site is hostile. Package html/template keeps foreign text from
// becoming markup. [Visible] shows the characters that would change how other text is read,
// such as characters that turn a line around, and [Cut] bounds the length. Callers pass all
// foreign text through both, or through the functions of the same names in templates.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"dustbuster/sinks/text"
)

// Style is the style sheet of all pages.
//
//go:embed style.css
var Style string

// Script copies texts and saves tables, where a page has buttons for it.
//
//go:embed tools.js
var Script string

//go:embed layout.html
var layout string

//go:embed pictures.html
var pictures string

//go:embed opened.html
var opened string

// Page is a page within the layout.
type Page struct {
	Title string // of the window
	Home  string // URL that the program's name leads to; "": the name is no link
	Nav   []Link
	Foot  []string // paragraphs

	StyleURL  string // of the style sheet; "": the page holds the style sheet and the script, and a policy that allows no request
	ScriptURL string // of the script, beside StyleURL

	Data any // of the template "main"
}

// Link is a link of the navigation.
type Link struct {
	URL, Text string
	Here      bool // the page is the link's
}

// New returns templates with the layout, the pictures and these functions:
//
//	visible  Visible
//	cut      Cut
//	number   Number
//	count    Count of ints, count64 of int64s
//	percent  Percent
//	bytes    text.Size
//
// The caller parses the template "main" of one page into a clone of the templates.
func New() *template.Template {
	t := template.New("").Funcs(template.FuncMap{"visible": Visible, "cut": Cut, "sentences": Sentences, "number": Number[int], "count": Count[int], "count64": Count[int64], "percent": Percent, "bytes": text.Size})
	return template.Must(t.Parse(layout + pictures + opened))
}

// Write writes a page. Nothing is written if a template fails.
func Write(w io.Writer, t *template.Template, p *Page) error {
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, "page", whole{p}); err != nil {
		return fmt.Errorf("make page: %w", err)
	}
	if _, err := b.WriteTo(w); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

// whole is what the layout asks of a page.
type whole struct{ *Page }

func (whole) Style() template.CSS { return template.CSS(Style) } //nolint:gosec // our own style sheet

func (whole) Script() template.JS { return template.JS(Script) } //nolint:gosec // our own script

// Policy returns the policy that the page states itself.
func (w whole) Policy() string {
	if w.StyleURL != "" {
		return ""
	}
	return Policy()
}

// Policy returns a Content-Security-Policy for pages that hold the style sheet and the script: no other script, no
// request, no form.
func Policy() string {
	return "default-src 'none'; style-src " + source(Style) + "; script-src " + source(Script) + "; img-src data:; base-uri 'none'; form-action 'none'"
}

// source names a text in a policy.
func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
