package miner

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
)

// The name of a git object in a rule is hidden, unless a URL that names a repository holds
// the name. Other secrets are hidden whatever the URLs are.
func TestHidden(t *testing.T) {
	const object, token = "4963b66fc955214e5b1099078afcd21f244a191a", "9f3c2b7d81e04a6f"
	for _, c := range []struct {
		url    string
		rule   string
		lifted bool
		want   bool
	}{
		{"/x.git/?h=" + object, "?h=" + object, false, false},
		{"/x.git/?h=" + object, "?h=" + strings.ToUpper(object), false, true},
		{"/x.git/?h=" + object, "?h=" + object + "&sid=" + token, false, true},
		{"/x.git/?h=" + object, "?h=" + object[1:] + "0", false, true},
		{"/x.git/?sid=" + token, "?sid=" + token, false, true},
		{"/x?h=" + object, "?h=" + object, false, true},
		{"/x?h=" + object, "?h=" + object, true, false},
		{"/x?h=1", "?h=1", false, false},
	} {
		m := New("", options(0, 100))
		m.Fold(&evidence.Observation{URL: []byte(c.url), Min: 1000, Max: 1000})
		r := rule.Likely{Rule: rule.Rule{Edit: rule.Substring{From: c.rule, To: "/"}}}
		if got := fmt.Sprint(m.Hidden([]rule.Likely{r}, secret.Veil{Lifted: c.lifted})); got != fmt.Sprintf("[%v]", c.want) {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// Random text in a rule is hidden, unless several clients asked for one of its URLs. Keys are
// hidden whoever asked.
func TestHiddenOfSeveral(t *testing.T) {
	const token, key = "9f3c2b7d81e04a6f", "AKIAIOSFODNN7EXAMPLE"
	m := New("", options(0, 100))
	see := func(url string, clients ...int) {
		for _, c := range clients {
			m.Fold(&evidence.Observation{URL: []byte(url), Min: 1000, Max: 1000, Clients: 1 << c})
		}
	}
	want := func(text string, hidden bool) {
		t.Helper()
		if got := m.Hidden([]rule.Likely{{Rule: rule.Rule{Edit: rule.Substring{From: text, To: "/"}}}}, secret.Veil{}); got[0] != hidden {
			t.Errorf("%s is hidden: %v", text, got[0])
		}
	}
	see("/up/"+token+".jpg", 1, 2, 3)
	see("/up/"+key, 1, 2, 3)
	want("/up/"+token, true) // three clients cannot be told apart from one behind proxies
	for c := range 8 {
		see("/", c)
	}
	want("/up/"+token, false)
	want("/up/"+key, true)
	want("/up/"+token+"0", true)
	see("/reset/k7vq2m0c9p", 4, 5)
	want("/reset/k7vq2m0c9p", true)
	see("/reset/k7vq2m0c9p", 6)
	want("/reset/k7vq2m0c9p", false)
}

// noted returns a site of 100 URLs of one size, requested by the clients of a mask.
func noted(clients uint16, noSizes bool) (m *Machine) {
	o := Options{Table: table.Options{MaxURLs: 1 << 10, Key: [2]uint64{3, 4}}, Envelope: envelope.Defaults()}
	o.Envelope.Similarity.Off = noSizes
	m = New("s", o)
	for i := range 100 {
		m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, "/%d", i), Min: 7, Max: 7, Clients: clients})
	}
	return m
}

// Notes are about the clients and, if sizes are compared, about the sizes. Lines without a
// client are no client.
func TestNotes(t *testing.T) {
	size := notes.Note{Kind: notes.OneSize, URLs: 100, Of: 100, Size: 7, Example: "/0"}
	alone := notes.Note{Kind: notes.OneClient, URLs: 100, Of: 100, Example: "/0"}
	nobody := notes.Note{Kind: notes.NoClient, URLs: 100, Of: 100}
	for _, c := range []struct {
		clients uint16
		noSizes bool
		want    []notes.Note
	}{
		{1 << 9, false, []notes.Note{size, alone}},
		{1 << 9, true, []notes.Note{alone}},
		{0, false, []notes.Note{size, nobody}},
		{0, true, []notes.Note{nobody}},
	} {
		m := noted(c.clients, c.noSizes)
		if got := m.Notes().Notes; !slices.Equal(got, c.want) {
			t.Errorf("clients %b, no sizes %v: notes %+v, want %+v", c.clients, c.noSizes, got, c.want)
		}
		if got := m.o.Notes(m.Window().Pages(), m.Clients(), 0).Notes; !slices.Equal(got, c.want) {
			t.Errorf("clients %b: notes on the copied window %+v, want %+v", c.clients, got, c.want)
		}
	}
}
