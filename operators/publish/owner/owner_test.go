package owner

import (
	"fmt"
	"strings"
	"testing"

	"dustbuster/internal/expect"
	_ "dustbuster/internal/fewgc"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/publish/ledger"
	"dustbuster/operators/rule"
)

// must ends a test at an error.
var must = expect.NoError

// publishedBy returns the log of an owner with one publication.
func publishedBy(t *testing.T, which int) []ledger.Record {
	o := &Owner{}
	claim := o.Claim("m", 1, 0)
	if err := o.Read(0, claim); err != nil || !o.Sure() {
		t.Fatal(err)
	}
	log := []ledger.Record{claim}
	for _, b := range o.Write([]Act{{Site: "s", Act: book.Act{Publication: publicationOf("s", 1, which, 0)}}}, nil) {
		log = append(log, b...)
	}
	return log
}

// Rules that a publication does not change are not written again. The marker names them
// with their old tuples.
func TestOnlyWhatChanges(t *testing.T) {
	o := &Owner{}
	must(t, o.Read(0, o.Claim("m", 1, 0)))
	write := func(p *book.Publication) (keys []string) {
		for _, b := range o.Write([]Act{{Site: "s", Act: book.Act{Publication: p}}}, nil) {
			for _, r := range b {
				text := strings.Split(r.Key, "/")[1]
				if r.Value == nil {
					text += " gone"
				}
				keys = append(keys, text)
			}
		}
		return keys
	}
	for _, c := range []struct {
		p    *book.Publication
		want string
	}{
		{publicationOf("s", 1, 1, 0), "[state rule state set]"}, // with the round begun by the first publication
		{publicationOf("s", 1, 1, 0), "[]"},
		{publicationOf("s", 2, 3, 0), "[rule state set]"},
		{publicationOf("s", 3, 2, 0), "[rule gone state set]"},
		{publicationOf("s", 4, 2, 5), "[rule state set]"},
		{excepting(publicationOf("s", 5, 2, 5)), "[rule state set]"},
		{excepting(publicationOf("s", 6, 2, 5)), "[state set]"},
		{publicationOf("s", 7, 0, 0), "[rule gone state set]"},
	} {
		if got := fmt.Sprint(write(c.p)); got != c.want {
			t.Errorf("publication %d: %s, want %s", c.p.Sequence, got, c.want)
		}
	}
}

// excepting returns a publication with an exception of each rule.
func excepting(p *book.Publication) *book.Publication {
	for i := range p.Records {
		p.Records[i].Except = &rule.WireExcept{URLs: []string{"/"}}
	}
	return p
}

// Verdicts and states written by a newer program are reported and skipped. The newer
// program's published set stays as it is.
func TestStatesToCome(t *testing.T) {
	o := &Owner{}
	for i, r := range publishedBy(t, 3) {
		if strings.Contains(r.Key, "/state/") {
			r.Value = []byte(`{"v":9}`)
		}
		if strings.HasSuffix(r.Key, "/set") {
			r.Value = []byte(strings.Replace(string(r.Value), `"schema":1`, `"schema":2`, 1))
		}
		must(t, o.Read(int64(i), r))
	}
	must(t, o.Read(9, o.Claim("n", 2, 9)))
	if b := o.Mend(); len(b) > 0 {
		t.Errorf("writes %v", b)
	}
	bad := 0
	o.Acts(func(error) { bad++ }, func(a Act) bool { t.Errorf("restores %+v", a); return true })
	if bad != 2 {
		t.Errorf("%d bad values", bad)
	}
}

// If the owner's own record of the publication is missing, it is derived from the marker
// and the rules.
func TestPublicationOfMarker(t *testing.T) {
	first, next, offset := &Owner{}, &Owner{}, int64(0)
	read := func(o *Owner, r ledger.Record) {
		must(t, o.Read(offset, r))
		offset++
	}
	read(first, first.Claim("first", 1, 0))
	want := publicationOf("a.example", 3, 3, 7)
	for _, b := range first.Write([]Act{{Site: "a.example", Act: book.Act{Publication: want}}}, nil) {
		for _, r := range b {
			if k, err := ledger.ParseKey(r.Key); err != nil || k.Kind != ledger.State {
				read(next, r)
			}
		}
	}
	got, known := next.publication("a.example")
	if !known || got.Sequence != want.Sequence || got.At != want.At || got.Sample != want.Sample || contentOf(got.Records) != contentOf(want.Records) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("s/set", []byte(`{"schema":1,"site":"s","sequence":1,"at":1,"rules":[]}`), int64(1))
	f.Add("s/rule/1", []byte(`{"schema":2}`), int64(2))
	f.Add("s/state/publication", []byte(`{"v":4,"publication":{"sequence":3,"records":[{}]}}`), int64(3))
	f.Add("owner", []byte(`{}`), int64(0))
	f.Fuzz(func(_ *testing.T, key string, value []byte, n int64) {
		o := &Owner{}
		for _, r := range []ledger.Record{{Key: key, Value: value, Tuple: ledger.Tuple{Sequence: n & 7}}, {Key: key, Tuple: ledger.Tuple{Epoch: 1, Sequence: 1}}, {Key: key, Value: value, Tuple: ledger.Tuple{Epoch: 1, Sequence: n & 3}}} {
			_ = o.Read(n&7, r)
		}
		_ = o.Read(10, o.Claim("m", 1, 10))
		_ = o.Read(11, ledger.Record{Key: key, Value: value, Tuple: ledger.Tuple{Epoch: n & 15, Generation: 1, Sequence: 1}})
		o.Mend()
		o.Acts(func(error) {}, func(Act) bool { return true })
	})
}
