package wrap

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// unwrapped returns the inner lines, with "-" for Nothing and "!" for Foreign.
func unwrapped(name string, lines ...string) (got []string) {
	u := Unwrapper{wrapper: byName(name)}
	for _, line := range lines {
		inner, what := u.Unwrap([]byte(line))
		got = append(got, map[Got]string{Inner: string(inner), Nothing: "-", Foreign: "!"}[what])
	}
	return got
}

// fieldOf returns the lines of a field of the journal's export with a length.
func fieldOf(name, value string) []string {
	text := name + "\n" + string(binary.LittleEndian.AppendUint64(nil, uint64(len(value)))) + value
	return strings.Split(text, "\n")
}

func TestUnwrap(t *testing.T) {
	long := strings.Repeat("x", 16<<10)
	for _, c := range []struct {
		name, wrapper string
		lines, want   []string
	}{
		{"cri", "cri", []string{"2024-01-02T03:04:05.678Z stdout F a b"}, []string{"a b"}},
		{"cri with a zone", "cri", []string{"2024-01-02T03:04:05.678901234+01:00 stderr F a"}, []string{"a"}},
		{"cri in pieces", "cri", []string{"2024-01-02T03:04:05Z stdout P a", "2024-01-02T03:04:05Z stdout P b", "2024-01-02T03:04:05Z stdout F c", "2024-01-02T03:04:05Z stdout F d"},
			[]string{"-", "-", "abc", "d"}},
		{"cri, pieces of two streams", "cri", []string{"2024-01-02T03:04:05Z stdout P a", "2024-01-02T03:04:05Z stderr F x", "2024-01-02T03:04:05Z stdout F b"}, []string{"-", "x", "ab"}},
		{"cri with more tags", "cri", []string{"2024-01-02T03:04:05Z stdout P:x a", "2024-01-02T03:04:05Z stdout F:y b"}, []string{"-", "ab"}},
		{"cri, empty lines", "cri", []string{"2024-01-02T03:04:05Z stdout F ", "2024-01-02T03:04:05Z stdout F"}, []string{"", ""}},
		{"not cri", "cri", []string{"", "a", "2024-01-02T03:04:05Z", "2024-01-02T03:04:05Z stdin F a", "2024-01-02T03:04:05Z stdout FP a", "2024-01-02T03:04:05Z stdout X a", "2024-01-02 03:04:05Z stdout F a"},
			[]string{"!", "!", "!", "!", "!", "!", "!"}},

		{"3164", "syslog", []string{"<190>Jan  2 15:04:05 www nginx: a b", "Jan 12 15:04:05 www nginx[12]: a b", "<190>Jan  2 15:04:05 haproxy[12]: a b", "Jan  2 15:04:05 www a b"},
			[]string{"a b", "a b", "a b", "a b"}},
		{"rsyslog's and journalctl's", "syslog", []string{"2024-01-02T03:04:05.678901+01:00 www nginx: a", "2024-01-02T03:04:05+0100 www nginx[7]: a"}, []string{"a", "a"}},
		{"a time alone", "syslog", []string{"2024-01-02T03:04:05.678901234Z " + exampleLine, "2024-01-02T03:04:05Z www.example.org:80 " + exampleLine, "Jan  2 15:04:05 192.0.2.7:51234 [a b", `2024-01-02T03:04:05Z {"a": 1}`, "2024-01-02T03:04:05Z [2024 x", "2024-01-02T03:04:05Z a", "2024-01-02T03:04:05Z 2001:db8::7 - a", "Jan  2 15:04:05 2001:db8::1 nginx: a", "Jan  2 15:04:05 nginx: - - a"},
			[]string{exampleLine, "www.example.org:80 " + exampleLine, "192.0.2.7:51234 [a b", `{"a": 1}`, "[2024 x", "a", "2001:db8::7 - a", "a", "- - a"}},
		{"5424", "syslog", []string{
			"<190>1 2024-01-02T03:04:05.678Z www nginx 12 - - a b",
			`<190>1 2024-01-02T03:04:05.678Z www nginx 12 ID [x@1 a="\"] \\" b="]"][y@2] a b`,
			"<190>1 - - - - - - \xEF\xBB\xBFa b",
			"1 2024-01-02T03:04:05.678Z www nginx 12 - - a b",
			"<190>1 - - - - - -",
		}, []string{"a b", "a b", "a b", "a b", ""}},
		{"tags without a colon", "syslog", []string{"httpd 192.0.2.7 - - [x", "nginx[12]: 192.0.2.7 - - [x", "Jan  2 15:04:05 web1 apache-access 192.0.2.7 - - [x", "<190>Jan  2 15:04:05 web1 shop 2001:db8::7 - - [x",
			"2024-01-02T03:04:05Z web1 www.example.org 192.0.2.7 - - [x", "2024-01-02T03:04:05Z web1 intranet:80 192.0.2.7 - - [x", "Jan  2 15:04:05 web1 shop www.example.org - - [x", "httpd - - [x"},
			[]string{"192.0.2.7 - - [x", "192.0.2.7 - - [x", "192.0.2.7 - - [x", "2001:db8::7 - - [x", "www.example.org 192.0.2.7 - - [x", "intranet:80 192.0.2.7 - - [x", "shop www.example.org - - [x", "!"}},
		{"counts of bytes", "syslog", []string{"83 <190>1 2024-01-02T03:04:05Z www nginx 12 - - a b", "47 <190>Jan  2 15:04:05 www nginx: a", "83 a", "1234567 <190>Jan  2 15:04:05 www nginx: a"}, []string{"a b", "a", "!", "!"}},
		{"no structured data", "syslog", []string{"<158>1 2024-01-02T03:04:05+00:00 host heroku router - at=info a", "2024-01-02T03:04:05.123+00:00 heroku[router]: at=info a"}, []string{"at=info a", "at=info a"}},
		{"compose", "compose", []string{"web-1  | a b", "web_1 | a", "\x1b[36mweb-1  | \x1b[0ma", "\x1b[36;1mdb.x-1 |\x1b[0m a", "web-1  | 2024-01-02T03:04:05.678901234Z a", "web-1  |", "web-1  | "}, []string{"a b", "a", "a", "a", "a", "", ""}},
		{"not compose", "compose", []string{"", "a", "| a", "a b | c", "-a | b", "\x1b[36web", "192.0.2.7 - - [x] | b"}, []string{"!", "!", "!", "!", "!", "!", "!"}},
		{"cee", "syslog", []string{`<190>Jan  2 15:04:05 www nginx: @cee: {"a":1}`}, []string{`{"a":1}`}},
		{"not syslog", "syslog", []string{"", "<190>", "<190", "<1900000>Jan  2 15:04:05 www nginx: a", "1 a b c d e f", "<190>1 - - - - - [x", `<190>1 - - - - - [x a="]`, "<190>1 - - -", "Jan  2", "jan  2 15:04:05 www nginx: a"},
			[]string{"!", "!", "!", "!", "!", "!", "!", "!", "!", "!"}},

		{"docker", "docker", []string{`{"log":"a \"b\"\n","stream":"stdout","time":"x"}`, `{"log":"a","stream":"stdout","time":"x"}`, `{"log":"a\r\n","stream":"stdout"}`}, []string{`a "b"`, "a", "a\r"}},
		{"docker in pieces", "docker", []string{`{"log":"` + long + `","stream":"stdout"}`, `{"log":"x\n","stream":"stderr"}`, `{"log":"b\n","stream":"stdout"}`, `{"log":"c\n","stream":"stdout"}`},
			[]string{"-", "x", long + "b", "c"}},
		{"not docker", "docker", []string{`{"log":"a\n"}`, `{"log":{"a":"b"},"stream":"stdout"}`, `{"log":"a","stream":"stdout"`, `{"log":"a\q","stream":"stdout"}`, "", "x"}, []string{"!", "!", "!", "!", "!", "!"}},
		{"journal as JSON", "journal_json", []string{`{"_PID":"1","MESSAGE":"a"}`, `{"MESSAGE":[97, 32,255]}`, `{"MESSAGE":null}`, `{"MESSAGE":[256]}`, `{"MESSAGE":["a","b"]}`, `{"MESSAGE":[1 2]}`, `{"_PID":"1"}`},
			[]string{"a", "a \xff", "-", "!", "!", "!", "!"}},
		{"filebeat", "filebeat", []string{
			`{"@timestamp":"x","log":{"offset":1,"file":{"path":"/x"}},"message":"a"}`,
			`{"@timestamp":"x","message":"b","event":{"module":"nginx","original":"a"}}`,
			`{"@timestamp":"x","event":{"original":"a"},"message":"b"}`,
			`{"@timestamp":"x","event.original":"a","message":"b"}`,
			`{"message":"b"}`,
		}, []string{"a", "a", "a", "a", "!"}},
		{"vector", "vector", []string{`{"file":"x","message":"a\u00e9\ud83d\ude00\/"}`, ` { "x" : [ { "message" : "no" } ] , "message" : "a" } ` + "\r"}, []string{"aé😀/", "a"}},
		{"fluent bit", "fluentbit", []string{`{"log":"a"}`, `[1.5,{"log":"a"}]`, `[[1.5,{"log":"no"}],{"log":"a\n"}]`, `["x", {"log":"a"} ]`, `[1.5,{"log":"a"}`, `[{"log":"a"}]`, `[1.5,{"log":"a"}]x`},
			[]string{"a", "a", "a", "a", "!", "!", "!"}},

		{"rsyslog", "rsyslog", []string{`{"msg":" a b","rawmsg":"<190>x","syslogtag":"nginx:"}`, `{"hostname":"www","msg":"a"}`, `{"msg":"@cee: {\"a\":1}"}`, `{"msg":" @cee: {}\n"}`, `{"message":"a"}`, `{"msg":1}`},
			[]string{"a b", "a", `{"a":1}`, "{}", "!", "!"}},

		{"journal", "journal", []string{"__CURSOR=x", "_PID=1", "MESSAGE=a=b", "", "PRIORITY=6"}, []string{"-", "-", "a=b", "-", "-"}},
		{"not the journal", "journal", []string{"a=b", "=b", " ", "A B", strings.Repeat("A", 65) + "=x"}, []string{"!", "!", "!", "!", "!"}},
		{"journal, bytes", "journal", slices.Concat(fieldOf("MESSAGE", "a\x1bb"), []string{"_PID=1"}), []string{"-", "a\x1bb", "-"}},
		{"journal, bytes over lines", "journal", slices.Concat(fieldOf("MESSAGE", "a\nb\n"), []string{"MESSAGE=c"}), []string{"-", "-", "-", "a\nb\n", "c"}},
		{"journal, a newline in the length", "journal", slices.Concat(fieldOf("MESSAGE", "0123456789"), []string{"MESSAGE=c"}), []string{"-", "-", "0123456789", "c"}},
		{"journal, no bytes", "journal", slices.Concat(fieldOf("MESSAGE", ""), []string{"MESSAGE=c"}), []string{"-", "", "c"}},
		{"journal, other bytes", "journal", slices.Concat(fieldOf("COREDUMP", "MESSAGE=no\nMESSAGE=no\n"), []string{"MESSAGE=c"}), []string{"-", "-", "-", "-", "c"}},
		{"journal, no length", "journal", []string{"MESSAGE", "_PID=11111", "MESSAGE=c"}, []string{"-", "!", "c"}},
		{"journal, a wrong length", "journal", []string{"MESSAGE", "\x03\x00\x00\x00\x00\x00\x00\x00abcd", "MESSAGE=c"}, []string{"-", "!", "c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := unwrapped(c.wrapper, c.lines...); !slices.Equal(got, c.want) {
				t.Errorf("got %.200q\nwant %.200q", got, c.want)
			}
		})
	}
}

