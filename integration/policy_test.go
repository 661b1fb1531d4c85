package integration

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// module is the path that imports of the project's own packages begin with, and a slash.
var module = func() string {
	text, err := os.ReadFile("../go.mod")
	if err != nil {
		panic(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimPrefix(line, "module ") + "/"
}()

// house has the rooms of the project, the lowest first, and the floors of each room. A package
// stands on one floor, by name. Imports go down: to lower floors of the same room, or to lower
// rooms. Neighbours on a floor do not import each other.
var house = []struct {
	room   string
	floors []string // names below the room, "." for the room itself
}{
	{"operators/metric", []string{"."}},
	{"operators/url", []string{"action query urlnorm", "secret"}},
	{"operators/read", []string{"octets", "client crawler digest input labels lists", "weblog", "wrap"}},
	{"operators/rule", []string{"dust", ".", "canon event report search"}},
	{"operators/window", []string{"budget evidence ours public", "admit combine days urllist waste", "table"}},
	{"operators/learn", []string{"beside drops envelope kinds listed notes params papers/cluster papers/duster", "equal papers/fanout papers/tree weight", "labelled", "miner shown", "papers/compare"}},
	{"operators/judge", []string{"except sketch trial", "near", "label lifecycle/book", "lifecycle/forms", "lifecycle/trials", "lifecycle"}},
	{"operators/publish", []string{"jsonl ledger", "owner"}},
	{"stream", []string{
		"recent fetch/gate",
		"claims columnar fetch folder inbox job journal kafka lines rules site turns",
		"checkpoint subscribe topics warc",
		"duplicates files prober rulelog",
		"pipe records tail",
		"loop",
		"agent miners"}},
	{"sinks", []string{"file text", "audit export page plan", "admin html", "dashboard"}},
	{"config", []string{"."}},
	{"cmd/dustbuster", []string{"internal/cli", "internal/offline", "internal/apply internal/trials", "internal/daemon", "internal/demo", "."}},
	{"internal", []string{"expect fewgc oracle oracle/lists oracle/pages kafkatest madeup planted schema", "worlds"}},
	{"release", []string{"."}},
	{"integration", []string{". bodies dustbench examples/crawler examples/reader browser kubernetes logshapes published"}},
}

// place is a floor of the house. Every floor of a room is above all floors of the rooms before.
type place struct{ height, roof int } // roof is the highest floor of the tree: operators, stream or another folder at the top

// places has the floor of each package.
var places = func() map[string]place {
	all, roofs, height := map[string]place{}, map[string]int{}, 0
	for _, r := range house {
		for _, names := range r.floors {
			for name := range strings.FieldsSeq(names) {
				all[path.Join(r.room, name)] = place{height: height}
			}
			roofs[topOf(r.room)] = height
			height++
		}
	}
	for folder, p := range all {
		p.roof = roofs[topOf(folder)]
		all[folder] = p
	}
	return all
}()

// topOf returns the folder at the top that holds a folder.
func topOf(folder string) string {
	top, _, _ := strings.Cut(folder, "/")
	return top
}

// impure are the packages, and with a slash at the end the families, that the
// operators do without.
var impure = []string{
	"os", "os/", "net", "net/", "time", "context", "sync", "sync/", "log", "log/", "syscall",
	"go.uber.org/zap", "go.uber.org/zap/", "github.com/prometheus/",
}

// addresses is in a family of impure packages, and does nothing but compute.
const addresses = "net/netip"

const (
	adminPath = "sinks/admin"
	forTests  = "internal" // what only tests use
	config    = "config"
	ci        = ".ci/run"
)

// foreign are texts that name the place where the project happens to be worked
// on, spelled so that this file does not hold them. Only .ci/run may.
var foreign = []string{"../" + "shared"}

func TestPolicy(t *testing.T) {
	broken, err := check(os.DirFS(".."))
	must(t, err)
	for _, b := range broken {
		t.Error(b)
	}
}

// A tree that breaks one rule must be found out, or TestPolicy proves nothing.
func TestPolicyFindsWhatIsBroken(t *testing.T) {
	for _, c := range []struct {
		name, path, text string
		want             string
	}{
		{"up a floor", "operators/rule/dust/up.go", `package dust; import "dustbuster/operators/learn/miner"`, `operators/rule/dust/up.go: imports operators/learn/miner, which stands on no lower floor`},
		{"up within a room", "operators/rule/dust/up.go", `package dust; import "dustbuster/operators/rule"`, `operators/rule/dust/up.go: imports operators/rule, which stands on no lower floor`},
		{"to a neighbour", "operators/window/evidence/up.go", "// Package evidence is none.\npackage evidence\n\nimport \"dustbuster/operators/window/budget\"", `operators/window/evidence/up.go: imports operators/window/budget, which stands on no lower floor`},
		{"up two floors", "operators/learn/miner/up.go", `package miner; import "dustbuster/stream/files"`, `operators/learn/miner/up.go: imports stream/files, which stands on no lower floor`},
		{"up from a stream", "stream/files/up.go", `package files; import "dustbuster/cmd/dustbuster"`, `stream/files/up.go: imports cmd/dustbuster, which stands on no lower floor`},
		{"up in a test", "operators/rule/dust/up_test.go", `package dust_test; import "dustbuster/sinks/file"`, `operators/rule/dust/up_test.go: imports sinks/file, which stands on no lower floor`},
		{"a folder without floor", "util/util.go", "// Package util is none.\npackage util", `util: the folder has no floor`},
		{"an import without floor", "cmd/dustbuster/x.go", `package main; import "dustbuster/stream/util"`, `cmd/dustbuster/x.go: imports stream/util, which has no floor`},
		{"config imported", "stream/files/c.go", `package files; import "dustbuster/config"`, `stream/files/c.go: imports config, which only cmd does`},
		{"the listener counts", "sinks/admin/a.go", `package admin; import "dustbuster/stream/files"`, `sinks/admin/a.go: imports stream/files, but each package brings its own`},
		{"oracle imported", "operators/learn/miner/o.go", `package miner; import "dustbuster/internal/oracle"`, `operators/learn/miner/o.go: imports internal/oracle, which is for tests`},
		{"operator reads files", "operators/rule/dust/os.go", `package dust; import "os"`, `operators/rule/dust/os.go: an operator imports os`},
		{"operator dials", "operators/rule/dust/net.go", `package dust; import "net/http"`, `operators/rule/dust/net.go: an operator imports net/http`},
		{"operator tells time", "operators/rule/dust/time.go", `package dust; import ( "fmt"; t "time" )`, `operators/rule/dust/time.go: an operator imports time`},
		{"operator locks", "operators/rule/dust/sync.go", `package dust; import "sync/atomic"`, `operators/rule/dust/sync.go: an operator imports sync/atomic`},
		{"miner logs", "operators/learn/miner/log.go", `package miner; import _ "log/slog"`, `operators/learn/miner/log.go: an operator imports log/slog`},
		{"operator logs to zap", "operators/rule/dust/zap.go", `package dust; import "go.uber.org/zap"`, `operators/rule/dust/zap.go: an operator imports go.uber.org/zap`},
		{"operator counts", "operators/rule/dust/prom.go", `package dust; import "github.com/prometheus/client_golang/prometheus"`, `operators/rule/dust/prom.go: an operator imports github.com/prometheus/client_golang/prometheus`},
		{"operator starts a goroutine", "operators/rule/dust/go.go", "package dust\n\nfunc f() {\n\tgo f()\n}", `operators/rule/dust/go.go: an operator starts a goroutine in line 4`},
		{"an operator names a flag", "operators/rule/dust/flag.go", "package dust\n\nconst a = \"raise it with --memory\"", `operators/rule/dust/flag.go: a text names --memory in line 3`},
		{"a sink names a flag", "sinks/file/flag.go", "package file\n\nconst a = `\n--top 0`", `sinks/file/flag.go: a text names --top in line 3`},
		{"a stream names a variable", "stream/files/flag.go", "package files\n\nconst a = \"(DUSTBUSTER_KEEP_STATE)\"", `stream/files/flag.go: a text names DUSTBUSTER_KEEP_STATE in line 3`},
		{"a stream names a subcommand", "stream/files/flag.go", "package files\n\nconst a = `run \"dustbuster topics create\"`", `stream/files/flag.go: a text names dustbuster topics in line 3`},
		{"up within the streams", "stream/files/up.go", `package files; import "dustbuster/stream/tail"`, `stream/files/up.go: imports stream/tail, which stands on no lower floor`},
		{"up within the sinks", "sinks/file/up.go", `package file; import "dustbuster/sinks/html"`, `sinks/file/up.go: imports sinks/html, which stands on no lower floor`},
		{"a function is long", "stream/files/long.go", "package files\n\nfunc f() {" + strings.Repeat("\n", mostLines+2) + "}", `stream/files/long.go: f has 51 lines and 0 returns`},
		{"a function returns often", "stream/files/returns.go", "package files\n\nfunc f(n int) int {\n" + strings.Repeat("\tif n > 0 {\n\t\treturn n\n\t}\n", mostReturns) + "\treturn 0\n}", `stream/files/returns.go: f has 25 lines and 9 returns`},
		{"no package comment", "stream/tail/tail.go", "//go:build linux\n\n//go:generate true\npackage tail", `stream/tail: 0 package comments`},
		{"two package comments", "operators/rule/dust/doc.go", "// Package dust again.\npackage dust", `operators/rule/dust: 2 package comments`},
		{"none in a command", "integration/browser/main.go", "package main", `integration/browser: 0 package comments`},
		{"a foreign path", "Makefile", "data:\n\tls " + foreign[0] + "/data", `Makefile: names ` + foreign[0]},
		{"a symbolic link", "data", "->elsewhere", `data: is a symbolic link`},
		{"code that is none", "operators/rule/dust/bad.go", "package", `parse operators/rule/dust/bad.go`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := goodTree()
			tree[c.path] = &fstest.MapFile{Data: []byte(c.text)}
			if strings.HasPrefix(c.text, "->") {
				tree[c.path].Mode = fs.ModeSymlink
			}
			broken, err := check(tree)
			if err != nil {
				broken = append(broken, err.Error())
			}
			if len(broken) != 1 || !strings.Contains(broken[0], c.want) {
				t.Errorf("got %q, want %q", broken, c.want)
			}
		})
	}
}

func TestPolicyPassesWhatIsAllowed(t *testing.T) {
	broken, err := check(goodTree())
	if err != nil || len(broken) > 0 {
		t.Errorf("got %q, %v", broken, err)
	}
}

// goodTree breaks no rule, and does what is allowed just short of breaking it.
func goodTree() fstest.MapFS {
	tree := fstest.MapFS{}
	for _, c := range []struct{ name, text string }{
		{"operators/rule/dust/dust.go", "// Package dust is pure.\npackage dust\n\nimport (\"math\"; \"net/netip\"; \"github.com/hashicorp/golang-lru/v2/simplelru\")"},
		{"operators/rule/dust/dust_test.go", "// Tests may say more.\npackage dust\n\nimport (\"os\"; \"sync\"; \"dustbuster/internal/oracle\")\n\nfunc f() { go f() }"},
		{"internal/oracle/oracle.go", "// Package oracle is plain.\npackage oracle\n\nimport \"dustbuster/operators/rule/dust\""},
		{"operators/learn/miner/miner.go", "// Package miner is pure too.\npackage miner\n\nimport \"dustbuster/operators/rule/dust\""},
		{"operators/window/budget/x.go", "// Package budget has a name.\npackage budget\n\nimport (\"timeless/oslo\"; \"network\")"},
		{"stream/files/files.go", "// Package files reads.\npackage files\n\nimport \"os\"\n\nfunc f() { go f() } // with --memory\n\nconst a = \"a--b -- c---\""},
		{"stream/files/other.go", "//go:build linux\n\npackage files"},
		{"sinks/admin/admin.go", "// Package admin shows.\npackage admin\n\nimport \"dustbuster/operators/rule/dust\""},
		{"sinks/file/file.go", "// Package file writes.\npackage file\n\nimport \"dustbuster/stream/files\""},
		{"config/config.go", "// Package config knows options.\npackage config\n\nimport \"dustbuster/stream/files\""},
		{"cmd/dustbuster/main.go", "// Dustbuster finds rules.\npackage main\n\nimport \"dustbuster/config\"\n\nconst a = \"--memory\""},
		{"integration/x_test.go", "package integration\n\nimport \"dustbuster/cmd/dustbuster\""},
		{"stream/files/testdata/bad.go", "not code"},
		{ci, "ls " + foreign[0]},
	} {
		tree[c.name] = &fstest.MapFile{Data: []byte(c.text)}
	}
	return tree
}

// source is one parsed Go file.
type source struct {
	path, folder string
	test         bool
	file         *ast.File
	fset         *token.FileSet
	imports      []string
}

// check returns what a tree breaks, in order. It reads the files itself: a test
// that asked the go command would be cached over changes.
func check(tree fs.FS) ([]string, error) {
	sources, broken, err := read(tree)
	if err != nil {
		return nil, err
	}
	for _, s := range sources {
		broken = append(broken, checkImports(s)...)
		if !s.test && !within(s.folder, "cmd") && !within(s.folder, config) && !within(s.folder, "integration") && !within(s.folder, forTests) {
			broken = append(broken, checkFlags(s)...)
		}
		if !s.test && !within(s.folder, forTests) && !within(s.folder, "integration") {
			broken = append(broken, checkSizes(s)...)
		}
		if s.folder == "operators" || strings.HasPrefix(s.folder, "operators/") {
			broken = append(broken, checkPurity(s)...)
		}
	}
	return append(broken, checkPackages(sources)...), nil
}

// read parses all Go files outside testdata, and looks for foreign texts in
// all files.
func read(tree fs.FS) (sources []source, broken []string, err error) {
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name == ".git" || name == "bin" {
				return fs.SkipDir
			}
			return nil
		}
		if entry.Type()&fs.ModeSymlink != 0 {
			broken = append(broken, name+": is a symbolic link, which a published module lacks")
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		broken = append(broken, checkForeign(name, data)...)
		if path.Ext(name) != ".go" || strings.Contains("/"+name, "/testdata/") {
			return nil
		}
		s, err := parse(name, data)
		sources = append(sources, s)
		return err
	})
	return sources, broken, err
}

