package wrap

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/read/weblog"
)

// unfold returns the lines of a document with their sites in front, or nil if text is none.
func unfold(t testing.TB, text string) (lines []string) {
	t.Helper()
	out, ok := new(Unfolder).Unfold([]byte("kept\n"), []byte(text))
	rest, kept := strings.CutPrefix(string(out), "kept\n")
	if !kept || !ok && rest != "" || ok && !strings.HasSuffix(rest, "\n") {
		t.Fatalf("%v, %q", ok, out)
	}
	for line := range strings.Lines(rest) {
		lines = append(lines, strings.TrimSuffix(strings.TrimPrefix(line, documentMark), "\n"))
	}
	return lines
}

func base(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// The shapes are those of the documentation of each sender:
// opentelemetry-proto/examples/logs.json; Loki's "Ingest logs" (POST /loki/api/v1/push);
// Kafka's org.apache.kafka.connect.json.JsonConverter; CloudWatch Logs' "Subscription filters";
// Firehose's "HTTP endpoint delivery request and response specifications"; Azure Monitor's
// "Stream Azure monitoring data to an event hub".
func TestUnfold(t *testing.T) {
	const proto = `{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"my.service"}},{"key":"host.name","value":{"stringValue":"web-1"}}]},` +
		`"scopeLogs":[{"scope":{"name":"my.library","version":"1.0.0","attributes":[{"key":"my.scope.attribute","value":{"stringValue":"some scope attribute"}}]},"logRecords":[%s]}]}]}`
	otlp := func(records string) string { return fmt.Sprintf(proto, records) }
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"OTLP, bodies", otlp(`{"timeUnixNano":"1544712660300000000","severityText":"Information","traceId":"5B8EFFF798038103D269B633813FC60C","body":{"stringValue":"a \"b\"\n"},` +
			`"attributes":[{"key":"string.attribute","value":{"stringValue":"some string"}},{"key":"array.attribute","value":{"arrayValue":{"values":[{"stringValue":"many"}]}}}]},{"body":{"stringValue":"c"}}`),
			[]string{`- a "b"`, "- c"}},
		{"OTLP, attributes by convention", otlp(`{"timeUnixNano":"1","body":{"stringValue":"served"},"attributes":[{"key":"url.path","value":{"stringValue":"/a\"b"}},` +
			`{"key":"http.response.status_code","value":{"intValue":"200"}},{"key":"http.response.body.size","value":{"intValue":12}},{"key":"server.address","value":{"stringValue":"www.example.org"}},` +
			`{"key":"client.address","value":{"stringValue":"192.0.2.7"}},{"key":"x","value":{"arrayValue":{"values":[{"boolValue":true},{"doubleValue":1.5},{"kvlistValue":{"values":[{"key":"y","value":{}}]}}]}}}]}`),
			[]string{`www.example.org {"@timestamp":"1","url.path":"/a\"b","http.response.status_code":"200","http.response.body.size":12,"server.address":"www.example.org","client.address":"192.0.2.7","x":[true,1.5,{"y":null}]}`}},
		{"OTLP, a body of fields", otlp(`{"observedTimeUnixNano":"2","timeUnixNano":"0","body":{"kvlistValue":{"values":[{"key":"request","value":{"stringValue":"GET / HTTP/1.1"}},{"key":"status","value":{"intValue":"200"}}]}}}`),
			[]string{`- {"@timestamp":"2","request":"GET / HTTP/1.1","status":"200"}`}},
		{"OTLP, attributes alone", otlp(`{"attributes":[{"key":"status","value":{"intValue":"200"}}]},{"body":{"bytesValue":"` + base("a\nb") + `"}}`), []string{`- {"status":"200"}`, "- a", "- b"}},
		{"OTLP, the resource's site", `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"a"}},{"body":{"stringValue":"b"},"attributes":[{"key":"url.domain","value":{"stringValue":"b.example.org"}}]}]},{}],` +
			`"resource":{"attributes":[{"key":"server.address","value":{"stringValue":"a.example.org"}},{"key":"host.name","value":{"stringValue":"web-1"}}]}},{}]}`, []string{"a.example.org a", "b.example.org b"}},
		{"OTLP, records of wrong types", otlp(`7,{"body":7},{"body":{"stringValue":7}},{"body":{"stringValue":"a"},"attributes":7},{"attributes":[7,{"key":7},{"key":"a"},{"key":"b","value":7}]}`),
			[]string{"- 7", `- {"body":7}`, `- {"body":{"stringValue":7}}`, "- a", `- {"a":null,"b":null}`}},
		{"OTLP in lines", "{\n  \"resourceLogs\" : [ {\r\n\t\"scopeLogs\": [{ \"logRecords\": [ {\"body\":\n{\"stringValue\": \"a\"}} ] }] } ]\n}\n", []string{"- a"}},

		{"Loki", `{"streams":[{"stream":{"job":"nginx","host":"web-1","filename":"/var/log/nginx/access.log"},"values":[["1570818238000000000","a\\b"],["1570818239000000000","c\n",{"trace_id":"0242ac120002"}]]},` +
			`{"stream":{"vhost":"b.example.org"},"values":[["1","d"],["2","e",{"url_domain":"e.example.org"}]]}]}`, []string{`- a\b`, "- c", "b.example.org d", "e.example.org e"}},
		{"Loki, the older form", `{"streams":[{"labels":"{foo=\"bar\"}","entries":[{"ts":"2018-12-18T08:28:06.801064-04:00","line":"baz"}]}]}`, []string{"- baz"}},
		{"Loki, entries of wrong types", `{"streams":[{"stream":7,"values":[7,[],["1"],["1",{"a":1}],["1",2],"x"]},{"stream":{"vhost":"_"}}]}`, []string{"- 7", "- []", `- ["1"]`, `- {"a":1}`, "- 2", "- x"}},

		{"Connect, text", `{"schema":{"type":"string","optional":false},"payload":"a\nb"}`, []string{"- a", "- b"}},
		{"Connect, an object", `{"payload":{"message":"a"},"schema":null}`, []string{`- {"message":"a"}`}},
		{"Connect, bytes", `{"schema":{"type":"bytes","optional":true},"payload":"` + base("a") + `"}`, []string{"- a"}},
		{"Connect, a document", `{"schema":null,"payload":"{\"streams\":[{\"values\":[[\"1\",\"a\"]]}]}"}`, []string{"- a"}},
		{"Connect in Connect, to a depth", strings.Repeat(`{"schema":null,"payload":`, 5) + `"a"` + strings.Repeat("}", 5), []string{`- {"schema":null,"payload":{"schema":null,"payload":"a"}}`}},

		{"CloudWatch", `{"owner":"111111111111","logGroup":"nginx","logStream":"web-1","subscriptionFilters":["Destination"],"messageType":"DATA_MESSAGE",` +
			`"logEvents":[{"id":"31953106606966983378809025079804211143289615424298221568","timestamp":1432826855000,"message":"a"},{"id":"2","message":"{\"eventVersion\":\"1.03\"}"},{"id":"3"},4]}`,
			[]string{"- a", `- {"eventVersion":"1.03"}`, `- {"id":"3"}`, "- 4"}},
		{"Firehose", `{"requestId":"ed4acda5-034f-9f42-bba1-f29aea6d7d8f","timestamp":1578090901599,"records":[{"data":"` + base("a\tb\n") + `"},{"data":"` + base("c\nd") + `"},{"data":"` + base(`{"logEvents":[{"message":"e"}]}`) + `"}]}`,
			[]string{"- a\tb", "- c", "- d", "- e"}},
		{"Firehose, not lines", `{"requestId":"x","records":[{"data":"` + base("\x1f\x8b\x08") + `"},{"data":"!"},{"data":7}]}`, []string{`- {"data":"H4sI"}`, `- {"data":"!"}`, `- {"data":7}`}},
		{"Azure", `{"records":[{"time":"x","category":"FrontDoorAccessLog"},7]}`, []string{`- {"time":"x","category":"FrontDoorAccessLog"}`, "- 7"}},

		{"several lines, some of them documents", "a\n{\"schema\":null,\"payload\":\"b\"}\n\n{\"streams\":7}\n{\"records\":[1]}", []string{"a", "- b", "", `{"streams":7}`, "- 1"}},
		{"raw bytes", "{\"schema\":null,\"payload\":\"/\xff\\u00e9\"}", []string{"- /\xffé"}},
		{"escapes that JSON lacks", `{"schema":null,"payload":"\x22"}`, []string{`- "\x22"`}},

		{"keys twice", `{"streams":[{"values":[["1","a"]],"values":[["1","b"]]}],"streams":[{"values":[["1","c"]]}]}`, []string{"- b", "- c"}},
		{"no lines", `{"resourceLogs":[]}`, nil},
		{"no payload", `{"schema":{"type":"string"},"payload":null}`, nil},
		{"not Connect alone", `{"schema":1,"payload":"a","x":1}`, nil},
		{"wrong types", `{"resourceLogs":{"scopeLogs":[]}}`, nil},
		{"wrong types within", `{"streams":[{"values":[["1","a"]]},{"values":7}]}`, nil},
		{"torn", `{"streams":[{"values":[["1","a"],["2","b`, nil},
		{"more behind", `{"schema":null,"payload":"a"}x`, nil},
		{"a line with records", `{"records":[{"data":"YQ=="},1],"request":"GET / HTTP/1.1","status":200}`, nil},
		{"other JSON", `{"time":"x","records":[{"data":"YQ=="}]}`, nil},
		{"text", "records", nil},
		{"nothing", "", nil},
		{"a brace", "{", nil},
		{"deep", `{"records":` + strings.Repeat("[", 1<<20), nil},
		{"deep in a record", `{"records":[` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `]}`, []string{"- " + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := unfold(t, c.text); !slices.Equal(got, c.want) {
				t.Errorf("got %.400q\nwant %.400q", got, c.want)
			}
		})
	}
}

