package labels_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"dustbuster/operators/read/labels"
)

// duplicates returns the number of rows that name another URL as canonical.
func duplicates(f *labels.File) (n int) {
	for _, r := range f.Rows {
		if r.URL != r.Canonical {
			n++
		}
	}
	return n
}

// rowsOf returns the rows of a file as texts.
func rowsOf(f *labels.File) (all []string) {
	for _, r := range f.Rows {
		all = append(all, r.URL.Host+r.URL.Path+" "+r.Canonical.Host+r.Canonical.Path)
	}
	return all
}

func utf16Of(order binary.AppendByteOrder, mark bool, text string) string {
	var b []byte
	if mark {
		text = "\ufeff" + text
	}
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

func TestRead(t *testing.T) {
	const one = "a.example/x?s=1 a.example/x"
	for _, c := range []struct {
		name, text string
		want       []string
		silent     int
		skipped    int
	}{
		{"two columns", "http://a.example/x?s=1,http://a.example/x\n", []string{one}, 0, 0},
		{"two columns with other names", "from,to\nhttp://a.example/x?s=1,http://a.example/x\n", []string{one}, 0, 0},
		{"names", "url,canonical\nhttp://a.example/x?s=1,http://a.example/x", []string{one}, 0, 0},
		{"names the other way round", "Canonical URL,Title,URL\nhttp://a.example/x,t,http://a.example/x?s=1", []string{one}, 0, 0},
		{"Search Console", "URL,Coverage,User-declared canonical,Google-selected canonical\nhttps://a.example/x?s=1,c,https://a.example/x?s=1,https://a.example/x\nhttps://a.example/y,c,https://a.example/z,Inspected URL\nhttps://a.example/u,c,https://a.example/v,N/A\n",
			[]string{one, "a.example/y a.example/y", "a.example/u a.example/v"}, 0, 0},
		{"Search Console's API", "inspectedUrl,googleCanonical,userCanonical\nhttps://a.example/x?s=1,,https://a.example/x", []string{one}, 0, 0},
		{"Screaming Frog", "\"Address\",\"Content Type\",\"Status Code\",\"Indexability\",\"Indexability Status\",\"Canonical Link Element 1\",\"HTTP Canonical 1\"\n" +
			"\"https://a.example/x?s=1\",\"text/html\",\"200\",\"Non-Indexable\",\"Canonicalised\",\"https://a.example/x\",\"\"\n" +
			"\"https://a.example/y\",\"text/html\",\"200\",\"Non-Indexable\",\"Canonicalised\",\"\",\"https://a.example/z\"\n" +
			"\"https://a.example/logo.png\",\"image/png\",\"200\",\"Indexable\",\"\",\"\",\"\"\n" +
			"\"https://a.example/old\",\"text/html\",\"301\",\"Non-Indexable\",\"Redirected\",\"https://a.example/x\",\"\"\n",
			[]string{one, "a.example/y a.example/z"}, 2, 0},
		{"Screaming Frog, older", "\"Internal - HTML\"\n\"Address\",\"Canonical Link Element 1\"\n\"https://a.example/x?s=1\",\"https://a.example/x\"", []string{one}, 0, 0},
		{"Screaming Frog, in French", "Adresse;Élément de lien en version canonique 1\nhttps://a.example/x?s=1;https://a.example/x", []string{one}, 0, 0},
		{"semicolons", "URL;Canonical\r\nhttps://a.example/x?s=1;https://a.example/x\r\n", []string{one}, 0, 0},
		{"a line that says so", "sep=;\r\nURL;Canonical\r\nhttps://a.example/x?s=1;https://a.example/x\r\n", []string{one}, 0, 0},
		{"tabs", "URL\tCanonical\nhttps://a.example/x?s=1\thttps://a.example/x", []string{one}, 0, 0},
		{"tabs without names", "https://a.example/x?s=1\thttps://a.example/x", []string{one}, 0, 0},
		{"a mark", "\ufeffURL,Canonical\nhttps://a.example/x?s=1,https://a.example/x", []string{one}, 0, 0},
		{"UTF-16", utf16Of(binary.LittleEndian, true, "URL\tCanonical\nhttps://a.example/x?s=1\thttps://a.example/x"), []string{one}, 0, 0},
		{"UTF-16, the other order", utf16Of(binary.BigEndian, true, "URL\tCanonical\nhttps://a.example/x?s=1\thttps://a.example/x"), []string{one}, 0, 0},
		{"UTF-16 without a mark", utf16Of(binary.LittleEndian, false, "URL,Canonical\nhttps://a.example/x?s=1,https://a.example/x"), []string{one}, 0, 0},
		{"commas and lines within quotes", "URL,Title,Canonical\nhttps://a.example/x?s=1,\"a, \"\"b\"\"\nc\",https://a.example/x", []string{one}, 0, 0},
		{"a comma in a URL", "URL,Canonical\n\"https://a.example/x?s=1,2\",https://a.example/x", []string{"a.example/x?s=1,2 a.example/x"}, 0, 0},
		{"a URL that names itself", "URL,Canonical\nhttps://a.example/x,http://A.example:80/x#top", []string{"a.example/x a.example/x"}, 0, 0},
		{"another host", "URL,Canonical\nhttps://a.example/x,https://b.example/x", []string{"a.example/x b.example/x"}, 0, 0},
		{"paths", "/x?s=1,/x\n", []string{"/x?s=1 /x"}, 0, 0},
		{"no path", "https://a.example?s=1,https://a.example", []string{"a.example/?s=1 a.example/"}, 0, 0},
		{"relative", "URL,Canonical\nhttps://a.example/f/x?s=1,/f/x\nhttps://a.example/f/y?s=1,y\nhttps://a.example/f/z?s=1,../z/\nhttps://a.example/f/u?s=1,?t=2\nhttps://a.example/f/v?s=1,//b.example/v\nhttps://a.example/f//w?s=1,w\nhttps://a.example/f/q,#top\n",
			[]string{"a.example/f/x?s=1 a.example/f/x", "a.example/f/y?s=1 a.example/f/y", "a.example/f/z?s=1 a.example/z/", "a.example/f/u?s=1 a.example/f/u?t=2",
				"a.example/f/v?s=1 b.example/v", "a.example/f//w?s=1 a.example/f//w", "a.example/f/q a.example/f/q"}, 0, 0},
		{"no canonical URL", "URL,Canonical\nhttps://a.example/x\nhttps://a.example/y,\nhttps://a.example/z, - \n", nil, 3, 0},
		{"no pages", "URL,Canonical\nmailto:a@a.example,https://a.example/x\nhttps://a.example/x,javascript:void(0)\n,https://a.example/x\nhttps://a.example/\xff,https://a.example/x\nhttps://a.example/x?s=1,https://a.example/x\nhttps://a b/,https://a.example/\n",
			[]string{one}, 0, 5},
		{"two canonical URLs", "URL,Canonical\nhttps://a.example/x?s=1,https://a.example/x\nhttps://a.example/x?s=1,https://a.example/x\nhttps://a.example/x?s=1,https://a.example/y\n", []string{one}, 0, 1},
		{"a quote within a field", "URL,Title,Canonical\nhttps://a.example/y,a \"b\" c,https://a.example/z\nhttps://a.example/x?s=1,t,https://a.example/x", []string{one}, 0, 1},
		{"a quote without an end", "URL,Title,Canonical\nhttps://a.example/y,\"a,https://a.example/z\nhttps://a.example/x?s=1,t,https://a.example/x", []string{one}, 0, 1},
		{"two quotes without an end", "URL,Title,Canonical\nhttps://a.example/y,\"a,https://a.example/z\nhttps://a.example/x?s=1,t,https://a.example/x\nhttps://a.example/q,\"b,https://a.example/z\nhttps://a.example/p?s=1,\"c\",https://a.example/p",
			[]string{one, "a.example/p?s=1 a.example/p"}, 0, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &labels.File{}
			if err := f.Read([]byte(c.text)); err != nil {
				t.Fatal(err)
			}
			if got := rowsOf(f); !slices.Equal(got, c.want) || f.Silent != c.silent || f.Skipped != c.skipped {
				t.Errorf("%q, %d silent, %d skipped %v; want %q, %d, %d", got, f.Silent, f.Skipped, f.Skips, c.want, c.silent, c.skipped)
			}
		})
	}
}

