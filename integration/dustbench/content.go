package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// writeContent writes made-up articles in the form that an application takes: a folder of pages for DokuWiki and
// gitweb, or a file on out.
func writeContent(application string, all []article, dir string, out io.Writer) error {
	switch application {
	case "pages":
		return writePages(all, dir)
	case "mediawiki":
		return writeDump(all, out)
	case "wordpress":
		return json.NewEncoder(out).Encode(all)
	}
	return fmt.Errorf("no content %q: it is pages, mediawiki or wordpress", application)
}

// writePages writes the pages of DokuWiki: a file for each article, in a folder for each category, and a start page.
func writePages(all []article, dir string) error {
	var start strings.Builder
	start.WriteString("====== Start ======\n")
	for _, category := range categories {
		fmt.Fprintf(&start, "===== %s =====\n", capital(category))
		if err := os.MkdirAll(filepath.Join(dir, category), 0o755); err != nil {
			return err
		}
		for _, a := range all {
			if a.Category != category {
				continue
			}
			fmt.Fprintf(&start, "  * [[%s:%s|%s]]\n", a.Category, a.Name, a.Title)
			if err := os.WriteFile(filepath.Join(dir, category, a.Name+".txt"), []byte(dokuPage(&a, all)), 0o644); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(filepath.Join(dir, "start.txt"), []byte(start.String()), 0o644)
}

func dokuPage(a *article, all []article) string {
	var b strings.Builder
	fmt.Fprintf(&b, "====== %s ======\n", a.Title)
	for i, paragraph := range a.Paragraphs {
		fmt.Fprintf(&b, "===== Part %d =====\n%s\n\n", i+1, paragraph)
	}
	for _, name := range a.Links {
		for _, to := range all {
			if to.Name == name {
				fmt.Fprintf(&b, "  * [[%s:%s]]\n", to.Category, to.Name)
			}
		}
	}
	return b.String()
}

// page is a page of a dump of MediaWiki (mediawiki.org, "Help:Export").
type page struct {
	Title     string     `xml:"title"`
	Revisions []revision `xml:"revision"`
}

type revision struct {
	Timestamp string `xml:"timestamp"`
	Text      string `xml:"text"`
}

// writeDump writes each article with two revisions: its first paragraph, and all.
func writeDump(all []article, out io.Writer) error {
	titles := titlesOf(all)
	var pages []page
	var list strings.Builder
	for i := range all {
		a := &all[i]
		fmt.Fprintf(&list, "* [[%s]]\n", a.Title)
		var links strings.Builder
		for _, name := range a.Links {
			fmt.Fprintf(&links, "* [[%s]]\n", titles[name])
		}
		end := fmt.Sprintf("\n== See also ==\n%s\n[[Category:%s]]\n", &links, capital(a.Category))
		pages = append(pages, page{a.Title, []revision{
			{fmt.Sprintf("2026-01-%02dT00:00:00Z", i%28+1), a.Paragraphs[0] + end},
			{fmt.Sprintf("2026-02-%02dT00:00:00Z", i%28+1), strings.Join(a.Paragraphs, "\n\n") + end},
		}})
	}
	pages = append(pages, page{"Main Page", []revision{{"2026-03-01T00:00:00Z", list.String()}}})
	if _, err := io.WriteString(out, `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en">`); err != nil {
		return err
	}
	if err := xml.NewEncoder(out).EncodeElement(pages, xml.StartElement{Name: xml.Name{Local: "page"}}); err != nil {
		return err
	}
	_, err := io.WriteString(out, "</mediawiki>\n")
	return err
}

func titlesOf(all []article) map[string]string {
	titles := map[string]string{}
	for i := range all {
		titles[all[i].Name] = all[i].Title
	}
	return titles
}
