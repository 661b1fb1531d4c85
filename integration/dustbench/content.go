package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

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
