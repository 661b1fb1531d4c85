package daemon

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/cmd/dustbuster/internal/offline"
)

const windowsLine = `192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 100 "-" "Mozilla/5.0"` + "\n"

// openLog returns the path of a log that a server has open, and appends to.
func openLog(t *testing.T) (path string, server *os.File) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "access.log")
	server, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	must(t, err)
	t.Cleanup(func() { _ = server.Close() })
	_, err = server.WriteString(windowsLine)
	must(t, err)
	return path, server
}

// Commands that follow logs refuse to start, say what to do, and leave no file.
func TestWindowsDoesNotFollow(t *testing.T) {
	path, _ := openLog(t)
	for _, args := range [][]string{{"run", "--tail", path}, {"run", "--tail", "-"}, {"agent", "--tail", path, "--brokers", "127.0.0.1:1"}} {
		state := filepath.Join(t.TempDir(), "state")
		if args[0] == "run" {
			args = append(args, "--state", state)
		}
		var out, errs bytes.Buffer
		code := run(t.Context(), args, strings.NewReader(windowsLine), &out, &errs)
		if code != cli.ExitFailure || !strings.Contains(errs.String(), "not supported on Windows") || !strings.Contains(errs.String(), "dustbuster mine") {
			t.Errorf("%q ended with %d:\n%s", args, code, &errs)
		}
		if _, err := os.Stat(state); !os.IsNotExist(err) {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// The reason: a log that is open cannot be renamed, so a rotation by renaming would fail while a daemon follows the log.
func TestWindowsDoesNotRenameOpenLogs(t *testing.T) {
	path, server := openLog(t)
	must(t, server.Close())
	follower, err := os.Open(path)
	must(t, err)
	defer follower.Close()
	if err := os.Rename(path, path+".1"); err == nil {
		t.Error("an open log was renamed: following logs may work")
	}
}

// A log that a server has open is read like a finished one, and may go on meanwhile.
func TestWindowsReadsOpenLogs(t *testing.T) {
	path, server := openLog(t)
	root := cli.NewRoot(nil, offline.Commands()...)
	var out, errs bytes.Buffer
	if code := cli.Execute(t.Context(), root, []string{"mine", path}, nil, &out, &errs); code != 0 {
		t.Errorf("mine ended with %d:\n%s", code, &errs)
	}
	if _, err := server.WriteString(windowsLine); err != nil {
		t.Error(err)
	}
}
