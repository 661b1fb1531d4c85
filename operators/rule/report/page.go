package report

import (
	"encoding/base64"
	"fmt"

	"dustbuster/operators/rule"
)

// MaxPageBytes is the most bytes of a posted page as JSON: as many as fetches keep of a body.
const MaxPageBytes = 2 << 20

// Page is a page that a crawler fetched anyway.
type Page struct {
	Site        string
	URL         string // absolute
	Status      int    // of the last answer, after redirects
	ContentType string // header of the answer; "": there was none
	Body        []byte // without transfer and content encoding
}

// Kind is what a page can tell.
type Kind uint8

// The kinds. An answer of any other kind concerns the moment or the client, not the URL.
const (
	Nothing Kind = iota
	Shown        // the URL has a page: 2xx but 204 and 206
	Gone         // the URL has no page: 404, 410
)

// Kind returns the kind of a page.
func (p *Page) Kind() Kind {
	switch {
	case p.Status == 204, p.Status == 206:
		return Nothing
	case p.Status/100 == 2:
		return Shown
	case p.Status == 404, p.Status == 410:
		return Gone
	}
	return Nothing
}

// ParsePage reads a page: a JSON object with the members site, url, status, content_type, and body,
// a text, or body_base64. An error is a *FieldError. The body is never decompressed.
func ParsePage(text []byte) (*Page, error) {
	var given struct {
		Site   *string `json:"site"`
		URL    *string `json:"url"`
		Status *int    `json:"status"`
		Type   string  `json:"content_type"`
		Body   *string `json:"body"`
		Base64 *string `json:"body_base64"`
	}
	if err := decode(text, MaxPageBytes, &given); err != nil {
		return nil, err
	}
	switch {
	case given.Site == nil:
		return nil, &FieldError{"site", "is missing: the site of the rules"}
	case given.URL == nil:
		return nil, &FieldError{"url", "is missing: the URL of the page"}
	case given.Status == nil || *given.Status < 100 || *given.Status > 599:
		return nil, &FieldError{"status", "must be the status of the answer, 100 to 599"}
	case len(given.Type) > maxType:
		return nil, &FieldError{"content_type", fmt.Sprintf("has more than %d bytes", maxType)}
	case given.Body == nil && given.Base64 == nil:
		return nil, &FieldError{"body", "is missing: give the body as text, or its bytes as body_base64"}
	case given.Body != nil && given.Base64 != nil:
		return nil, &FieldError{"body", "is given twice: give body or body_base64"}
	}
	p := &Page{Site: *given.Site, URL: *given.URL, Status: *given.Status, ContentType: given.Type}
	if _, _, ok := split(p.URL); !ok {
		return nil, &FieldError{"url", fmt.Sprintf("must be an absolute http or https URL of at most %d bytes, without a user", rule.MaxBytes)}
	}
	if given.Body != nil {
		p.Body = []byte(*given.Body)
		return p, nil
	}
	var err error
	if p.Body, err = base64.StdEncoding.DecodeString(*given.Base64); err != nil {
		return nil, &FieldError{"body_base64", "must be base64: " + err.Error()}
	}
	return p, nil
}

const maxType = 256 // bytes

// Mined returns the URL as a mined string of the site, with the host in front if it has
// several. An error is a *FieldError: the URL is not of the site.
func (p *Page) Mined(several bool) (string, error) { return mined(p.Site, "url", p.URL, several) }
