package release

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience bounds the wait for what must happen.
const patience = time.Minute

// service is a unit that runs as systemd would run it, as far as that needs no systemd: under its user
// and groups, with its environment, its mask and the folders that it asks for.
type service struct {
	t   *testing.T
	cmd *exec.Cmd
	log chan string // lines; closed at the end
}

// unit returns the settings of the section Service, each with its values.
func (m *machine) unit(name string) map[string][]string {
	m.t.Helper()
	settings := map[string][]string{}
	_, text, _ := strings.Cut(m.read("/usr/lib/systemd/system/"+name), "\n[Service]\n")
	text, _, _ = strings.Cut(text, "\n[")
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && key[0] != '#' {
			settings[key] = append(settings[key], value)
		}
	}
	return settings
}

// start runs the service, with more variables, until it says that it is ready.
func (m *machine) start(env ...string) *service {
	m.t.Helper()
	unit := m.unit("dustbuster.service")
	one := func(key string) string {
		if len(unit[key]) != 1 {
			m.t.Fatalf("the unit has %d times %s", len(unit[key]), key)
		}
		return unit[key][0]
	}
	user, known := m.id("/etc/passwd", one("User"))
	group, grouped := m.id("/etc/group", one("Group"))
	more, _ := m.id("/etc/group", one("SupplementaryGroups"))
	if !known || !grouped {
		m.t.Fatal("the package has made no user, or no group")
	}
	m.run("install", "-d", "-m", one("StateDirectoryMode"), "-o", one("User"), "-g", one("Group"), "/var/lib/"+one("StateDirectory"))
	m.run("install", "-d", "-m", one("LogsDirectoryMode"), "-o", one("User"), "-g", one("Group"), "/var/log/"+one("LogsDirectory"))

	ready, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: m.path("/run/notify"), Net: "unixgram"})
	must(m.t, err)
	defer ready.Close()
	must(m.t, os.Chmod(m.path("/run/notify"), 0o666))

	cmd := exec.Command("/bin/sh", append([]string{"-c", "umask " + one("UMask") + ` && exec "$@"`, "sh"}, strings.Fields(one("ExecStart"))...)...)
	cmd.Dir = "/"
	cmd.Env = append(append([]string{"NOTIFY_SOCKET=/run/notify"}, unit["Environment"]...), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: m.root, Pdeathsig: syscall.SIGKILL,
		Credential: &syscall.Credential{Uid: user, Gid: group, Groups: []uint32{more}}}
	s := &service{m.t, cmd, make(chan string, 1000)}
	stderr, err := cmd.StderrPipe()
	must(m.t, err)
	must(m.t, cmd.Start())
	m.t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended by then, or the test has failed
	go func() {
		defer close(s.log)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			s.log <- lines.Text()
		}
	}()
	must(m.t, ready.SetDeadline(time.Now().Add(patience)))
	said := make([]byte, 100)
	n, err := ready.Read(said)
	if err != nil || string(said[:n]) != "READY=1" {
		s.stop()
		m.t.Fatalf("the service says %q, %v", said[:n], err)
	}
	must(m.t, os.Remove(m.path("/run/notify")))
	return s
}

// await waits until look returns true.
func (s *service) await(what string, look func() bool) {
	s.t.Helper()
	for begin := time.Now(); !look(); time.Sleep(50 * time.Millisecond) {
		if time.Since(begin) > patience {
			s.t.Fatalf("no %s after %v:\n%s", what, patience, s.stop())
		}
	}
}

// stop ends the service, and returns its log.
func (s *service) stop() string {
	s.t.Helper()
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // it may have ended: Wait says how
	var log strings.Builder
	for line := range s.log {
		log.WriteString(line + "\n")
	}
	if err := s.cmd.Wait(); err != nil {
		s.t.Errorf("the service ends with %v:\n%s", err, &log)
	}
	return log.String()
}
