package jsonl

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/operators/learn/notes"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// must ends a test at an error.
var must = expect.NoError

// The lines of notes are a contract, and match the documented schema. The schema covers
// every member.
func TestWriteNotes(t *testing.T) {
	var all []notes.Note
	for _, k := range []notes.Kind{notes.Sample, notes.OneSize, notes.CrowdedSizes, notes.CatchAll, notes.SizesApart, notes.OneClient, notes.Scanner, notes.Headers, notes.MaybeHeaders, notes.Encodings} {
		all = append(all, notes.Note{Kind: k, URLs: 60, Of: 90})
	}
	all[1].Size = 1234
	all[2].Contents, all[3].Contents, all[6].Clients = 2, 3, 4
	all[0].Hits, all[0].OfHits = 8, 9
	all[2].Hits, all[2].OfHits, all[4].Tolerance, all[5].Example = 6, 7, .01, "/a"
	var b bytes.Buffer
	must(t, WriteNotes(&b, "a.example", all))
	const want = `{"kind":"note","site":"a.example","note":"sample","urls":60,"of":90,"hits":8,"of_hits":9,"text":"60 of about 90 URLs, with 89 % of the requests, are the sample in which these rules were found: the others exceed the limit of memory or of URLs"}` + "\n" +
		`{"kind":"note","site":"a.example","note":"one_size","urls":60,"of":90,"size":1234,"text":"60 of 90 URLs have the size of 1234 bytes: size does not tell these pages apart"}` + "\n"
	if !bytes.HasPrefix(b.Bytes(), []byte(want)) || bytes.Count(b.Bytes(), []byte("\n")) != len(all) {
		t.Errorf("wrote\n%s", b.Bytes())
	}
	schema, err := jsonschema.NewCompiler().Compile("../../../docs/schema/note.schema.json")
	must(t, err)
	for line := range bytes.Lines(b.Bytes()) {
		var o map[string]any
		must(t, json.Unmarshal(line, &o))
		if err := schema.Validate(o); err != nil {
			t.Errorf("%s%v", line, err)
		}
		for _, member := range slices.Sorted(maps.Keys(o)) {
			without := maps.Clone(o)
			delete(without, member)
			if optional := schema.Validate(without) == nil; optional != (member == "example" || member == "tolerance") {
				t.Errorf("the schema requires %q of %s: %v", member, line, !optional)
			}
		}
	}
	for _, n := range []notes.Note{{Kind: notes.OneClient, Size: 1}, {Kind: notes.OneClient, Contents: 1}, {Kind: notes.OneClient, Clients: 1}, {Kind: notes.OneClient, Hits: 1, OfHits: 1}, {Kind: notes.OneClient, Tolerance: .1}} {
		var line bytes.Buffer
		n.URLs, n.Of = 60, 90
		must(t, WriteNotes(&line, "", []notes.Note{n}))
		var o map[string]any
		must(t, json.Unmarshal(line.Bytes(), &o))
		if schema.Validate(o) == nil {
			t.Errorf("the schema lets %s pass", line.Bytes())
		}
	}
	if err := WriteNotes(full{}, "a.example", all); err == nil {
		t.Error("no error from a full disk")
	}
	if err := WriteNotes(full{}, "a.example", nil); err != nil {
		t.Errorf("no notes: %v", err)
	}
}
