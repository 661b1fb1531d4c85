package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// machine is a copy of this machine's file system, in which packages may be installed. Its
// processes share the network with this machine, and no service manager runs.
type machine struct {
	t     *testing.T
	root  string // what a process of the machine sees
	upper string // the files that differ from this machine's
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	dir := t.TempDir()
	mount(t, "tmpfs", dir, "tmpfs", 0, "")
	m := &machine{t: t, root: filepath.Join(dir, "root"), upper: filepath.Join(dir, "upper")}
	for _, name := range []string{"root", "upper", "work"} {
		must(t, os.Mkdir(filepath.Join(dir, name), 0o755))
	}
	mount(t, "overlay", m.root, "overlay", 0, "lowerdir=/,upperdir="+m.upper+",workdir="+filepath.Join(dir, "work"))
	mount(t, "/dev", m.path("/dev"), "", syscall.MS_BIND, "")
	mount(t, "proc", m.path("/proc"), "proc", 0, "")
	mount(t, "tmpfs", m.path("/run"), "tmpfs", 0, "mode=755")
	mount(t, "tmpfs", m.path("/tmp"), "tmpfs", 0, "mode=1777")
	return m
}

// mount mounts a file system until the end of the test, which is skipped without the right to.
func mount(t *testing.T, source, target, kind string, flags uintptr, options string) {
	t.Helper()
	if err := syscall.Mount(source, target, kind, flags, options); err != nil {
		t.Skipf("SKIPPED: mount %s on %s: %v; as root, no package is installed otherwise", source, target, err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(target, syscall.MNT_DETACH) })
}

// path returns where this machine finds a file of the other.
func (m *machine) path(name string) string { return filepath.Join(m.root, name) }

func (m *machine) read(name string) string {
	m.t.Helper()
	text, err := os.ReadFile(m.path(name))
	must(m.t, err)
	return string(text)
}

// write writes a file, and the folders above it.
func (m *machine) write(name, text string) {
	m.t.Helper()
	must(m.t, os.MkdirAll(filepath.Dir(m.path(name)), 0o755))
	must(m.t, os.WriteFile(m.path(name), []byte(text), 0o644))
}

func (m *machine) has(name string) bool {
	_, err := os.Lstat(m.path(name))
	return err == nil
}

// run runs a command of root's, which must succeed, and returns what it prints.
func (m *machine) run(args ...string) string {
	m.t.Helper()
	cmd := exec.Command("/usr/sbin/chroot", append([]string{m.root}, args...)...)
	cmd.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		m.t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// id returns the number of a name in /etc/passwd or /etc/group; ok is false if there is none.
func (m *machine) id(file, name string) (id uint32, ok bool) {
	m.t.Helper()
	for line := range strings.Lines(m.read(file)) {
		if fields := strings.Split(line, ":"); fields[0] == name {
			n, err := strconv.ParseUint(fields[2], 10, 32)
			must(m.t, err)
			return uint32(n), true
		}
	}
	return 0, false
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
