package integration

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

var (
	codeBlock = regexp.MustCompile("(?ms)^(```|~~~).*?^(```|~~~)[ \t]*$|^(?-s:    .*|\t.*)$")
	codeSpan  = regexp.MustCompile("``.+?``|`[^`\n]+(\n[^`\n]+)?`")
	mdLink    = regexp.MustCompile(`\]\(\s*([^)\s]+)[^)]*\)|(?m:^\[[^\]]+\]:\s*(\S+))|(?:src|srcset|href)="([^"]+)"`)
	mdHeading = regexp.MustCompile(`(?m)^#{1,6}[ \t]+(.*?)[ \t]*#*$`)
	mdTarget  = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	notAnchor = regexp.MustCompile(`[^\p{L}\p{M}\p{N}\p{Pc} -]`)
)

// home is the address of the project's files, which documents of packages use: see module.sh.
const home = "https://example.org/you/dustbuster/blob/HEAD/"

// Every link to the project of every document leads to a file of the repository, and every anchor to a
// heading.
func TestLinks(t *testing.T) {
	broken, links, err := brokenLinks(os.DirFS(".."))
	must(t, err)
	for _, b := range broken {
		t.Error(b)
	}
	t.Logf("%d links within the repository", links)
	if links < 100 {
		t.Error("hardly a link was found")
	}
}

func TestLinksFindsWhatIsBroken(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[a](b.md)", ""},
		{"    code\n\n[a](#here)\n\n## Here", ""},
		{"[a](b.md#two-words)", ""},
		{"[a](#here)\n\n## Here", ""},
		{"[a](sub/)", ""},
		{"[a](https://example.org/x#y)", ""},
		{"[a](b.md#über-a_b-1)", ""},
		{"`[a](none.md)`", ""},
		{"    [a](none.md)", ""},
		{"```\n[a](none.md)\n# No\n```", ""},
		{"[a](c.md)", "a.md: c.md does not exist"},
		{"[a\nb](c.md)", "a.md: c.md does not exist"},
		{"[a](../b.md)", "a.md: ../b.md does not exist"},
		{"[a](b.md#three)", "a.md: b.md#three: the document has no such heading"},
		{"[a](#there)\n\n## Here", "a.md: #there: the document has no such heading"},
		{"[a]\n\n[a]: c.md", "a.md: c.md does not exist"},
		{`<img src="c.png">`, "a.md: c.png does not exist"},
		{"```\n```\n[a](c.md)", "a.md: c.md does not exist"},
		{"[a](b.md#in-code)", "a.md: b.md#in-code: the document has no such heading"},
		{"[a](sub/x.txt#anchor-of-text)", ""},
	} {
		broken, _, err := brokenLinks(fstest.MapFS{
			"a.md":      {Data: []byte(c.text)},
			"b.md":      {Data: []byte("# Two *words*\n## Über `a_b`?\n## Über [a_b](b.md)\n```\n# In code\n```\n")},
			"sub/x.txt": {},
		})
		must(t, err)
		if got := strings.Join(broken, "; "); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// brokenLinks returns what links of the documents of a tree lead nowhere, and the number of links
// that lead to the tree.
func brokenLinks(tree fs.FS) (broken []string, links int, err error) {
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && (name == ".git" || name == "bin" || entry.Name() == "node_modules") {
			return fs.SkipDir
		}
		if err != nil || path.Ext(name) != ".md" {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		for _, m := range mdLink.FindAllStringSubmatch(codeSpan.ReplaceAllString(codeBlock.ReplaceAllString(string(text), ""), ""), -1) {
			link := m[1] + m[2] + m[3]
			if rest, own := strings.CutPrefix(link, home); own {
				name, link = "README.md", rest
			}
			if strings.Contains(link, ":") {
				continue // an address
			}
			links++
			if why := leadsNowhere(tree, name, link); why != "" {
				broken = append(broken, fmt.Sprintf("%s: %s%s", name, link, why))
			}
		}
		return err
	})
	return broken, links, err
}

// leadsNowhere returns why a link of a document leads nowhere, "" if the link leads somewhere.
func leadsNowhere(tree fs.FS, from, link string) string {
	file, anchor, _ := strings.Cut(link, "#")
	to := from
	if file != "" {
		to = path.Join(path.Dir(from), file)
	}
	if _, err := fs.Stat(tree, to); err != nil {
		return " does not exist"
	}
	if anchor == "" || path.Ext(to) != ".md" {
		return ""
	}
	text, err := fs.ReadFile(tree, to)
	if err != nil || !slices.Contains(anchors(string(text)), anchor) {
		return ": the document has no such heading"
	}
	return ""
}

// anchors returns the anchors of a document's headings, as GitHub and GitLab make them.
func anchors(text string) (all []string) {
	seen := map[string]int{}
	for _, m := range mdHeading.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
		title := strings.ToLower(mdTarget.ReplaceAllString(m[1], "$1"))
		anchor := strings.ReplaceAll(notAnchor.ReplaceAllString(title, ""), " ", "-")
		if n := seen[anchor]; n > 0 {
			all = append(all, fmt.Sprintf("%s-%d", anchor, n))
		} else {
			all = append(all, anchor)
		}
		seen[anchor]++
	}
	return all
}
