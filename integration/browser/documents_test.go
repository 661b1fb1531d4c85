package browser

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

var (
	linked = regexp.MustCompile(`(?:href|src|srcset)=(?:"([^"]*)"|([^\s>]+))`)
	anchor = regexp.MustCompile(`\sid="?([^\s">]+)`)
)

// buildSite builds the documents of a checkout as a site, and returns what the generator says.
func buildSite(t *testing.T, root, to string) (string, error) {
	t.Helper()
	python := cmp.Or(os.Getenv("DUSTBUSTER_PYTHON"), "python3")
	if out, err := exec.Command(python, "-c", "import material").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: %s has no mkdocs-material (make deps, or name another in DUSTBUSTER_PYTHON): the site is not built\n%s", python, out)
	}
	cmd := exec.Command("sh", "release/site.sh", to)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "PYTHON="+python, "NO_MKDOCS_2_WARNING=1")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// The documents make a site whose links lead somewhere. In a browser its search finds a page, it names its
// versions, and it asks no other host for anything.
func TestDocumentsSite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.CopyFS(filepath.Join(dir, "0.0.9"), os.DirFS("../../docs/conformance"))) // stands for an older version
	if out, err := buildSite(t, "../..", dir); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	number, err := os.ReadFile("../../VERSION")
	must(t, err)
	version := strings.TrimSpace(string(number))
	checkLinks(t, filepath.Join(dir, version))

	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	b := open(t, server.URL)
	b.visit(server.URL + "/" + version + "/run.html")
	until(t, "the versions", func() (string, bool) {
		said := eval[string](b, `[...document.querySelectorAll(".md-version__list a")].map(a => a.textContent.trim()).join()`)
		return said, said == version+",0.0.9"
	})
	eval[int](b, `document.getElementById("__search").click(), 0`)
	b.do(chromedp.SendKeys("input.md-search__input", "alpine"))
	found := until(t, "what the search finds", func() (string, bool) {
		said := eval[string](b, `(document.querySelector("a.md-search-result__link") || {}).href || ""`)
		return said, said != ""
	})
	at, err := url.Parse(found)
	must(t, err)
	if at.Path != "/"+version+"/install.html" {
		t.Errorf("the search leads to %s", found)
	}
	b.visit(found)
	if text := b.text(); !strings.Contains(text, "Alpine has no systemd") {
		t.Errorf("%s shows\n%s", found, text)
	}
	b.do(chromedp.Navigate(server.URL)) // leads to the newest version
	until(t, "the first page", func() (string, bool) {
		said := eval[string](b, "location.pathname")
		return said, said == "/"+version+"/"
	})
	b.mu.Lock()
	b.faults = slices.DeleteFunc(b.faults, func(f string) bool { return strings.HasPrefix(f, "a request to data:image/svg+xml") }) // is in the style
	b.mu.Unlock()
	b.check("the site of the documents")
}

// checkLinks reports links within a site that lead to no file or to no place in it.
func checkLinks(t *testing.T, dir string) {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(dir, "*.html"))
	must(t, err)
	links := 0
	for _, page := range pages {
		if filepath.Base(page) == "404.html" { // has the addresses of a server
			continue
		}
		text, err := os.ReadFile(page)
		must(t, err)
		for _, found := range linked.FindAllStringSubmatch(string(text), -1) {
			to, err := url.Parse(cmp.Or(found[1], found[2]))
			must(t, err)
			if to.Scheme != "" || to.Host != "" {
				continue
			}
			links++
			file := filepath.Join(filepath.Dir(page), cmp.Or(to.Path, filepath.Base(page)))
			if strings.HasSuffix(to.Path, "/") || to.Path == "." {
				file = filepath.Join(file, "index.html")
			}
			there, err := os.ReadFile(file)
			if err != nil {
				t.Errorf("%s: the link %s leads to no file", filepath.Base(page), to)
			} else if to.Fragment != "" && to.Fragment != "__codelineno" && !hasAnchor(string(there), to.Fragment) {
				t.Errorf("%s: the link %s leads to no place", filepath.Base(page), to)
			}
		}
	}
	if len(pages) < 15 || links < 500 {
		t.Errorf("%d pages with %d links", len(pages), links)
	}
}

func hasAnchor(page, name string) bool {
	for _, id := range anchor.FindAllStringSubmatch(page, -1) {
		if id[1] == name {
			return true
		}
	}
	return false
}

// A link to nothing ends the build, within the documents and out of them, as does a page that no menu has.
func TestDocumentsStrict(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	entries, err := os.ReadDir("../..")
	must(t, err)
	for _, e := range entries {
		from, err := filepath.Abs(filepath.Join("../..", e.Name()))
		must(t, err)
		if e.Name() != "docs" {
			must(t, os.Symlink(from, filepath.Join(root, e.Name())))
		}
	}
	must(t, os.CopyFS(filepath.Join(root, "docs"), os.DirFS("../../docs")))
	for _, c := range []struct{ name, file, add, says string }{
		{"as they are", "near.md", "", ""},
		{"no page", "near.md", "\n[a](gone.md)\n", "gone.md"},
		{"no place", "near.md", "\n[a](run.md#gone)\n", "gone"},
		{"no file of the repository", "near.md", "\n[a](../deploy/gone.yml)\n", "leads to no file"},
		{"a decision", "decisions/09-levers.md", "\n[a](../gone.md)\n", "leads to no file"},
		{"code is no link", "near.md", "\n`[a](gone.md)`\n", ""},
		{"in no menu", "lonely.md", "# Lonely\n", "lonely.md"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(root, "docs", c.file)
			before, err := os.ReadFile(file)
			must(t, os.WriteFile(file, append(before, c.add...), 0o600))
			defer func() {
				if err != nil {
					must(t, os.Remove(file))
				} else {
					must(t, os.WriteFile(file, before, 0o600))
				}
			}()
			out, failed := buildSite(t, root, t.TempDir())
			if (failed == nil) != (c.says == "") || !strings.Contains(out, c.says) {
				t.Errorf("%v\n%s", failed, out)
			}
		})
	}
}
