package trial

// Seen is the measurement of a pair. It holds for every rule that turns u into v. The outcome for a
// rule depends on its control: see Case.
type Seen struct {
	Judgement           // the judgement if no control can change it; zero if both documents were there
	Compared  *Compared `json:"c,omitempty"` // comparison of both documents; nil unless both were there
}

// Compared is the comparison of two documents.
type Compared struct {
	Alike      float64 `json:"alike"`                // resemblance of the visible texts
	SameText   bool    `json:"same_text,omitempty"`  // see sketch.SameText
	SameBytes  bool    `json:"same_bytes,omitempty"` //
	OtherMedia bool    `json:"other_media,omitempty"`
	Disowned   bool    `json:"disowned,omitempty"` // both documents name a canonical page, and the two canonical pages differ
	Leads      int     `json:"leads,omitempty"`    // both documents name one canonical page: 1 if it is v, -1 if it is u; else 0
	Moved      int     `json:"moved,omitempty"`    // one of the two URLs redirects, and the other does not: 1 if u redirects, -1 if v does; else 0
	StandIn    bool    `json:"stand_in,omitempty"` // u is the page of a URL with invented pieces
	U          Shown   `json:"u"`
	V          Shown   `json:"v"`

	Differing *Differing `json:"differing,omitempty"`  // of two pages that are not equal to a reader; nil: unknown, or the texts and marks are equal
	Lasting   *Lasting   `json:"lasting,omitempty"`    // of pages that never stand still; nil: both do, or too little is known
	Common    float64    `json:"common,omitempty"`     // the share of the larger page's words, or values of JSON, that the other has; 0 if unknown or equal
	ManyWords bool       `json:"many_words,omitempty"` // the texts are known to differ in more than MostDiffering words of one of the two
}

// Shown is the measurement of one document.
type Shown struct {
	HTML    bool   `json:"html,omitempty"`
	Image   bool   `json:"image,omitempty"`   // the type is image/*
	Words   int    `json:"words,omitempty"`   // of the visible text
	Text    uint64 `json:"text"`              // hash of the visible text
	Digest  uint64 `json:"digest,omitempty"`  // of the bytes, in the form used by logs
	Sent    int64  `json:"sent"`              // bytes of the body as sent
	Length  int64  `json:"length"`            // bytes of the body, decompressed
	Header  int64  `json:"header,omitempty"`  // approximate bytes of the answer's header
	NoIndex bool   `json:"noindex,omitempty"` // the page asks not to be indexed
	Wall    bool   `json:"wall,omitempty"`    // the page asks for a proof that its reader is human
	Varies  bool   `json:"varies,omitempty"`  // the server says that others may be sent another page
}

// Equal reports whether a reader sees the same on both pages, as far as is known.
func (c *Compared) Equal() bool { return c.SameText && c.Differing == nil }

// Turned returns the measurement of (v, u), or false if (u, v) does not determine (v, u).
func (s Seen) Turned() (Seen, bool) {
	if s.Compared == nil || s.Compared.StandIn {
		return s, s.Compared == nil && s.Reason.Mutual()
	}
	c := *s.Compared
	c.U, c.V, c.Leads, c.Moved = c.V, c.U, -c.Leads, -c.Moved
	if c.Differing != nil {
		c.Differing = &Differing{c.Differing.V, c.Differing.U}
	}
	if c.Lasting != nil {
		c.Lasting = &Lasting{c.Lasting.Alike, c.Lasting.V, c.Lasting.U}
	}
	s.Compared = &c
	return s, true
}

// Look returns the measurement of a pair. It calls compare only if both documents are pages.
func Look(p Pair, u, v Document, compare func() Compared) Seen {
	if j := unpaired(p, u, v); j.Outcome != 0 {
		return Seen{Judgement: j}
	}
	c := compare()
	c.Moved, c.StandIn = moved(u, v), p.StandIn
	return Seen{Compared: &c}
}

// moved returns 1 if u alone redirects, -1 if v alone redirects, and else 0.
func moved(u, v Document) int {
	switch {
	case u.Redirected == v.Redirected:
		return 0
	case u.Redirected:
		return 1
	}
	return -1
}