func parse(name string, data []byte) (source, error) {
	s := source{path: name, folder: path.Dir(name), test: strings.HasSuffix(name, "_test.go"), fset: token.NewFileSet()}
	var err error
	s.file, err = parser.ParseFile(s.fset, name, data, parser.ParseComments)
	if err != nil {
		return s, fmt.Errorf("parse %s: %w", name, err)
	}
	for _, spec := range s.file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return s, fmt.Errorf("parse %s: %w", name, err)
		}
		s.imports = append(s.imports, imported)
	}
	return s, nil
}

// checkForeign looks at text alone: a built binary holds the paths of its
// sources and is not committed.
func checkForeign(name string, data []byte) (broken []string) {
	if name == ci || bytes.IndexByte(data, 0) >= 0 {
		return nil
	}
	for _, text := range foreign {
		if bytes.Contains(data, []byte(text)) {
			broken = append(broken, name+": names "+text)
		}
	}
	return broken
}

// checkImports looks for ways up. Tests may look at the whole tree that they stand in, and use
// what is for tests.
func checkImports(s source) (broken []string) {
	from, known := places[s.folder]
	for _, imported := range s.imports {
		to, own := strings.CutPrefix(imported, module)
		if !own || !known || to == s.folder {
			continue
		}
		at, found := places[to]
		testing := s.test || within(s.folder, forTests)
		switch {
		case !found:
			broken = append(broken, fmt.Sprintf("%s: imports %s, which has no floor", s.path, to))
		case within(to, config) && !within(s.folder, config) && !within(s.folder, "cmd"):
			broken = append(broken, fmt.Sprintf("%s: imports %s, which only cmd does", s.path, to))
		case within(to, forTests) && !testing:
			broken = append(broken, fmt.Sprintf("%s: imports %s, which is for tests", s.path, to))
		case within(to, forTests):
		case within(s.folder, adminPath) && within(to, "stream"):
			broken = append(broken, fmt.Sprintf("%s: imports %s, but each package brings its own metrics and status", s.path, to))
		case at.height >= from.height && (!testing || at.height > from.roof):
			broken = append(broken, fmt.Sprintf("%s: imports %s, which stands on no lower floor", s.path, to))
		}
	}
	return broken
}

