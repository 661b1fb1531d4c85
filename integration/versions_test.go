package integration

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// packageVersion finds the version in a file that describes a package of an applier.
var packageVersion = regexp.MustCompile(`(?m)^version = "(.*)"$|^  "version": "(.*)"|<artifactId>dustbuster-rules(?:-parent)?</artifactId>\s*<version>(.*)</version>`)

// The packages of all appliers have the version of the program.
func TestVersions(t *testing.T) {
	want := strings.TrimSpace(string(readFile(t, "../VERSION")))
	poms, err := filepath.Glob("../sinks/appliers/java/*/pom.xml")
	must(t, err)
	files := append(poms, "../sinks/appliers/java/pom.xml", "../sinks/appliers/java/README.md", "../sinks/appliers/python/pyproject.toml", "../sinks/appliers/javascript/package.json")
	for _, file := range files {
		if m := packageVersion.FindStringSubmatch(string(readFile(t, file))); m == nil || m[1]+m[2]+m[3] != want {
			t.Errorf("%s has the version %q, and VERSION has %s: make version writes it", file, m, want)
		}
	}
	if len(files) < 8 {
		t.Errorf("%d files", len(files))
	}
}