// A document unfolds to at most four times its bytes, and to no line of more than MaxLine bytes.
// What is left out is counted.
func TestUnfoldIsBounded(t *testing.T) {
	site := strings.Repeat("a", 255)
	for _, c := range []struct {
		name, text  string
		lines, left int
	}{
		{"many short entries", `{"streams":[{"stream":{"vhost":"` + site + `"},"values":[` + strings.Repeat(`["","a"],`, 100_000) + `["","a"]]}]}`, 100_001, -1},
		{"a long line", `{"streams":[{"values":[["1","` + strings.Repeat("a", MaxLine) + `"],["2","b"]]}]}`, 2, 1},
		{"a long line alone", `{"schema":null,"payload":"` + strings.Repeat("a", MaxLine) + `\\"}`, 1, 1},
		{"deep values", `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"attributes":[` + strings.Repeat(`{"key":"k","value":{"kvlistValue":{"values":[`, 2000) + strings.Repeat(`]}}}`, 2000) + `]}]}]}]}`, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var u Unfolder
			out, ok := u.Unfold(nil, []byte(c.text))
			lines := bytes.Count(out, newline)
			if !ok || lines+u.Left != c.lines || c.left >= 0 && u.Left != c.left || c.left < 0 && u.Left == 0 {
				t.Errorf("%v: %d lines, %d left out", ok, lines, u.Left)
			}
			if len(out) > 4*len(c.text)+MaxLine || u.out != nil || cap(u.texts[0].buf) > MaxLine {
				t.Errorf("%d bytes of %d, %d held", len(out), len(c.text), cap(u.texts[0].buf))
			}
		})
	}
}