func checkPurity(s source) (broken []string) {
	if s.test {
		return nil
	}
	for _, imported := range s.imports {
		if imported != addresses && slices.ContainsFunc(impure, func(not string) bool {
			return imported == not || strings.HasSuffix(not, "/") && strings.HasPrefix(imported, not)
		}) {
			broken = append(broken, fmt.Sprintf("%s: an operator imports %s", s.path, imported))
		}
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if g, ok := n.(*ast.GoStmt); ok {
			broken = append(broken, fmt.Sprintf("%s: an operator starts a goroutine in line %d", s.path, s.fset.Position(g.Pos()).Line))
		}
		return true
	})
	return broken
}

// Bounds of the functions of the product.
const mostLines, mostReturns = 50, 8

// larger are the functions that are larger, which is a list to make shorter.
var larger = map[string]bool{
	"cmd/dustbuster/internal/cli/advice.go: advice":        true,
	"cmd/dustbuster/internal/offline/formats.go: verdict":  true,
	"cmd/dustbuster/internal/trials/validate.go: Validate": true,
	"operators/judge/trial/control.go: Judge":              true,
	"operators/publish/owner/restore.go: acts":             true,
	"operators/rule/drop.go: validateDrop":                 true,
	"operators/rule/read.go: readHead":                     true,
	"operators/rule/template.go: validate":                 true,
	"operators/window/admit/gate.go: Admit":                true,
	"stream/checkpoint/journal.go: changeOf":               true,
	"stream/journal/layout.go: readFileHeader":             true,
	"stream/kafka/exchange.go: RawExchange":                true,
	"stream/kafka/explain.go: explain":                     true,
	"stream/tail/candidate.go: compare":                    true,
}

