package integration

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each unit is such as systemd takes, and confined. Its command is one of ours, and its configuration is
// such as the command takes.
func TestSystemd(t *testing.T) {
	t.Parallel()
	need(t, "systemd-analyze", "deploy/systemd is not checked")
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS("../deploy/systemd")))
	units, err := filepath.Glob(dir + "/*.service")
	must(t, err)
	for _, unit := range units {
		name := filepath.Base(unit)
		text := string(readFile(t, unit))
		command := regexp.MustCompile(`(?m)^ExecStart=/usr/bin/dustbuster (\w+) /etc/dustbuster/(\w+\.yml)$`).FindStringSubmatch(text)
		if command == nil {
			t.Fatalf("%s has no command of ours", name)
		}
		if notifies := command[1] != "subscribe"; strings.Contains(text, "\nType=notify\n") != notifies {
			t.Errorf("%s: dustbuster %s tells systemd when it is ready: %v", name, command[1], notifies)
		}
		must(t, os.WriteFile(unit, []byte(strings.ReplaceAll(text, "/usr/bin/dustbuster", program)), 0o600))
		for _, args := range [][]string{{"verify", "--man=no", unit}, {"security", "--offline=true", "--threshold=20", unit}} { // 20: an exposure of 2.0, of 10
			cmd := exec.Command("systemd-analyze", args...)
			cmd.Env = append(os.Environ(), "SYSTEMD_UNIT_PATH="+dir+":") // and the directories of the system
			if out, err := cmd.CombinedOutput(); err != nil || args[0] == "verify" && strings.Contains(string(out), "dustbuster") {
				t.Errorf("systemd-analyze %s %s: %v\n%s", args[0], name, err, out)
			}
		}
		path := filepath.Join(dir, command[2])
		succeed(t, exec.Command(program, "config", "check", path))
		succeed(t, exec.Command(program, command[1], path, "--help"))
	}
	if len(units) != 4 {
		t.Errorf("%d units, want 4", len(units))
	}
}

// The variables in the file of the brokers and secrets are settings: with them an agent asks the brokers.
func TestSystemdVariables(t *testing.T) {
	t.Parallel()
	names := regexp.MustCompile(`(?m)^#(DUSTBUSTER_\w+)=`).FindAllStringSubmatch(string(readFile(t, "../deploy/systemd/kafka.env")), -1)
	cmd := exec.Command(program, "config", "print", "--sources")
	for _, name := range names {
		value := map[string]string{"DUSTBUSTER_KEEP_HASH_KEY": hashKey}[name[1]]
		cmd.Env = append(cmd.Env, name[1]+"="+value)
	}
	if said := succeed(t, cmd); strings.Contains(said.stderr, "no settings") || len(names) != 3 {
		t.Errorf("%d variables: %v", len(names), said)
	}
}
