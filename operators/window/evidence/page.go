package evidence

// Page is a URL of a site's list with the evidence about the URL's page.
type Page struct {
	URL      string // mined string
	Evidence Spans
	Text     uint64 // label of the page's text, one for texts that are alike, if the page was fetched; 0: unknown
}

// Join folds an observation of the page into the evidence.
func (p *Page) Join(o *Observation) {
	for i := range o.Parts() {
		if part := o.Part(i); !part.Empty() {
			p.Evidence = p.Evidence.Join(part.Span())
		}
	}
}