// checkSizes looks for functions that one cannot see at a glance.
func checkSizes(s source) (broken []string) {
	for _, d := range s.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || larger[s.path+": "+f.Name.Name] {
			continue
		}
		lines, returns := s.fset.Position(f.Body.Rbrace).Line-s.fset.Position(f.Body.Lbrace).Line-1, 0
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if _, ok := n.(*ast.ReturnStmt); ok {
				returns++
			}
			_, inner := n.(*ast.FuncLit)
			return !inner
		})
		if lines > mostLines || returns > mostReturns {
			broken = append(broken, fmt.Sprintf("%s: %s has %d lines and %d returns, at most %d and %d", s.path, f.Name.Name, lines, returns, mostLines, mostReturns))
		}
	}
	return broken
}

// flagName matches the name of a flag, of an environment variable, or of a subcommand, in a
// text.
var flagName = regexp.MustCompile(`(?:^|[^\w-])(--[a-z][a-z-]+|DUSTBUSTER_\w+|dustbuster (?:canon|config|export|formats|mine|near|run|subscribe|topics|validate)\b)`)

// checkFlags looks for names of flags in the texts of a package that is not the command:
// other programs import the package, and only the command knows its flags.
func checkFlags(s source) (broken []string) {
	ast.Inspect(s.file, func(n ast.Node) bool {
		text, ok := n.(*ast.BasicLit)
		if !ok || text.Kind != token.STRING {
			return true
		}
		if m := flagName.FindStringSubmatch(text.Value); m != nil {
			broken = append(broken, fmt.Sprintf("%s: a text names %s in line %d; cmd/dustbuster/internal/cli/advice.go is the place for flags", s.path, m[1], s.fset.Position(text.Pos()).Line))
		}
		return true
	})
	return broken
}

// checkPackages asks each folder with code for a floor and for just one package
// comment. Directives such as //go:build are no comment.
func checkPackages(sources []source) (broken []string) {
	comments := make(map[string]int)
	for _, s := range sources {
		if s.test {
			continue
		}
		comments[s.folder] += 0
		if strings.TrimSpace(s.file.Doc.Text()) != "" {
			comments[s.folder]++
		}
	}
	for folder, n := range comments {
		if _, ok := places[folder]; !ok {
			broken = append(broken, folder+": the folder has no floor")
		}
		if n != 1 {
			broken = append(broken, fmt.Sprintf("%s: %d package comments, want one", folder, n))
		}
	}
	slices.Sort(broken)
	return broken
}

func within(folder, prefix string) bool {
	return folder == prefix || strings.HasPrefix(folder, prefix+"/")
}
