package trial

// Seen is what was seen of a pair. It holds for every rule that makes v of u; what
// it says of a rule depends on the rule's control: see Case.
type Seen struct {
	Judgement           // what no control changes; zero if both documents were there
	Compared  *Compared `json:"c,omitempty"` // both documents; nil unless both were there
}

// Compared is what two documents showed.
type Compared struct {
	Alike      float64 `json:"alike"`                // resemblance of the visible texts
	SameText   bool    `json:"same_text,omitempty"`  // they show the same words, or, of other types than HTML, have the same bytes
	SameBytes  bool    `json:"same_bytes,omitempty"` //
	OtherMedia bool    `json:"other_media,omitempty"`
	Disowned   bool    `json:"disowned,omitempty"` // both name a canonical page, and not the same one
	U          Shown   `json:"u"`
	V          Shown   `json:"v"`
}

// Shown is what one document showed.
type Shown struct {
	HTML    bool   `json:"html,omitempty"`
	Words   int    `json:"words,omitempty"`   // of the visible text
	Text    uint64 `json:"text"`              // hash of the visible text
	Digest  uint64 `json:"digest,omitempty"`  // of the bytes, as logs write it
	Sent    int64  `json:"sent"`              // bytes of the body as they were sent
	Length  int64  `json:"length"`            // bytes of the body, decompressed
	Header  int64  `json:"header,omitempty"`  // bytes of the answer's header, about
	NoIndex bool   `json:"noindex,omitempty"` // the page asks to be in no index
}

// Turned is what was seen of (v, u); false if (u, v) does not tell.
func (s Seen) Turned() (Seen, bool) {
	if s.Compared == nil {
		return s, s.Reason.Mutual()
	}
	c := *s.Compared
	c.U, c.V = c.V, c.U
	s.Compared = &c
	return s, true
}

// Look says what was seen of a pair. The documents are compared only if both are
// pages.
func Look(p Pair, u, v Document, compare func() Compared) Seen {
	if j := unpaired(p, u, v); j.Outcome != 0 {
		return Seen{Judgement: j}
	}
	c := compare()
	return Seen{Compared: &c}
}
