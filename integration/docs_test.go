package integration

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// Ceilings of the pages in docs: one document for one reader.
const (
	mostPages      = 15    // papers.md has the tables of the papers
	mostDocsWords  = 26000 // 25,000, and those of dustbench.md and papers.md
	mostBenchLines = 250
	mostOfSentence = 28 // words
	medianSentence = 14
)

var (
	namedPage    = regexp.MustCompile(`\bdocs/[a-z0-9/.-]+\.(?:md|yml|json|jsonl)\b`)
	namedHeading = regexp.MustCompile(`docs/([a-z]+)\.md(?: says)?(?:, | in | under )\\?"([A-Z][A-Za-z ]+)\\?"|\\?"([A-Z][A-Za-z ]+)\\?" in docs/([a-z]+)\.md`)
	endOfClause  = regexp.MustCompile(`[.:;?!]\)?\**(?:\s|$)|\||\n\n|\n(?:- |\d+\. |#)`)
	textOfLink   = regexp.MustCompile(`\]\([^)]*\)`)
	markup       = regexp.MustCompile(`<[^>]*>`)
)

// docsAndReadme are README.md and the pages of docs by their names.
func docsAndReadme(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("../docs/*.md")
	must(t, err)
	texts := map[string]string{"../README.md": string(readFile(t, "../README.md"))}
	for _, name := range names {
		texts[name] = string(readFile(t, name))
	}
	return texts
}

// The pages of docs stay few and short.
func TestPagesAreFew(t *testing.T) {
	t.Parallel()
	texts := docsAndReadme(t)
	delete(texts, "../README.md")
	words := 0
	for _, text := range texts {
		words += len(strings.Fields(text))
	}
	if len(texts) > mostPages || words > mostDocsWords {
		t.Errorf("docs has %d pages with %d words, more than %d with %d", len(texts), words, mostPages, mostDocsWords)
	}
	if lines := strings.Count(texts["../docs/bench.md"], "\n"); lines > mostBenchLines {
		t.Errorf("docs/bench.md has %d lines, more than %d", lines, mostBenchLines)
	}
}

// Sentences of README and docs are short.
func TestSentences(t *testing.T) {
	t.Parallel()
	for name, text := range docsAndReadme(t) {
		long, median := longSentences(text)
		for _, s := range long {
			t.Errorf("%s: more than %d words: %s", name, mostOfSentence, s)
		}
		if median > medianSentence {
			t.Errorf("%s: the median sentence has %d words, more than %d", name, median, medianSentence)
		}
	}
	long, _ := longSentences("Short.\n\n" + strings.Repeat("word ", mostOfSentence) + "[word](a.md). Short.\n\n    " + strings.Repeat("code ", 40) + "\n")
	if len(long) != 1 {
		t.Errorf("a sentence of %d words is found as %q", mostOfSentence+1, long)
	}
}

// A table of a document has a head: without one, lines are shown as text.
func TestTables(t *testing.T) {
	t.Parallel()
	for name, text := range docsAndReadme(t) {
		lines := strings.Split(codeBlock.ReplaceAllString(text, ""), "\n")
		for i, line := range lines {
			begins := strings.HasPrefix(line, "|") && (i == 0 || !strings.HasPrefix(lines[i-1], "|"))
			if begins && (i+1 == len(lines) || !strings.HasPrefix(lines[i+1], "|---")) {
				t.Errorf("%s: no head above %s", name, line)
			}
		}
	}
}

// longSentences returns the sentences of a document that are too long, and the median length of those of
// more than three words. A colon and a semicolon end a sentence, and so does a cell of a table.
func longSentences(text string) (long []string, median int) {
	text = textOfLink.ReplaceAllString(markup.ReplaceAllString(codeBlock.ReplaceAllString(text, ""), ""), "]")
	var lengths []int
	for _, s := range endOfClause.Split(text, -1) {
		words := strings.Fields(s)
		if len(words) > mostOfSentence {
			long = append(long, strings.Join(words, " "))
		}
		if len(words) > 3 {
			lengths = append(lengths, len(words))
		}
	}
	if len(lengths) == 0 {
		return long, 0
	}
	slices.Sort(lengths)
	return long, lengths[len(lengths)/2]
}

// What messages, comments, units and alerts say of docs is there: files, and headings that they quote.
// TestLinks looks at the links of documents.
func TestNamedPages(t *testing.T) {
	t.Parallel()
	tree, found := os.DirFS(".."), 0
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && slices.Contains([]string{".git", "bin", "dist", "node_modules", "target"}, entry.Name()) {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || path.Ext(name) == ".md" || path.Ext(name) == ".gz" || name == "integration/docs_test.go" {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil || bytes.IndexByte(text, 0) >= 0 {
			return err
		}
		missing, n := missingPages(tree, string(text))
		for _, what := range missing {
			t.Errorf("%s names %s", name, what)
		}
		found += n
		return nil
	})
	must(t, err)
	if found < 50 {
		t.Errorf("hardly a name was found: %d", found)
	}
}

func TestNamedPagesFindsWhatIsBroken(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{"docs/kafka.md": {Data: []byte("# Kafka\n## More partitions\n")}}
	for _, c := range []struct{ name, text, want string }{
		{"page", "see docs/kafka.md", ""},
		{"no page", "see docs/go.md, please", "docs/go.md, which does not exist"},
		{"heading", `as docs/kafka.md says under "More partitions"`, ""},
		{"escaped heading", `docs/kafka.md says under \"More partitions\" what`, ""},
		{"no heading", `docs/kafka.md, "Sizes"`, `docs/kafka.md, "Sizes", which is no heading`},
		{"heading first", `see "Outages" in docs/kafka.md`, `docs/kafka.md, "Outages", which is no heading`},
	} {
		t.Run(c.name, func(t *testing.T) {
			missing, found := missingPages(tree, c.text)
			if got := strings.Join(missing, "; "); got != c.want || found == 0 {
				t.Errorf("%q: got %q of %d, want %q", c.text, got, found, c.want)
			}
		})
	}
}

// missingPages returns which files of docs a text names that do not exist, and which headings of pages, and the
// number of names.
func missingPages(tree fs.FS, text string) (missing []string, found int) {
	for _, page := range namedPage.FindAllString(text, -1) {
		found++
		if _, err := fs.Stat(tree, page); err != nil && page != "docs/more.md" { // made up by another test
			missing = append(missing, page+", which does not exist")
		}
	}
	for _, m := range namedHeading.FindAllStringSubmatch(text, -1) {
		page, heading := "docs/"+m[1]+m[4]+".md", m[2]+m[3]
		if of, err := fs.ReadFile(tree, page); err == nil && !strings.Contains(string(of), "# "+heading+"\n") {
			missing = append(missing, fmt.Sprintf("%s, %q, which is no heading", page, heading))
		}
	}
	return missing, found
}