// Random lines come out of documents that encoding/json has written.
func TestUnfoldOracle(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	type object = map[string]any
	for range 2000 {
		var want []string
		var values, events, records, logs []any
		for range 1 + rnd.IntN(5) {
			var line strings.Builder
			for range 1 + rnd.IntN(8) {
				line.WriteString([]string{"a", "\"", `\`, "é", "\t", "{", "]", "\x00", " ", "😀"}[rnd.IntN(10)])
			}
			text := "x" + line.String()
			want = append(want, "- "+text)
			values = append(values, []any{"1", text})
			events = append(events, object{"id": 1, "message": text})
			records = append(records, object{"data": base(text)})
			logs = append(logs, object{"body": object{"stringValue": text}})
		}
		for _, document := range []object{{"streams": []any{object{"stream": object{"a": "b"}, "values": values}}}, {"messageType": "DATA_MESSAGE", "logEvents": events},
			{"records": records, "requestId": 1}, {"resourceLogs": []any{object{"scopeLogs": []any{object{"logRecords": logs}}}}}} {
			text, err := json.Marshal(document)
			if err != nil {
				t.Fatal(err)
			}
			if got := unfold(t, string(text)); !slices.Equal(got, want) {
				t.Fatalf("%s:\ngot  %q\nwant %q", text, got, want)
			}
		}
	}
}

// Lines of documents are read with the document's site, or their own, also in a wrapper. As in a
// wrapper, few of them need to be of an access log.
func TestReadDocuments(t *testing.T) {
	filebeat := `{"@timestamp":"x","message":` + quote(exampleLine) + `}`
	document := `{"streams":[{"stream":{"vhost":"a.example.org"},"values":[["1",` + quote(exampleLine) + `],["2",` + quote(strings.ReplaceAll(filebeat, `\`, `\\`)) + `],["3",` + quote(jsonLine) + `]` +
		strings.Repeat(`,["4","started"]`, 50) + `]}]}`
	text, ok := new(Unfolder).Unfold(nil, []byte(document))
	if !ok {
		t.Fatal("no document")
	}
	lines := split(string(text))
	for _, wrapper := range []string{"", "documents", "any"} {
		d := Detect(wrapper, lines)
		if d.Parser == nil {
			t.Fatalf("%q: no format", wrapper)
		}
		var kinds [5]int
		for _, line := range lines {
			var h weblog.Hit
			kind, _ := d.Parser.Parse(&h, line)
			if kinds[kind]++; kind == Hit && string(h.Host) != "a.example.org" {
				t.Errorf("%q: %s: host %q", wrapper, line, h.Host)
			}
		}
		if want := map[bool]string{false: "documents/combined+nginx_json", true: "any/combined+nginx_json"}[wrapper == "any"]; d.Parser.Name() != want || kinds[Hit] != 3 || kinds[Other] != 50 {
			t.Errorf("%q: %s, kinds %d", wrapper, d.Parser.Name(), kinds)
		}
	}
}

// FuzzUnfold: whatever the text, the bounds hold, what was in dst stays, and a line of a document
// is behind a mark.
func FuzzUnfold(f *testing.F) {
	f.Add([]byte(documents.Example))
	f.Add([]byte(`{"resourceLogs":[{"resource":{"attributes":[{"key":"url.domain","value":{"stringValue":"a"}}]},"scopeLogs":[{"logRecords":[{"timeUnixNano":"1","body":{"kvlistValue":{"values":[{"key":"a","value":{"arrayValue":{"values":[{"intValue":"1"}]}}}]}}},{"attributes":[{"key":"url.path","value":{"stringValue":"/"}},{"key":"http.status_code","value":{"intValue":200}}]}]}]}]}`))
	f.Add([]byte("{\"schema\":{\"type\":\"bytes\"},\"payload\":\"YQ==\"}\n{\"schema\":null,\"payload\":{\"records\":[{\"data\":\"YQo=\"}]}}\nx"))
	f.Add([]byte(`{"owner":"1","logEvents":[{"message":"{\"streams\":[{\"labels\":\"\",\"entries\":[{\"line\":\"a\"}]}]}"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		var u Unfolder
		out, ok := u.Unfold([]byte("kept\n"), text)
		again, _ := u.Unfold([]byte("kept\n"), text)
		if !bytes.Equal(text, before) || !bytes.Equal(out, again) || !bytes.HasPrefix(out, []byte("kept\n")) || !ok && len(out) > len("kept\n") || u.Left < 0 {
			t.Fatalf("%q: %v, %q, then %q, %d left out", text, ok, out, again, u.Left)
		}
		if len(out) > 4*len(text)+MaxLine+len("kept\n") {
			t.Fatalf("%d bytes of %d", len(out), len(text))
		}
		own := bytes.Split(text, newline)
		for line := range bytes.SplitSeq(out[len("kept\n"):], newline) {
			if ok && len(line) > 0 && !bytes.HasPrefix(line, []byte(documentMark)) && !slices.ContainsFunc(own, func(l []byte) bool { return bytes.Equal(l, line) }) {
				t.Fatalf("%q: a line %q", text, line)
			}
		}
	})
}

// BenchmarkUnfold measures a line within a document of 100.
func BenchmarkUnfold(b *testing.B) {
	many := func(one string) string { return strings.Repeat(one+",", 99) + one }
	for _, c := range []struct{ name, text string }{
		{"loki", `{"streams":[{"stream":{"job":"nginx"},"values":[` + many(`["1136239445000000000","`+exampleJSON+`"]`) + `]}]}`},
		{"otlp", `{"resourceLogs":[{"scopeLogs":[{"logRecords":[` + many(`{"timeUnixNano":"1","body":{"stringValue":"`+exampleJSON+`"},"attributes":[{"key":"log.file.name","value":{"stringValue":"access.log"}}]}`) + `]}]}]}`},
		{"firehose", `{"requestId":"1","records":[` + many(`{"data":"`+base(exampleLine)+`"}`) + `]}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			var u Unfolder
			var out []byte
			for i := 0; b.Loop(); i++ {
				if i%100 == 0 {
					out, _ = u.Unfold(out[:0], []byte(c.text))
				}
			}
		})
	}
}