// An Unwrapper holds pieces of a line up to MaxLine. A longer line is left out, and the
// next line is read as usual.
func TestPiecesAreBounded(t *testing.T) {
	piece := strings.Repeat("x", 30_000)
	cri := func(tag, text string) string { return "2024-01-02T03:04:05Z stdout " + tag + " " + text }
	u := Unwrapper{wrapper: byName("cri")}
	for i := range 100 {
		inner, got := u.Unwrap([]byte(cri("P", piece)))
		if got != Nothing || inner != nil || cap(u.pieces[0].held) > 2*MaxLine {
			t.Fatalf("piece %d: %v, %d bytes held", i, got, cap(u.pieces[0].held))
		}
	}
	if _, got := u.Unwrap([]byte(cri("F", "end"))); got != Foreign || u.Open() {
		t.Errorf("the end of a line that is too long: %v", got)
	}
	if inner, got := u.Unwrap([]byte(cri("F", "next"))); got != Inner || string(inner) != "next" {
		t.Errorf("the line after it: %q, %v", inner, got)
	}

	u = Unwrapper{wrapper: byName("journal")}
	lines := fieldOf("MESSAGE", strings.Repeat(piece+"\n", 100))
	for _, line := range lines[:len(lines)-1] {
		if _, got := u.Unwrap([]byte(line)); got != Nothing || cap(u.field.value) > 2*MaxLine {
			t.Fatalf("%v, %d bytes held", got, cap(u.field.value))
		}
	}
	if _, got := u.Unwrap(nil); got != Foreign || u.Open() {
		t.Errorf("the end of a value that is too long: %v", got)
	}
}

// Each wrapper reads its example, and no example is detected as another wrapper.
func TestExamples(t *testing.T) {
	for _, w := range Wrappers() {
		if text, ok := new(Unfolder).Unfold(nil, []byte(w.Example)); ok {
			w.Example = strings.TrimSuffix(string(text), "\n")
		}
		if got := unwrapped(w.Name, w.Example); got[0] != exampleLine {
			t.Errorf("%s: %q", w.Name, got)
		}
		if d := Detect("", [][]byte{[]byte(w.Example)}); w.Name != "any" && (d.Wrapper != w.Name || d.Parser == nil || d.Parser.Name() != w.Name+"/combined") {
			t.Errorf("%s: detected %+v", w.Name, d)
		}
		if got := unwrapped("any", w.Example); w.Name != "journal" && got[0] != exampleLine {
			t.Errorf("%s as any: %q", w.Name, got)
		}
	}
}

// Lines in no wrapper stay unchanged.
func TestAny(t *testing.T) {
	for _, line := range []string{"", exampleLine, `{"uri":"/","status":200}`, `{"message":`, "[", "/a\t200\t1"} {
		if got := unwrapped("any", line); got[0] != line {
			t.Errorf("%q becomes %q", line, got)
		}
	}
}
