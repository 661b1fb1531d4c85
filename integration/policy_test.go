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

// module is the path that imports of the project's own packages begin with.
const module = "dustbuster/"

// floors gives each folder's floor; the longest prefix counts. Imports go down
// or stay on their floor, never up. Tests across packages stand above all.
var floors = map[string]int{
	"integration":         6,
	"cmd":                 5,
	"config":              4,
	"sinks":               3,
	"stream":              2,
	"operators/miner":     1,
	"operators/lifecycle": 1,
	"operators/owner":     1,
	"operators/event":     1,
	"operators/jsonl":     1,
	"operators":           0,
}

// impure are the packages, and with a slash at the end the families, that the
// operators do without.
var impure = []string{
	"os", "os/", "net", "net/", "time", "context", "sync", "sync/", "log", "log/", "syscall",
	"go.uber.org/zap", "go.uber.org/zap/", "github.com/prometheus/",
}

const (
	adminPath  = "sinks/admin"
	oraclePath = "operators/oracle"
	config     = "config"
	ci         = ".ci/run"
)

// foreign are texts that name the place where the project happens to be worked
// on, spelled so that this file does not hold them. Only .ci/run may.
var foreign = []string{"../" + "shared"}

func TestPolicy(t *testing.T) {
	broken, err := check(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range broken {
		t.Error(b)
	}
}

// A tree that breaks one rule must be found out, or TestPolicy proves nothing.
func TestPolicyFindsWhatIsBroken(t *testing.T) {
	for name, c := range map[string]struct {
		path, text string
		want       string
	}{
		"up a floor":                  {"operators/dust/up.go", `package dust; import "dustbuster/operators/miner"`, `operators/dust/up.go: floor 0 imports operators/miner on floor 1`},
		"up two floors":               {"operators/miner/up.go", `package miner; import "dustbuster/stream/files"`, `operators/miner/up.go: floor 1 imports stream/files on floor 2`},
		"up from a stream":            {"stream/files/up.go", `package files; import "dustbuster/cmd/dustbuster"`, `stream/files/up.go: floor 2 imports cmd/dustbuster on floor 5`},
		"up in a test":                {"operators/dust/up_test.go", `package dust_test; import "dustbuster/sinks/kafka"`, `operators/dust/up_test.go: floor 0 imports sinks/kafka on floor 3`},
		"a folder without floor":      {"util/util.go", "// Package util is none.\npackage util", `util: the folder has no floor`},
		"an import without floor":     {"cmd/dustbuster/x.go", `package main; import "dustbuster/util"`, `cmd/dustbuster/x.go: imports util, which has no floor`},
		"config imported":             {"stream/files/c.go", `package files; import "dustbuster/config"`, `stream/files/c.go: imports config, which only cmd does`},
		"the listener counts":         {"sinks/admin/a.go", `package admin; import "dustbuster/stream/files"`, `sinks/admin/a.go: imports stream/files, but each package brings its own`},
		"oracle imported":             {"operators/miner/o.go", `package miner; import "dustbuster/operators/oracle"`, `operators/miner/o.go: imports operators/oracle, which is for tests`},
		"operator reads files":        {"operators/dust/os.go", `package dust; import "os"`, `operators/dust/os.go: an operator imports os`},
		"operator dials":              {"operators/dust/net.go", `package dust; import "net/http"`, `operators/dust/net.go: an operator imports net/http`},
		"operator tells time":         {"operators/dust/time.go", `package dust; import ( "fmt"; t "time" )`, `operators/dust/time.go: an operator imports time`},
		"operator locks":              {"operators/dust/sync.go", `package dust; import "sync/atomic"`, `operators/dust/sync.go: an operator imports sync/atomic`},
		"miner logs":                  {"operators/miner/log.go", `package miner; import _ "log/slog"`, `operators/miner/log.go: an operator imports log/slog`},
		"operator logs to zap":        {"operators/dust/zap.go", `package dust; import "go.uber.org/zap"`, `operators/dust/zap.go: an operator imports go.uber.org/zap`},
		"operator counts":             {"operators/dust/prom.go", `package dust; import "github.com/prometheus/client_golang/prometheus"`, `operators/dust/prom.go: an operator imports github.com/prometheus/client_golang/prometheus`},
		"operator starts a goroutine": {"operators/dust/go.go", "package dust\n\nfunc f() {\n\tgo f()\n}", `operators/dust/go.go: an operator starts a goroutine in line 4`},
		"an operator names a flag":    {"operators/dust/flag.go", "package dust\n\nconst a = \"raise it with --memory\"", `operators/dust/flag.go: a text names --memory in line 3`},
		"a sink names a flag":         {"sinks/kafka/flag.go", "package kafka\n\nconst a = `\n--top 0`", `sinks/kafka/flag.go: a text names --top in line 3`},
		"a stream names a variable":   {"stream/files/flag.go", "package files\n\nconst a = \"(DUSTBUSTER_STATE)\"", `stream/files/flag.go: a text names DUSTBUSTER_STATE in line 3`},
		"a stream names a subcommand": {"stream/files/flag.go", "package files\n\nconst a = `run \"dustbuster topics create\"`", `stream/files/flag.go: a text names dustbuster topics in line 3`},
		"no package comment":          {"stream/tail/tail.go", "//go:build linux\n\n//go:generate true\npackage tail", `stream/tail: 0 package comments`},
		"two package comments":        {"operators/dust/doc.go", "// Package dust again.\npackage dust", `operators/dust: 2 package comments`},
		"none in a command":           {"cmd/tool/main.go", "package main", `cmd/tool: 0 package comments`},
		"a foreign path":              {"Makefile", "data:\n\tls " + foreign[0] + "/data", `Makefile: names ` + foreign[0]},
		"code that is none":           {"operators/dust/bad.go", "package", `parse operators/dust/bad.go`},
	} {
		t.Run(name, func(t *testing.T) {
			tree := goodTree()
			tree[c.path] = &fstest.MapFile{Data: []byte(c.text)}
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
	for name, text := range map[string]string{
		"operators/dust/dust.go":       "// Package dust is pure.\npackage dust\n\nimport (\"math\"; \"github.com/hashicorp/golang-lru/v2/simplelru\")",
		"operators/dust/dust_test.go":  "// Tests may say more.\npackage dust\n\nimport (\"os\"; \"sync\"; \"dustbuster/operators/oracle\")\n\nfunc f() { go f() }",
		"operators/oracle/oracle.go":   "// Package oracle is plain.\npackage oracle\n\nimport \"dustbuster/operators/dust\"",
		"operators/miner/miner.go":     "// Package miner is pure too.\npackage miner\n\nimport \"dustbuster/operators/dust\"",
		"operators/timeless/x.go":      "// Package timeless has a name.\npackage timeless\n\nimport (\"timeless/oslo\"; \"network\")",
		"stream/files/files.go":        "// Package files reads.\npackage files\n\nimport \"os\"\n\nfunc f() { go f() } // with --memory\n\nconst a = \"a--b -- c---\"",
		"stream/files/other.go":        "//go:build linux\n\npackage files",
		"sinks/admin/admin.go":         "// Package admin shows.\npackage admin\n\nimport \"dustbuster/operators/dust\"",
		"sinks/kafka/kafka.go":         "// Package kafka writes.\npackage kafka\n\nimport \"dustbuster/stream/files\"",
		"config/config.go":             "// Package config knows options.\npackage config\n\nimport \"dustbuster/stream/files\"",
		"cmd/dustbuster/main.go":       "// Dustbuster finds rules.\npackage main\n\nimport \"dustbuster/config\"\n\nconst a = \"--memory\"",
		"integration/x_test.go":        "package integration\n\nimport \"dustbuster/cmd/dustbuster\"",
		"stream/files/testdata/bad.go": "not code",
		ci:                             "ls " + foreign[0],
	} {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
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
		if !s.test && !within(s.folder, "cmd") && !within(s.folder, config) && !within(s.folder, "integration") {
			broken = append(broken, checkFlags(s)...)
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

func checkImports(s source) (broken []string) {
	from, known := floor(s.folder)
	for _, imported := range s.imports {
		to, own := strings.CutPrefix(imported, module)
		if !own || !known {
			continue
		}
		height, found := floor(to)
		switch {
		case !found:
			broken = append(broken, fmt.Sprintf("%s: imports %s, which has no floor", s.path, to))
		case within(to, config) && !within(s.folder, config) && !within(s.folder, "cmd"):
			broken = append(broken, fmt.Sprintf("%s: imports %s, which only cmd does", s.path, to))
		case within(s.folder, adminPath) && within(to, "stream"):
			broken = append(broken, fmt.Sprintf("%s: imports %s, but each package brings its own metrics and status", s.path, to))
		case height > from:
			broken = append(broken, fmt.Sprintf("%s: floor %d imports %s on floor %d", s.path, from, to, height))
		case within(to, oraclePath) && !s.test && !within(s.folder, oraclePath):
			broken = append(broken, fmt.Sprintf("%s: imports %s, which is for tests", s.path, to))
		}
	}
	return broken
}

func checkPurity(s source) (broken []string) {
	if s.test {
		return nil
	}
	for _, imported := range s.imports {
		if slices.ContainsFunc(impure, func(not string) bool {
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
			broken = append(broken, fmt.Sprintf("%s: a text names %s in line %d; cmd/dustbuster/advice.go is the place for flags", s.path, m[1], s.fset.Position(text.Pos()).Line))
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
		if _, ok := floor(folder); !ok {
			broken = append(broken, folder+": the folder has no floor")
		}
		if n != 1 {
			broken = append(broken, fmt.Sprintf("%s: %d package comments, want one", folder, n))
		}
	}
	slices.Sort(broken)
	return broken
}

// floor looks for the longest prefix of a folder that has a floor.
func floor(folder string) (height int, ok bool) {
	longest := ""
	for prefix := range floors {
		if within(folder, prefix) && len(prefix) > len(longest) {
			longest = prefix
		}
	}
	height, ok = floors[longest]
	return height, ok
}

func within(folder, prefix string) bool {
	return folder == prefix || strings.HasPrefix(folder, prefix+"/")
}
