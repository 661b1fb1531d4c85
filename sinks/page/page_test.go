package page

import (
	"bytes"
	"errors"
	"flag"
	"html/template"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

var look = flag.String("look", "", "the file that a page with every picture is written to, to look at")

const body = `{{define "main"}}<h1>{{visible .Name}}</h1>
<p class="lead">{{visible .Name}}: {{number 1234567}} URLs, {{percent .5}}, {{bytes 1200}}</p>
<p><code>{{visible (cut 40 .Name)}}</code> {{template "spark" .Curve}} {{template "bar" .Bar}}</p>
<div class="note warn"><p>{{visible .Name}}</p></div>
<figure><figcaption>Shares</figcaption>{{template "shares" .Shares}}</figure>
<figure><figcaption>Histogram</figcaption>{{template "histogram" .Histogram}}</figure>
<figure><figcaption>Curve</figcaption>{{template "curve" .Curve}}</figure>{{end}}`

// example returns a page with every picture, in which all words hold a text.
func example(word string) *Page {
	row := Row{Label: word, Value: word, Title: word, Parts: []Part{{Kept, .7}, {Dust, .2}}}
	legend := []Key{{Kept, word}, {Dust, word}}
	return &Page{
		Title: word, Home: "/", Nav: []Link{{URL: "/sites", Text: word, Here: true}}, Foot: []string{word},
		Data: map[string]any{
			"Name": word, "Bar": row,
			"Shares": Shares{Rows: []Row{row, {Label: "b", Value: "0", Title: "b: 0"}}, Legend: legend},
			"Histogram": Histogram{Title: word, Desc: word, Axis: []string{"1 kB", word}, Legend: legend,
				Columns: []Column{{word, []Stack{{Kept, 10}, {Dust, 5}}}, {}, {"", []Stack{{Warn, 30}}}}},
			"Curve": Curve{Title: word, Desc: word, Bound: .5, Top: word, Axis: []string{word, "now"}, Legend: legend,
				Lines: []Line{{Accent, []Point{{0, 0}, {1, .2}, {5, .9}}}, {Good, nil}}},
		},
	}
}

func write(t *testing.T, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, template.Must(New().Parse(body)), p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// shape returns the elements and attribute names of a page, and the attributes that no
// foreign text is in.
func shape(t *testing.T, text string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			continue
		}
		b.WriteString("<" + n.Data)
		for _, a := range n.Attr {
			b.WriteString(" " + a.Key)
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("<%s> has the attribute %s, which the policy refuses", n.Data, a.Key)
			}
		}
		b.WriteString(">")
	}
	return b.String()
}

func TestHostileText(t *testing.T) {
	benign := write(t, example("/a"))
	if *look != "" {
		if err := os.WriteFile(*look, []byte(write(t, example("/a/page?x=1"))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := shape(t, benign)
	for _, word := range []string{
		`<script>alert(1)</script>`, `</title></svg></style></code><img src=x onerror=alert(1)>`, `" onload="alert(1)`, `'><b>`, `{{.Data}}`, `]]><!--`, `--><b>`,
		"\u202e/txt.exe", "\x00\x1b[31m\x9b", "&lt;b&gt;", `javascript:alert(1)`, strings.Repeat("<b>", 700),
	} {
		if got := shape(t, write(t, example(word))); got != want {
			t.Errorf("%q: the page is %s, want %s", word, got, want)
		}
	}
	if strings.Contains(benign, "http://") || strings.Contains(benign, "https://") || strings.Count(benign, "<script") != 1 {
		t.Error("the page names another address, or has a script that is not ours")
	}
}

func TestStyleInFile(t *testing.T) {
	p := example("/a")
	p.StyleURL, p.ScriptURL = "/style.css", "/live.js"
	text := write(t, p)
	for _, want := range []string{`<link rel="stylesheet" href="/style.css">`, `<script src="/live.js" defer></script>`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if strings.Contains(text, "<style") || strings.Contains(text, "http-equiv") {
		t.Error("the page holds the style sheet, or a policy")
	}
}

// The browser hashes the text between the tags as it is.
func TestPolicyAllowsTheStyle(t *testing.T) {
	text := write(t, example("/a"))
	_, rest, _ := strings.Cut(text, "<style>")
	style, rest, ok := strings.Cut(rest, "</style>")
	if !ok || style != Style {
		t.Error("the page does not hold the style sheet byte for byte, and the policy refuses the style")
	}
	_, rest, _ = strings.Cut(rest, "<script>")
	if script, _, ok := strings.Cut(rest, "</script>"); !ok || script != Script {
		t.Error("the page does not hold the script byte for byte, and the policy refuses the script")
	}
	if !strings.Contains(html.UnescapeString(text), `content="`+Policy()+`"`) {
		t.Errorf("the page does not state the policy %s", Policy())
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrors(t *testing.T) {
	if err := Write(full{}, New(), &Page{}); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
	var b bytes.Buffer
	bad := template.Must(New().Parse(`{{define "main"}}text {{.Missing}}{{end}}`))
	if err := Write(&b, bad, &Page{Data: 1}); err == nil || b.Len() > 0 {
		t.Errorf("error %v, and %d bytes written", err, b.Len())
	}
}