// What is left out is told with its line, also behind a quote without an end.
func TestSkipsHaveLines(t *testing.T) {
	f := &labels.File{}
	if err := f.Read([]byte("URL,Title,Canonical\n\nhttps://a.example/y,\"a,x\nb,\"c\nd\",z\n\nmailto:x,t,https://a.example/x\n")); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range f.Skips {
		got = append(got, s.String())
	}
	want := []string{`line 3: the row cannot be read: extraneous or missing " in quoted-field`, `line 4: "b" is not the URL of a page`, `line 7: "mailto:x" is not the URL of a page`}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNoTable(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "no columns of URLs"},
		{"a page", "<html>\n<body>", "no columns of URLs"},
		{"Search Console's list without canonical URLs", "URL,Last crawled\nhttps://a.example/x,2026-01-01\n", "no columns of URLs"},
		{"a spreadsheet", "PK\x03\x04\x14\x00\x06\x00", "save its table as CSV"},
		{"half a character", "\xff\xfeU\x00R", "UTF-16"},
		{"many rows", "URL,Canonical\n" + manyRows(500_001), labels.ErrTooLarge.Error()},
		{"too many bytes", strings.Repeat(" ", labels.MostBytes+1), labels.ErrTooLarge.Error()},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := new(labels.File).Read([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func manyRows(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "/%d,/\n", i)
	}
	return b.String()
}

// Texts made to be read again and again end soon.
func TestHostileQuotes(t *testing.T) {
	for _, c := range []struct{ name, line string }{
		{"quotes that the next line ends", "/x,\"a,/y\n"},
		{"pairs of quotes", "/x,\"\"\"a,/y\n"},
		{"quotes at the start", "\"/x,/y\n"},
		{"three quotes", "\"\"\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &labels.File{}
			err := f.Read([]byte("URL,Title,Canonical\n" + strings.Repeat(c.line, 1<<17) + "/x?s=1,t,/x\n"))
			if err == nil && len(f.Rows) == 0 {
				t.Error("the last row is lost without an error")
			}
			if len(f.Skips) > f.Skipped || len(f.Skips) > 1000 {
				t.Errorf("%d skips of %d", len(f.Skips), f.Skipped)
			}
		})
	}
}

