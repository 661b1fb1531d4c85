package wrap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// plain returns the lines that encoding/json finds by the same rules: none if the object
// holds no line, and two if a dotted key is present in both forms.
func (e *envelope) plain(line []byte) (texts []string) {
	if array := []json.RawMessage(nil); json.Unmarshal(line, &array) == nil {
		if len(array) != 2 {
			return nil
		}
		line = array[1]
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(line, &object) != nil || object == nil {
		return nil
	}
	if _, ok := object[e.mark]; e.mark != "" && !ok {
		return nil
	}
	for _, key := range e.keys {
		values := []json.RawMessage{object[key]}
		if outer, inner, dotted := strings.Cut(key, "."); dotted {
			var nested map[string]json.RawMessage
			_ = json.Unmarshal(object[outer], &nested)
			values = append(values, nested[inner])
		}
		for _, value := range values {
			var text *string
			if json.Unmarshal(value, &text) == nil && text != nil {
				if key == "msg" {
					*text = strings.TrimLeft(*text, " ")
				}
				texts = append(texts, strings.TrimSuffix(*text, "\n"))
			}
		}
		if len(texts) > 0 {
			return texts
		}
	}
	return nil
}

var envelopes = map[string]*envelope{
	"docker":   {keys: []string{"log"}, mark: "stream"}, // without pieces
	"filebeat": {keys: []string{"event.original", "message"}, mark: "@timestamp"}, "vector": {keys: []string{"message"}},
	"rsyslog": {keys: []string{"msg"}}, "any": {keys: shippers.keys},
}

// Random objects with values like those of shippers give the same result as
// encoding/json.
func TestJSONOracle(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 20_000 {
		line := randomObject(rnd, 0)
		if rnd.IntN(4) == 0 {
			line = fmt.Sprintf("[%d.5,%s]", rnd.IntN(1e9), line)
		}
		for name, e := range envelopes {
			want := e.plain([]byte(line))
			got, what := e.unwrap(&Unwrapper{}, []byte(line))
			if (what == Inner) != (want != nil) || want != nil && !slices.Contains(want, string(got)) {
				t.Fatalf("%s: %s\ngot  %q, %v\nwant %q", name, line, got, what, want)
			}
			found += len(want)
		}
	}
	if found < 10_000 {
		t.Errorf("only %d objects had a line", found)
	}
}

func randomObject(rnd *rand.Rand, depth int) string {
	keys := []string{"log", "message", "event", "event.original", "original", "stream", "@timestamp", "x", "messages", "lo", "msg"}
	rnd.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	var b strings.Builder
	b.WriteString("{")
	for i, key := range keys[:rnd.IntN(len(keys)+1)] {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "%q:%s", key, randomValue(rnd, depth+1))
	}
	return b.String() + "}"
}

func randomValue(rnd *rand.Rand, depth int) string {
	switch rnd.IntN(8) {
	case 0:
		return fmt.Sprint(rnd.IntN(1000))
	case 1:
		if depth < 4 {
			return randomObject(rnd, depth)
		}
	case 2:
		return `[ "\"]" , {"log":"x"}, 5.5e3]`
	case 3:
		return "true"
	}
	pieces := []string{"a", " ", `\"`, `\\`, `\/`, `\n`, `\u0041`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, `\udc00\ud83d`, `\t`, "é", "{", "]", ","}
	var b strings.Builder
	for range rnd.IntN(8) {
		b.WriteString(pieces[rnd.IntN(len(pieces))])
	}
	return `"` + b.String() + `"`
}

// FuzzJSON compares with encoding/json on every input that encoding/json accepts.
func FuzzJSON(f *testing.F) {
	for _, w := range table {
		f.Add([]byte(w.Example))
	}
	f.Add([]byte(`{"event":{"original":"a"},"message":"\ud83d\ude00"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if !json.Valid(line) || !utf8.Valid(line) || bytes.ContainsAny(line, "\n") || doubtful(line) {
			return
		}
		e := envelopes["filebeat"]
		want := e.plain(line)
		got, what := e.unwrap(&Unwrapper{}, line)
		if want != nil && (what != Inner || !slices.Contains(want, string(got))) {
			t.Fatalf("%q: got %q, %v, want %q", line, got, what, want)
		}
	})
}

// doubtful reports whether encoding/json may disagree for a legitimate reason: a key is
// present twice, written with escapes or in another case, and encoding/json takes
// another, or the object has a list of numbers, which the scanner reads as text.
func doubtful(line []byte) bool {
	for _, key := range []string{"message", "event", "original", "event.original", "@timestamp"} {
		if bytes.Count(line, []byte(key)) > 1 {
			return true
		}
	}
	return bytes.Contains(line, []byte(`\u`)) || bytes.Contains(line, []byte("[")) || bytes.Contains(line, []byte("null"))
}

// FuzzUnwrap feeds lines to every wrapper. No wrapper panics, the input does not change,
// and the held bytes are bounded.
func FuzzUnwrap(f *testing.F) {
	for i, w := range table {
		f.Add(uint8(i), []byte(w.Example+"\n"+w.Example))
		f.Add(uint8(i), []byte(documentMark+"www.example.org "+w.Example+"\n"+documentMark+"- "+documentMark+"x"))
		f.Add(uint8(i), []byte(strings.Join(fieldOf("MESSAGE", "a\nb"), "\n")+"\n"+strings.Replace(w.Example, " F ", " P ", 1)))
	}
	f.Fuzz(func(t *testing.T, i uint8, text []byte) {
		u := Unwrapper{wrapper: &table[int(i)%len(table)]}
		before := bytes.Clone(text)
		for range 2 {
			for line := range bytes.SplitSeq(text, newline) {
				inner, got := u.Unwrap(line)
				if got != Inner && inner != nil || len(inner) > max(MaxLine, len(line)) {
					t.Fatalf("%q: %v with %d bytes", line, got, len(inner))
				}
			}
		}
		if !bytes.Equal(text, before) {
			t.Fatalf("the text was changed from %q to %q", before, text)
		}
	})
}
