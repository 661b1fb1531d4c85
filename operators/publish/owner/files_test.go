package owner

import (
	"reflect"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
)

// The files that operators took are in the topic. The last act counts, also if no file is in use any more.
func TestFiles(t *testing.T) {
	o := &Owner{}
	must(t, o.Read(0, o.Claim("m", 1, 0)))
	for _, want := range [][]book.File{
		{{Format: "nginx", At: 7, Marks: []string{"a", "b.01234567"}}, {Format: "nginx", Redirect: true, At: 8, Marks: []string{"a"}}},
		{{Format: "nutch", At: 9, Marks: []string{"a"}}},
		{},
	} {
		if len(o.Write([]Act{{Site: "s", Act: book.Act{Files: &want}}}, nil)) != 1 {
			t.Errorf("%+v is not written", want)
		}
		var got []book.Act
		o.Acts(func(err error) { t.Error(err) }, func(a Act) bool {
			got = append(got, a.Act)
			return true
		})
		if len(got) != 1 || got[0].Files == nil || !reflect.DeepEqual(*got[0].Files, want) {
			t.Errorf("restored %+v, want %+v", got, want)
		}
	}
}
