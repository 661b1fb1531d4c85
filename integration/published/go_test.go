package published

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// crawler is all that a crawler in Go needs.
const crawler = `package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"

	"` + path + `/stream/rules"
)

func main() {
	list, err := rules.Open(context.Background(), "rules.jsonl")
	if err != nil {
		log.Fatal(err)
	}
	var live rules.Live
	if err := live.Set(list); err != nil {
		log.Fatal(err)
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		key, _ := live.Canonical(in.Text())
		fmt.Println(key)
	}
}
`

// Another module installs the program and imports the public packages. The packages bring no library
// of the learners, and only the one for the topic brings a client of Kafka.
func TestGo(t *testing.T) {
	s := shell{t, t.TempDir(), goEnvironment(t)}
	s.env = append(s.env, "GOBIN="+filepath.Join(s.dir, "bin"))
	v := "v" + version()
	s.run("", "go", "install", path+"/cmd/dustbuster@"+v)
	if got := s.run("", filepath.Join(s.dir, "bin", "dustbuster"), "version"); got != "dustbuster "+version()+"\n" {
		t.Errorf("the program says %q", got)
	}
	s.write("main.go", crawler)
	s.write("rules.jsonl", list)
	s.run("", "go", "mod", "init", "crawler.example/crawler")
	for _, p := range public(t) {
		s.run("", "go", "get", path+"/"+p+"@"+v)
		deps := s.run("", "go", "list", "-deps", path+"/"+p)
		for _, library := range []string{"gonum.org/", "segmentio/kafka-go", "github.com/prometheus/", "go.uber.org/zap"} {
			if strings.Contains(deps, library) && (library != "segmentio/kafka-go" || p != "stream/subscribe") {
				t.Errorf("%s brings %s", p, library)
			}
		}
	}
	if got := s.run(urls, "go", "run", "."); got != want {
		t.Errorf("the crawler prints %q, want %q", got, want)
	}
	if got := s.run("", "go", "test", "-run", "Conformance", "-v", path+"/operators/rule/canon"); !strings.Contains(got, "--- PASS: TestConformance") {
		t.Errorf("no conformance: %s", got)
	}
}

// goEnvironment publishes the copy as a proxy of modules does, and returns the environment of a
// machine that has never seen it. Other modules come from this machine's cache.
func goEnvironment(t *testing.T) []string {
	t.Helper()
	home := filepath.Join(scratch, "go")
	versions := filepath.Join(home, "proxy", filepath.FromSlash(path), "@v")
	must(t, os.MkdirAll(versions, 0o755))
	v := module.Version{Path: path, Version: "v" + version()}
	f, err := os.Create(filepath.Join(versions, v.Version+".zip"))
	must(t, err)
	must(t, zip.CreateFromDir(f, v, copied(t)))
	must(t, f.Close())
	mod, err := os.ReadFile(filepath.Join(copied(t), "go.mod"))
	must(t, err)
	for _, c := range []struct{ name, text string }{
		{"list", v.Version + "\n"},
		{v.Version + ".info", fmt.Sprintf(`{"Version":%q}`, v.Version)},
		{v.Version + ".mod", string(mod)},
	} {
		must(t, os.WriteFile(filepath.Join(versions, c.name), []byte(c.text), 0o644))
	}
	here := shell{t, ".", nil}
	variable := func(name string) string { return strings.TrimSpace(here.run("", "go", "env", name)) }
	return []string{
		"GOPROXY=file://" + filepath.Join(home, "proxy") + ",file://" + filepath.Join(variable("GOMODCACHE"), "cache", "download") + "," + variable("GOPROXY"),
		"GONOSUMDB=" + host, "GOMODCACHE=" + filepath.Join(home, "cache"),
		"GOFLAGS=-modcacherw -trimpath", "GOWORK=off",
	}
}

// row finds a public package in docs/crawlers.md.
var row = regexp.MustCompile("(?m)^\\| `((?:operators|stream)/[a-z/]+)`")

// public returns the public packages.
func public(t *testing.T) (packages []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/crawlers.md")
	must(t, err)
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		packages = append(packages, m[1])
	}
	if len(packages) == 0 {
		t.Fatal("docs/crawlers.md lists no packages")
	}
	return packages
}
