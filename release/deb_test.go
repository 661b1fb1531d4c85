package release

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func number(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../VERSION")
	must(t, err)
	return strings.TrimSpace(string(text))
}

// deb returns the package for this machine.
func deb(t *testing.T) string {
	t.Helper()
	path := "../dist/dustbuster_" + number(t) + "_" + runtime.GOARCH + ".deb"
	if _, err := os.Stat(path); err != nil {
		t.Skipf("SKIPPED: %v; make installed builds it", err)
	}
	return path
}

// older makes a package of an older version with the same files.
func older(t *testing.T, deb string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "older")
	out, err := exec.Command("sh", "-c", `dpkg-deb -R "$1" "$2" && sed -i 's/^Version: .*/Version: 0.0.1/' "$2/DEBIAN/control" && dpkg-deb -Znone -b "$2" "$2.deb"`, "sh", deb, dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir + ".deb"
}

// quick are settings that only make the test quick: by default, pages are a second apart.
var quick = []string{"DUSTBUSTER_VALIDATE_DELAY=5ms", "DUSTBUSTER_PACE_REFINE_INTERVAL=200ms", "DUSTBUSTER_ADMIN_LISTEN=127.0.0.1:0"}

// The package of Debian is installed, told the server by one line, run as its unit says, upgraded,
// removed and purged.
func TestDeb(t *testing.T) {
	for _, tool := range []string{"dpkg", "dpkg-deb", "chroot"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: %v", err)
		}
	}
	now, m, site := deb(t), newMachine(t), newSite(t)
	before := m.read("/etc/passwd") + m.read("/etc/group")
	m.write("/var/log/nginx/access.log", accessLog())

	m.install(older(t, now))
	m.started(t)

	configure(t, m, site.URL)
	s := m.start(quick...)
	s.await("published rule", func() bool {
		text, _ := os.ReadFile(m.path("/var/lib/dustbuster/rules.jsonl")) // not yet
		return strings.Contains(string(text), `"params":["ref"]`) && strings.Contains(string(text), `"state":"valid"`)
	})
	s.stop()
	agents(t, site)

	m.install(now)
	if got := m.run("dustbuster", "version"); got != "dustbuster "+number(t)+"\n" {
		t.Errorf("the program is %q", got)
	}
	rules := m.read("/var/lib/dustbuster/rules.jsonl")
	log := m.start(quick...).stop()
	if !strings.Contains(log, "state restored") || !strings.Contains(log, `"published_rules":1`) && !strings.Contains(log, "published_rules=1") {
		t.Errorf("the new version does not know the old state:\n%s", log)
	}
	if got := m.read("/var/lib/dustbuster/rules.jsonl"); !strings.Contains(got, `"params":["ref"]`) {
		t.Errorf("the rules were\n%sand after the upgrade\n%s", rules, got)
	}

	m.run("dpkg", "-r", "dustbuster")
	for _, c := range []struct {
		name string
		want bool
	}{{"/usr/bin/dustbuster", false}, {"/usr/lib/systemd/system/dustbuster.service", false},
		{"/usr/lib/systemd/system/dustbuster-agent.service", false}, {"/usr/lib/systemd/system/dustbuster-.service.d", false}, {"/etc/dustbuster/kafka.env", true},
		{"/etc/dustbuster/dustbuster.yml", true}, {"/var/lib/dustbuster/state/journal", true}} {
		if m.has(c.name) != c.want {
			t.Errorf("after the removal, %s is there: %v", c.name, !c.want)
		}
	}
	m.run("dpkg", "-P", "dustbuster")
	if after := m.read("/etc/passwd") + m.read("/etc/group"); after != before {
		t.Errorf("users were\n%sand are\n%s", before, after)
	}
	m.left()
}

func (m *machine) install(deb string) {
	m.t.Helper()
	text, err := os.ReadFile(deb)
	must(m.t, err)
	m.write("/tmp/dustbuster.deb", string(text))
	m.run("dpkg", "-i", "/tmp/dustbuster.deb")
}

// started checks that the service starts with the configuration of the package, and what it says.
func (m *machine) started(t *testing.T) {
	t.Helper()
	if got := m.run("stat", "-c", "%U %G %a", "/var/lib/dustbuster", "/var/log/dustbuster"); got != "dustbuster dustbuster 750\ndustbuster dustbuster 750\n" {
		t.Errorf("the folders belong to\n%s", got)
	}
	for _, name := range []string{"/usr/share/man/man1/dustbuster-run.1.gz", "/usr/share/bash-completion/completions/dustbuster",
		"/usr/share/doc/dustbuster/copyright", "/usr/share/doc/dustbuster/NOTICE"} {
		if !m.has(name) {
			t.Errorf("%s is missing", name)
		}
	}
	for _, name := range []string{"dustbuster", "agent", "miner", "subscriber"} {
		m.run("dustbuster", "config", "check", "/etc/dustbuster/"+name+".yml")
	}
	if got := m.run("stat", "-c", "%U %a", "/etc/dustbuster/kafka.env"); got != "root 600\n" {
		t.Errorf("the file of the secrets belongs to %s", got)
	}
	if log := m.start(quick...).stop(); !strings.Contains(log, "following logs") {
		t.Errorf("the service says\n%s", log)
	}
	if _, err := exec.LookPath("systemctl"); err == nil {
		m.run("systemctl", "enable", "dustbuster.service", "dustbuster-agent.service") // the removal must undo this
	}
}

// configure sets the one line that has rules tried: the server of the site.
func configure(t *testing.T, m *machine, origin string) {
	t.Helper()
	const path = "/etc/dustbuster/dustbuster.yml"
	old := m.read(path)
	text := strings.Replace(old, "  # origin: http://127.0.0.1\n", "  origin: "+origin+"\n", 1)
	if text == old {
		t.Fatalf("%s has no line for the origin", path)
	}
	m.write(path, text)
}

// agents checks that the site was asked by this version and nobody else.
func agents(t *testing.T, s *site) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.agents["dustbuster/"+number(t)] == 0 || len(s.agents) != 1 {
		t.Errorf("the site was asked by %v", s.agents)
	}
}

// left checks that no file of the package is left.
func (m *machine) left() {
	m.t.Helper()
	must(m.t, filepath.WalkDir(m.upper, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type() != fs.ModeDevice|fs.ModeCharDevice && strings.Contains(d.Name(), "dustbuster") { // a device stands for a file that was removed
			m.t.Errorf("%s is left", strings.TrimPrefix(path, m.upper))
		}
		return err
	}))
}