// The examples of the folder are read as a whole.
func TestFiles(t *testing.T) {
	for _, c := range []struct {
		name             string
		rows, duplicates int
	}{{"screaming-frog.csv", 6, 4}, {"search-console.csv", 4, 3}} {
		t.Run(c.name, func(t *testing.T) {
			text, err := os.ReadFile("testdata/" + c.name)
			if err != nil {
				t.Fatal(err)
			}
			f := &labels.File{}
			if err := f.Read(text); err != nil || f.Skipped > 0 {
				t.Fatal(err, f.Skips)
			}
			if len(f.Rows) != c.rows || duplicates(f) != c.duplicates {
				t.Errorf("%d rows, %d duplicates: %q", len(f.Rows), duplicates(f), rowsOf(f))
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"screaming-frog.csv", "search-console.csv"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("\ufeffsep=;\nURL;Canonical\n/a?b;../c\n\"/x;\"\n")
	f.Add(utf16Of(binary.LittleEndian, true, "URL\tCanonical\n/x\t/y"))
	f.Fuzz(func(t *testing.T, text string) {
		l := &labels.File{}
		_ = l.Read([]byte(text))
		if len(l.Skips) > l.Skipped {
			t.Errorf("%d skips of %d", len(l.Skips), l.Skipped)
		}
		seen := map[labels.Address]bool{}
		for _, r := range l.Rows {
			if seen[r.URL] {
				t.Errorf("%q has two rows", r.URL)
			}
			seen[r.URL] = true
			for _, a := range []labels.Address{r.URL, r.Canonical} {
				if !strings.HasPrefix(a.Path, "/") || strings.Contains(a.Path, "#") {
					t.Errorf("%q", a)
				}
			}
		}
	})
}
