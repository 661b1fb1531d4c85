package integration

import (
	"fmt"
	"go/ast"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// ceilings are the most lines of Go that rooms may have, without tests. A change that needs more raises
// the ceiling in the same commit, with its reason. A room is counted once, with the first row that names it.
var ceilings = []struct {
	rooms string
	most  int
}{
	{"operators/read", 10_280},
	{"operators/url operators/window", 8_790},
	{"operators/rule", 7_040},
	{"operators/learn", 16_550},
	{"operators/judge", 18_510},
	{"operators/publish operators/metric", 1_700},
	{"stream/tail stream/files stream/pipe stream/records stream/lines stream/warc stream/columnar stream/folder", 8_440},
	{"stream/kafka stream/topics stream/agent stream/miners stream/rulelog stream/subscribe stream/rules", 10_700},
	{"stream/fetch stream/duplicates", 3_660},
	{"stream", 8_870}, // the sites, their loop and their trials, and what they are saved in
	{"sinks", 12_150},
	{"config cmd", 14_090},
}

// Bounds of types and packages.
const mostMethods, mostFields, mostFiles = 20, 15, 30

// largerTypes are the types beyond the bounds, and why; options and documents apart. It is a list to make shorter.
var largerTypes = map[string]string{
	"cmd/dustbuster/internal/trials.trying":  "one run of validate",
	"config.Config":                          "the options of all packages are made from it",
	"config.Validate":                        "a group of the table of settings",
	"operators/judge/lifecycle/trials.Trial": "the trial of a rule",
	"operators/judge/lifecycle/book.Book":    "the acts of a site",
	"operators/judge/lifecycle/book.Entry":   "a record of what is known of a rule",
	"operators/judge/lifecycle/book.Levers":  "a switch for each lever",
	"operators/judge/lifecycle/book.Memory":  "the pages of a site",
	"operators/judge/lifecycle/forms.View":   "a window under the valid rules",
	"operators/judge/lifecycle/forms.Window": "what a View is derived from",
	"operators/learn/drops.learner":          "one look at a window",
	"operators/learn/envelope.Index":         "the index of phase 1",
	"operators/learn/envelope.meeting":       "part of an Index",
	"operators/learn/miner.Machine":          "the table and the learners of a site",
	"operators/learn/miner.Sites":            "all sites of a log",
	"operators/learn/params.Index":           "the index of parameters",
	"operators/learn/weight.Weigher":         "one look at a window",
	"operators/publish/owner.Owner":          "the topic of rules, to its owner",
	"operators/read/input.State":             "a document",
	"operators/read/weblog.Parser":           "a format of lines, compiled",
	"operators/rule.Likely":                  "a document",
	"operators/rule.Rule":                    "all kinds of rules",
	"operators/window/public.Kinds":          "what the public asks for",
	"operators/window/table.Table":           "the fold of observations",
	"operators/window/urllist.List":          "the URLs of a site",
	"sinks/dashboard.overviewData":           "the data of a page",
	"sinks/dashboard.siteData":               "the data of a page",
	"stream/agent.Agent":                     "lines in, observations out",
	"stream/agent.part":                      "what an Agent has of a partition",
	"stream/fetch.Fetcher":                   "polite requests",
	"stream/journal.Journal":                 "the files of the state",
	"stream/kafka.Cluster":                   "the brokers",
	"stream/kafka.Partition":                 "a reader of a partition",
	"stream/loop.Loop":                       "the owner of the sites",
	"stream/miners.Member":                   "a member of the group",
	"stream/miners.partition":                "what a Member has of a partition",
	"stream/prober.Worker":                   "the owner of the trials",
	"stream/prober.site":                     "what a Worker has of a site",
	"stream/records.Reader":                  "lines in, records out",
	"stream/rulelog.Store":                   "the acts of a partition",
	"stream/tail.follower":                   "the owner of the logs",
	"stream/tail.generation":                 "one text of a log",
}

// largerPackages are those of more files.
var largerPackages = map[string]string{
	"operators/read/weblog": "a file for each format",
}

func TestCeilings(t *testing.T) {
	sources, _, err := read(os.DirFS(".."))
	must(t, err)
	for _, broken := range append(checkRooms(sources), checkTypes(sources)...) {
		t.Error(broken)
	}
}

// counted reports whether a file counts: tests and what is for tests do not.
func (s *source) counted() bool {
	return !s.test && !within(s.folder, forTests) && !within(s.folder, "integration") && !within(s.folder, "release")
}

// checkRooms looks for rooms with more lines than their ceilings, and for packages with too many files.
func checkRooms(sources []source) (broken []string) {
	lines, files := make([]int, len(ceilings)), map[string]int{}
	for _, s := range sources {
		if !s.counted() {
			continue
		}
		files[s.folder]++
		at := slices.IndexFunc(ceilings, func(c struct {
			rooms string
			most  int
		}) bool {
			return slices.ContainsFunc(strings.Fields(c.rooms), func(room string) bool { return within(s.folder, room) })
		})
		if at < 0 {
			broken = append(broken, s.path+": stands in no room with a ceiling")
			continue
		}
		lines[at] += s.fset.File(s.file.FileStart).LineCount()
	}
	for i, c := range ceilings {
		if lines[i] > c.most {
			broken = append(broken, fmt.Sprintf("%s: %d lines, at most %d", c.rooms, lines[i], c.most))
		}
	}
	for folder, n := range files {
		if n > mostFiles && largerPackages[folder] == "" {
			broken = append(broken, fmt.Sprintf("%s: %d files, at most %d", folder, n, mostFiles))
		}
	}
	return broken
}

// checkTypes looks for types that one cannot hold.
func checkTypes(sources []source) (broken []string) {
	methods, fields := map[string]int{}, map[string]int{}
	for _, s := range sources {
		if !s.counted() {
			continue
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				methods[s.folder+"."+typeName(f.Recv.List[0].Type)]++
			}
			g, _ := d.(*ast.GenDecl)
			for i := range specs(g) {
				if t, ok := g.Specs[i].(*ast.TypeSpec); ok {
					fields[s.folder+"."+t.Name.Name] = membersOf(t)
				}
			}
		}
	}
	for name, m := range fields {
		n := methods[name]
		if (n > mostMethods || m > mostFields) && largerTypes[name] == "" && !isDocument(name) {
			broken = append(broken, fmt.Sprintf("%s: %d methods and %d fields, at most %d and %d", name, n, m, mostMethods, mostFields))
		}
	}
	slices.Sort(broken)
	return broken
}

