package rule

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/operators/url/urlnorm"
)

// must ends a test at an error.
var must = expect.NoError

// recordLines returns a line for each kind of rule and each member of a record.
func recordLines(t testing.TB) (lines []string) {
	t.Helper()
	separators := urlnorm.Ampersand | urlnorm.Semicolon
	except, err := NewExcept([]Scope{{HasPath: true, Path: "/"}, {Where: Where("m", "")}}, []string{"/a?b=c", "/x&y"})
	must(t, err)
	own, err := NewExcept([]Scope{{Where: WhereOwn("p", "")}, {Where: WhereOwnBegins("p", "w")}}, nil)
	must(t, err)
	template, err := NewTemplate([]Key{{Name: "/0", Value: "a&b"}, {Name: "id", Any: true, Edit: DropKey}, {Name: "n", Absent: true, Edit: CopyKey, To: "id"}, {Name: "s", Edit: SetKey, To: "1"}})
	must(t, err)
	for i, r := range []Rule{
		{Edit: Substring{From: "/index.html", To: "/", AtEnd: true}}, {Edit: Substring{From: "/", To: ""}, Scope: Scope{Prefix: "/a\\\"b"}},
		{Edit: Drop{Param: "a"}, Scope: Scope{HasPath: true, Where: With("m")}}, {Edit: Drop{Param: "a", Other: "b"}, Except: except},
		{Edit: Drop{Pattern: Pattern{"v", Hex}, InPath: true}}, {Edit: Set{Param: "p", Value: ""}, Except: own}, {Edit: Order{}, Scope: Scope{Where: [2]Condition{{Param: "a", Valued: true}, {Param: "b"}}}},
		{Edit: Syntax{Form: EmptyQuery}}, {Edit: Rewrite{Template: template}},
	} {
		record := Record{Schema: Schema, Site: "a.example", ID: ID("a.example", &r), Wire: *NewWire(&r), Rank: i, State: Valid, Support: 7,
			Verdict:   Verdict{Samples: 59, Positives: 58, Negatives: 1, Bound: 0.049512345678901234, Threshold: 1, Control: Control{Mixed: 1, Equal: 2, Quantile: 1e-7, Lasts: 3, Lasting: 0.25, Strict: true}, Time: 1790000000, Reason: "x"},
			FirstSeen: 1, ValidatedAt: 2, ByDomain: i == 1, Separators: &separators}
		if i == 2 {
			record.Hosts, record.Verdict.Examples = []string{"*.a.example", "b"}, []Example{{U: "/", V: "/", Outcome: "positive"}}
		}
		if i != 1 {
			record.Verdict.Control.Quantile, record.Verdict.Control.Strict = 0.25, false
		}
		text, err := json.Marshal(record)
		must(t, err)
		lines = append(lines, string(text), strings.NewReplacer(`\u0026`, "&").Replace(string(text)))
	}
	return append(lines,
		`{"schema":1,"site":"","id":"1","kind":"parameter","op":"drop","params":["a"],"scope":{},"rank":1,"state":"valid"}`,
		`{"schema":1,"site":"","kind":"great","state":"valid"}`, `{"schema":3}`, `{"schema":2,"kind":"form","form":null}`)
}

// sameRecord compares the fast path with encoding/json, and reports whether the line takes
// it.
func sameRecord(t *testing.T, line string) bool {
	t.Helper()
	got, gotRule, gotErr := ReadPublished([]byte(line))
	want, wantRule, wantErr := readPublished([]byte(line))
	if !reflect.DeepEqual(got, want) || gotRule != wantRule || fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
		t.Errorf("%s: %+v (%v), want %+v (%v)", line, got, gotErr, want, wantErr)
	}
	var r Record
	return readWritten([]byte(line), &r)
}

// The lines of this program, and most lines with other blanks, take the fast path. Lines
// with a byte left out, doubled or replaced are read as encoding/json reads them.
func TestReadPublishedFast(t *testing.T) {
	slow := 0
	for n, line := range recordLines(t) {
		if !sameRecord(t, line) {
			slow++
		}
		sameRecord(t, strings.NewReplacer(",", " ,\n", ":", "\t: ").Replace(line)+" ")
		for i := n % 29; i < len(line); i += 29 {
			sameRecord(t, line[:i])
			sameRecord(t, line[:i]+line[i+1:])
			sameRecord(t, line[:i]+line[i:i+1]+line[i:])
			for _, c := range `"\,:{}[]0-. nA` {
				sameRecord(t, line[:i]+string(c)+line[i+1:])
			}
		}
	}
	if slow > 15 {
		t.Errorf("%d lines take the slow path", slow)
	}
}

// Lines that this program would not write, though their bytes are those that it writes, take the slow path.
func TestReadPublishedNotWritten(t *testing.T) {
	for _, line := range recordLines(t) {
		for _, c := range []struct{ name, from, to string }{
			{"an id of no text", `"id":"`, "\"id\":\"\uFFFD"},
			{"a site of no text", `"site":"a`, "\"site\":\"a\uFFFD"},
			{"an empty host", `"hosts":["`, `"hosts":["","`},
			{"a host of no text", `"hosts":["`, "\"hosts\":[\"\uFFFD"},
		} {
			sameRecord(t, strings.Replace(line, c.from, c.to, 1))
		}
		if at := strings.Index(line, `"id":"`); at >= 0 {
			at += len(`"id":"`)
			sameRecord(t, line[:at]+line[at+strings.IndexByte(line[at:], '"'):])
		}
	}
}

func FuzzReadPublished(f *testing.F) {
	for _, line := range recordLines(f) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) { sameRecord(t, line) })
}

// Separators that this version does not know are as if missing, and not as if there were none.
func TestReadPublishedSeparators(t *testing.T) {
	for _, c := range []struct {
		separators string
		known      bool
	}{{`"&"`, true}, {`""`, true}, {`"&|"`, false}, {`5`, false}, {`null`, false}} {
		line := `{"schema":2,"site":"","id":"1","kind":"form","form":"case","scope":{},"rank":1,"state":"valid","separators":` + c.separators + `}`
		r, _, err := ReadPublished([]byte(line))
		if err != nil || (r.Separators != nil) != c.known {
			t.Errorf("%s: %v, %v", c.separators, r.Separators, err)
		}
	}
}

// A likely rule with all its figures is read as a record. Another member makes it unknown.
func TestReadRecordOfLikely(t *testing.T) {
	l := Likely{Site: "a.example", Rule: Rule{Edit: Drop{Param: "sid"}}, Learner: "tree", Support: 3, SupportHigh: 4, Comparable: 5, Weighed: true, Secret: true, Tallied: true}
	pair := Likely{Site: "a.example", Rule: Rule{Edit: Substring{From: "/b/", To: "/a/"}}, Support: 2}
	for _, l := range []Likely{l, pair} {
		text, err := json.Marshal(l.Wire())
		must(t, err)
		r, err := ReadRecord(text)
		if made, bad := r.Rule(); err != nil || bad != nil || made != l.Rule || r.Site != l.Site || r.Support != l.Support {
			t.Errorf("%s is read as %+v: %v, %v", text, r, err, bad)
		}
		var unknown *UnknownError
		if r, err = ReadRecord([]byte(strings.Replace(string(text), "{", `{"shade":1,`, 1))); !errors.As(err, &unknown) || r.Site != l.Site {
			t.Errorf("with another member: %+v, %v", r, err)
		}
	}
}
