package integration

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	action     = regexp.MustCompile(`(?m)^[- ]*uses: *(\S+)`)
	longMatrix = regexp.MustCompile(`name: \[([a-z, ]+)\]`)
	pinned     = regexp.MustCompile(`@(v\d+\.\d+\.\d+|[0-9a-f]{40})$`)
)

// A workflow names the whole version of each action, and a nightly one looks for vulnerabilities.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d workflows, %v", len(files), err)
	}
	for _, file := range files {
		text := string(readFile(t, file))
		for _, used := range action.FindAllStringSubmatch(text, -1) {
			if !pinned.MatchString(used[1]) {
				t.Errorf("%s: %s is not pinned: name its whole version, such as v1.2.3", file, used[1])
			}
		}
	}
	nightly, gate := string(readFile(t, "../.github/workflows/nightly.yml")), string(readFile(t, "../.github/workflows/ci.yml"))
	if !strings.Contains(nightly, "run: make vuln\n") || strings.Contains(gate, "make vuln") || !strings.Contains(string(readFile(t, "../Makefile")), "golang.org/x/vuln/cmd/govulncheck@v") {
		t.Error("govulncheck (make vuln) belongs into the nightly workflow: what others find must not stop a change")
	}
	for _, name := range strings.Split(strings.Join(captured(longMatrix, nightly), ", "), ", ") {
		if !strings.Contains(string(readFile(t, "long.sh")), name) {
			t.Errorf("the nightly workflow names the long test %q, which is not there", name)
		}
	}
}

// GitHub would take the workflows and the settings of dependabot.
func TestWorkflowSchemas(t *testing.T) {
	python := pythonWith(t, "check_jsonschema", "the files of .github are not validated")
	flows, err := filepath.Glob("../.github/workflows/*.yml")
	must(t, err)
	succeed(t, exec.Command(python, append([]string{"-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"}, flows...)...))
	succeed(t, exec.Command(python, "-m", "check_jsonschema", "--builtin-schema", "vendor.dependabot", "../.github/dependabot.yml"))
}

// git and crane stand for the network: tags with and without a note, and images.
const (
	fakeGit = `#!/bin/sh
[ "$2" != https://github.com/actions/gone ] || exit 0
printf '%040d\t%s\n' 1 "$3"
[ "$2" != https://github.com/actions/noted ] || printf '%040d\t%s\n' 2 "$4"
`
	fakeCrane = "#!/bin/sh\n[ $2 != missing:1 ] || exit 1\nprintf 'sha256:%064d\\n' 3\n"
)

// pin.sh writes what it has looked up, keeps the version beside it, and can be run again. What is not found is
// an error.
func TestPin(t *testing.T) {
	t.Parallel()
	const one, two = "0000000000000000000000000000000000000001", "0000000000000000000000000000000000000002"
	three := "@sha256:" + strings.Repeat("0", 63) + "3"
	script, err := filepath.Abs("../.github/pin.sh")
	must(t, err)
	dir := t.TempDir()
	file := func(name, text string) {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
	}
	file("bin/git", fakeGit)
	file("bin/crane", fakeCrane)
	file("docker-compose.yml", "services:\n  a:\n    image: dustbuster\n  b:\n    image: nginx:1.28-alpine\n")
	file("Dockerfile", "FROM golang:1.26 AS build\nRUN make\nFROM scratch\n")
	file("deploy/a/b.yaml", "      - image: busybox:1.37 # small\n      image: dustbuster:0.1.0\n      image: \"{{ .Values.image }}\"\n")
	pin := func() (string, error) {
		cmd := exec.Command("sh", script)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+dir+"/bin:"+os.Getenv("PATH"), "CRANE=crane")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, now := range []string{"v4.2.2", "v4.2.3"} { // a new version is looked up anew
		file(".github/workflows/a.yml", "steps:\n  - uses: actions/checkout@"+now+"\n  - uses: actions/noted/sub@v1.0.0\n    with: {}\n")
		for range 2 {
			if out, err := pin(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, c := range [][2]string{
				{".github/workflows/a.yml", "steps:\n  - uses: actions/checkout@" + one + " # " + now + "\n  - uses: actions/noted/sub@" + two + " # v1.0.0\n    with: {}\n"},
				{"docker-compose.yml", "services:\n  a:\n    image: dustbuster\n  b:\n    image: nginx:1.28-alpine" + three + "\n"},
				{"Dockerfile", "FROM golang:1.26" + three + " AS build\nRUN make\nFROM scratch\n"},
				{"deploy/a/b.yaml", "      - image: busybox:1.37" + three + " # small\n      image: dustbuster:0.1.0\n      image: \"{{ .Values.image }}\"\n"},
			} {
				if got := string(readFile(t, filepath.Join(dir, c[0]))); got != c[1] {
					t.Errorf("%s is\n%swant\n%s", c[0], got, c[1])
				}
			}
		}
	}
	file("Dockerfile", "FROM missing:1\n")
	if out, err := pin(); err == nil {
		t.Errorf("an image that is not there is no error\n%s", out)
	}
	file(".github/workflows/a.yml", "  - uses: actions/gone@v1.0.0\n")
	if out, err := pin(); err == nil || !strings.Contains(out, "actions/gone has no tag v1.0.0") {
		t.Errorf("an action that is not there: %v\n%s", err, out)
	}
}

// pythonWith is a Python that has a module.
func pythonWith(t *testing.T, module, undone string) string {
	t.Helper()
	python := cmp.Or(os.Getenv("DUSTBUSTER_PYTHON"), "python3")
	if out, err := exec.Command(python, "-c", "import "+module).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: %s has no %s (make deps, or name another in DUSTBUSTER_PYTHON): %s\n%s", python, module, undone, out)
	}
	return python
}
