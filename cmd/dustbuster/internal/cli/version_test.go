package cli

import (
	"os"
	"strings"
	"testing"
)

// A release has its number, whatever else is recorded. The version is a token in any case.
func TestVersionOf(t *testing.T) {
	for _, c := range []struct{ release, recorded, want string }{
		{"0.1.0", "v0.1.1-0.20261124160414-20ecb88d8a27+dirty", "0.1.0"},
		{"0.1.0", "(devel)", "0.1.0"},
		{"", "v0.1.0", "0.1.0"}, // go install MODULE/cmd/dustbuster@v0.1.0
		{"", "v0.1.1-0.20261124160414-20ecb88d8a27+dirty", "0.1.1-0.20261124160414-20ecb88d8a27+dirty"},
		{"", "(devel)", "devel"},
		{"", "", "devel"},
	} {
		if got := versionOf(c.release, c.recorded); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.release, c.recorded, got, c.want)
		}
	}
}

// The number in VERSION is all that has to be changed for a release; the linker may set it in
// this package, and deploy/kubernetes names the image by it.
func TestVersionFile(t *testing.T) {
	text := func(path string) string {
		b, err := os.ReadFile("../../../../" + path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	number := strings.TrimSpace(text("VERSION"))
	if got := versionOf(number, ""); got != number {
		t.Errorf("VERSION has %q, which is no version", number)
	}
	for _, c := range []struct{ path, want string }{
		{"Makefile", "-X dustbuster/cmd/dustbuster/internal/cli.release=$(NUMBER)"},
		{"Dockerfile", "make build"},
		{"deploy/kubernetes/sidecar.yaml", "image: dustbuster:" + number + "\n"},
	} {
		if !strings.Contains(text(c.path), c.want) {
			t.Errorf("%s does not hold %q", c.path, c.want)
		}
	}
}
