package integration

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Nobody owns the libraries' names in registries: whoever installs by such a name may get
// another's package.
func TestDocsInstallFromARelease(t *testing.T) {
	byName := regexp.MustCompile(`(pip|npm) install [^\n]*[ '"]dustbuster-rules`)
	files, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, "../README.md", "../sinks/appliers/README.md", "../sinks/appliers/python/README.md", "../sinks/appliers/javascript/README.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if line := byName.Find(text); line != nil {
			t.Errorf("%s: %s", name, line)
		}
	}
}

// A release without the tools that build the libraries says how to get them, before it builds.
func TestReleaseNeedsDeps(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("needs make")
	}
	cmd := exec.Command("make", "release", "VENV="+t.TempDir())
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "run make deps first") {
		t.Errorf("%v\n%s", err, out)
	}
}