// isDocument reports whether a type is options, or what is shown of something.
func isDocument(name string) bool {
	name = strings.TrimPrefix(path.Ext(name), ".")
	return strings.HasSuffix(name, "Options") || strings.HasSuffix(name, "JSON") || strings.HasSuffix(name, "Status")
}

func specs(g *ast.GenDecl) []ast.Spec {
	if g == nil {
		return nil
	}
	return g.Specs
}

func typeName(of ast.Expr) string {
	switch t := of.(type) {
	case *ast.StarExpr:
		return typeName(t.X)
	case *ast.IndexExpr:
		return typeName(t.X)
	case *ast.IndexListExpr:
		return typeName(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

func membersOf(t *ast.TypeSpec) (n int) {
	if of, ok := t.Type.(*ast.StructType); ok {
		for _, f := range of.Fields.List {
			n += max(1, len(f.Names))
		}
	}
	return n
}

// A tree beyond a ceiling must be found out.
func TestCeilingsFindWhatIsBroken(t *testing.T) {
	for _, c := range []struct{ name, path, text, want string }{
		{"a room", "sinks/file/long.go", "package file" + strings.Repeat("\n", 20_000), "sinks: 20000 lines"},
		{"a folder without a room", "util/util.go", "package util", "util/util.go: stands in no room"},
		{"methods", "stream/files/m.go", "package files\n\ntype one struct{}\n" + strings.Repeat("func (o *one) f() {}\n", mostMethods+1), "stream/files.one: 21 methods and 0 fields"},
		{"fields", "stream/files/f.go", "package files\n\ntype one struct {\n" + strings.Repeat("\ta, b int\n", mostFields/2+1) + "}", "stream/files.one: 0 methods and 16 fields"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sources, _, err := read(fstest.MapFS{c.path: &fstest.MapFile{Data: []byte(c.text)}})
			must(t, err)
			if broken := append(checkRooms(sources), checkTypes(sources)...); len(broken) != 1 || !strings.Contains(broken[0], c.want) {
				t.Errorf("got %q, want %q", broken, c.want)
			}
		})
	}
	var sources []source
	for i := range mostFiles + 1 {
		s, err := parse(fmt.Sprintf("sinks/file/%d.go", i), []byte("package file"))
		must(t, err)
		sources = append(sources, s)
	}
	if broken := checkRooms(sources); len(broken) != 1 || !strings.Contains(broken[0], "sinks/file: 31 files") {
		t.Errorf("got %q", broken)
	}
}
