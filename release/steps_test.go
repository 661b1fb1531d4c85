package release

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// output runs a command in a folder, with more variables, and returns all that it prints.
func output(dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// checkout is a copy of what the steps read, as a repository of git with one commit.
func checkout(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	out, err := output("..", nil, "sh", "-c", `tar --exclude=target --exclude=node_modules -cf - VERSION CHANGELOG.md LICENSE release deploy docs/install.md sinks/appliers integration/examples/java | tar -xf - -C "$1"
		cd "$1" && sed -i '/^## /s/, not released yet/, 2031-01-01/' CHANGELOG.md && printf 'dist\nbin\n' >.gitignore && mkdir bin
		git init -q && git add -A && git -c user.name=n -c user.email=n@example.org commit -qm m`, "sh", dir)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// A tag must be the version, which documents, packages and the changelog have.
func TestStepTag(t *testing.T) {
	now := number(t)
	for _, c := range []struct{ name, tag, change, says string }{
		{"right", "v" + now, "true", ""},
		{"another", "v9.9.9", "true", "the tag is v9.9.9, and VERSION has " + now},
		{"none", "", "true", "the tag is missing"},
		{"no v", now, "true", "tag v" + now},
		{"a document is older", "v" + now, "sed -i s/dustbuster_" + now + "/dustbuster_0.0.1/ docs/install.md", "run make version"},
		{"the chart is older", "v" + now, "sed -i 's/^version: .*/version: 0.0.1/' deploy/helm/dustbuster/Chart.yaml", "run make version"},
		{"no date", "v" + now, "sed -i 's/2031-01-01/not released yet/' CHANGELOG.md", "is not released: give its date"},
		{"a longer number is another", "v" + now, "sed -i 's/^## " + now + "/&.1/' CHANGELOG.md", "says nothing of " + now},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := checkout(t)
			out, err := output(dir, nil, "sh", "-c", c.change+" && git -c user.name=n -c user.email=n@example.org commit -qam m --allow-empty && sh release/steps.sh tag "+c.tag)
			if (err == nil) != (c.says == "") || !strings.Contains(out, c.says) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// What make release builds is whole, and is attached as a draft. What is not whole is not.
func TestStepPublish(t *testing.T) {
	deb(t) // skips without a release
	now, bin := number(t), t.TempDir()
	must(t, os.WriteFile(filepath.Join(bin, "gh"), []byte("#!/bin/sh\nprintf '%s\\n' \"$@\"\ncat bin/notes.md\n"), 0o755))
	env := []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "TARGETS=linux/" + runtime.GOARCH}
	for _, c := range []struct{ name, change, says string }{
		{"whole", "true", ""},
		{"a byte more", "echo >>dist/dustbuster_" + now + "_linux_" + runtime.GOARCH + ".cdx.json", "files differ from SHA256SUMS"},
		{"no package", "rm dist/*.deb && sed -i /deb$/d dist/SHA256SUMS", "dist lacks dustbuster_" + now + "_" + runtime.GOARCH + ".deb"},
		{"a system is missing", "export TARGETS=plan9/mips", "dist lacks dustbuster_" + now + "_plan9_mips.tar.gz"},
		{"a checksum is missing", "sed -i /tgz$/d dist/SHA256SUMS", "dist lacks dustbuster-" + now + ".tgz, or its checksum"},
		{"another version", "echo 9.9.9 >VERSION", "dist lacks dustbuster_9.9.9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := checkout(t)
			out, err := output(".", nil, "cp", "-R", "../dist", dir)
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			out, err = output(dir, env, "sh", "-c", c.change+" && sh release/steps.sh publish")
			if (err == nil) != (c.says == "") || !strings.Contains(out, c.says) {
				t.Errorf("%v\n%s", err, out)
			}
			for _, want := range []string{"\n--draft\n", "\n--verify-tag\n", "/SHA256SUMS\n", ".deb\n", ".rb\n", ".tgz\n", "### "} {
				if c.says == "" && !strings.Contains(out, want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
		})
	}
}

// The formula has the archives that there are, with their checksums, and Ruby reads it.
func TestFormula(t *testing.T) {
	if _, err := exec.LookPath("ruby"); err != nil {
		t.Skipf("SKIPPED: %v: no formula is read", err)
	}
	now, block := number(t), regexp.MustCompile(`(?s)url "([^"]*)"\s*sha256 "([0-9a-f]{64})"`)
	for _, kinds := range [][]string{{"linux_amd64"}, {"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64"}} {
		dir := t.TempDir()
		for _, kind := range append(kinds, "windows_amd64") {
			must(t, os.WriteFile(filepath.Join(dir, "dustbuster_"+now+"_"+kind+".tar.gz"), []byte(kind), 0o600))
		}
		text, err := output("..", []string{"RELEASE_URL=https://r.example/d"}, "sh", "release/formula.sh", dir)
		must(t, err)
		file := filepath.Join(dir, "dustbuster.rb")
		must(t, os.WriteFile(file, []byte(text), 0o600))
		if out, err := output(".", nil, "ruby", "-wc", file); err != nil || out != "Syntax OK\n" {
			t.Errorf("%v %s\n%s", err, out, text)
		}
		found := block.FindAllStringSubmatch(text, -1)
		if len(found) != len(kinds) {
			t.Errorf("%d archives of %d:\n%s", len(found), len(kinds), text)
		}
		for i, kind := range []string{"darwin_arm64", "darwin_amd64", "linux_arm64", "linux_amd64"}[4-max(1, len(found)):] {
			want := fmt.Sprintf("%x", sha256.Sum256([]byte(kind)))
			if len(found) <= i || found[i][1] != "https://r.example/d/dustbuster_"+now+"_"+kind+".tar.gz" || found[i][2] != want {
				t.Errorf("%s is %q", kind, found)
			}
		}
	}
}

// APT installs the package from a signed folder, upgrades to a newer one, and refuses what was changed after it
// was signed.
func TestApt(t *testing.T) {
	for _, tool := range []string{"apt-ftparchive", "gpg", "apt-get", "chroot"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: %v: no repository is made", err)
		}
	}
	now, m, home := deb(t), newMachine(t), t.TempDir()
	must(t, os.Chmod(home, 0o700))
	env := []string{"GNUPGHOME=" + home}
	made := func(from string) {
		t.Helper()
		if out, err := output("..", env, "sh", "release/apt.sh", from, m.path("/srv/apt"), "apt@example.org"); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	if out, err := output(".", env, "gpg", "--batch", "--passphrase", "", "--quick-gen-key", "apt@example.org", "ed25519", "sign"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Cleanup(func() { _, _ = output(".", env, "gpgconf", "--kill", "gpg-agent") })
	first, second := t.TempDir(), t.TempDir()
	name := "dustbuster_0.0.1_" + runtime.GOARCH + ".deb"
	must(t, os.Rename(older(t, now), filepath.Join(first, name)))
	must(t, os.CopyFS(second, os.DirFS(filepath.Dir(now))))
	made(first)
	m.write("/etc/apt/sources.list.d/dustbuster.list", "deb [signed-by=/srv/apt/dustbuster.gpg] file:/srv/apt stable main\n")
	apt := []string{"apt-get", "-q", "-o", "APT::Sandbox::User=root", "-o", "Dir::Etc::sourcelist=sources.list.d/dustbuster.list", "-o", "Dir::Etc::sourceparts=-"}
	m.run(append(apt, "update")...)
	m.run(append(apt, "install", "-y", "dustbuster")...)
	if got := m.run("dpkg-query", "-W", "-f", "${Version}", "dustbuster"); got != "0.0.1" {
		t.Errorf("the version is %q", got)
	}
	made(second)
	m.run(append(apt, "update")...)
	m.run(append(apt, "upgrade", "-y")...)
	if got := m.run("dustbuster", "version"); got != "dustbuster "+number(t)+"\n" {
		t.Errorf("the program is %q", got)
	}
	release := m.read("/srv/apt/dists/stable/InRelease")
	m.write("/srv/apt/dists/stable/InRelease", strings.Replace(release, "Suite: stable", "Suite: staple", 1))
	if out, err := output("/", nil, "chroot", append([]string{m.root}, append(apt, "-o", "APT::Update::Error-Mode=any", "update")...)...); err == nil {
		t.Errorf("a release with another text is taken:\n%s", out)
	}
}
