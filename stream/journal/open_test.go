package journal

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func open(t testing.TB, o Options) *Journal {
	t.Helper()
	j, err := Open(o)
	must(t, err)
	must(t, load(j, func(*Entry) {}))
	return j
}

func TestOpenMakesWhatIsMissing(t *testing.T) {
	state := filepath.Join(t.TempDir(), "a", "b")
	j := open(t, Options{Dir: state})
	if !j.Found().Fresh {
		t.Error("not fresh")
	}
	must(t, errors.Join(j.Save(lines(0, 3)), j.Close()))
	for _, c := range []struct {
		name string
		want os.FileMode
	}{{"", 0o700}, {lockName, 0o600}, {journalName, 0o600}, {ackName, 0o600}} {
		info, err := os.Stat(filepath.Join(state, c.name))
		if err != nil || info.Mode().Perm() != c.want {
			t.Errorf("%q: %v, %v", c.name, info.Mode(), err)
		}
	}
	j = open(t, Options{Dir: state})
	if got := j.Found(); got != (Found{Frames: 1}) {
		t.Errorf("found %+v", got)
	}
	j.Close()
}

// Each reason for refusing a directory has its own kind and its own text.
func TestOpenRefuses(t *testing.T) {
	newer := (&fileHeader{}).encode()
	newer[8] = version + 1
	little.PutUint32(newer[12:], checksum(newer[:12]))
	older := slices.Clone(newer)
	older[8] = version - 1
	little.PutUint32(older[12:], checksum(older[:12]))
	for _, c := range []struct {
		name  string
		files map[string]string
		o     Options
		kind  error
		want  string
	}{
		{"foreign", map[string]string{journalName: "SQLite format 3\x00 and more"}, Options{}, ErrForeign, "journal is not a journal of this program; choose another state directory"},
		{"newer", map[string]string{journalName: string(newer)}, Options{}, ErrNewer, "journal is written by a newer version of this program: format 6, this program knows 5; run the newer"},
		{"older", map[string]string{journalName: string(older)}, Options{}, ErrOlder, "journal is written by an older version of this program: format 4, this program knows 5; choose another state directory"},
		{"empty", map[string]string{journalName: ""}, Options{}, ErrDamaged, "journal is damaged at offset 0: the file is empty; restore"},
		{"short", map[string]string{journalName: fileMagic}, Options{}, ErrDamaged, "journal is damaged at offset 0: the file ends within its header; restore"},
		{"pane", map[string]string{journalName: string((&fileHeader{pane: 7200}).encode())}, Options{Pane: 3600}, ErrPane, "journal is kept with another length of pane: 7200 seconds, not 3600; set the old"},
		{"key", map[string]string{journalName: string((&fileHeader{key: 1}).encode())}, Options{Key: 2}, ErrKey, "journal is kept under another key; set the old"},
		{"only the ack", map[string]string{ackName: string(ack{}.encode())}, Options{}, ErrMissing, "journal is missing: /state/journal.ack says that there was one; restore both"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemFS(1)
			for name, text := range c.files {
				m.put(dir+"/"+name, []byte(text))
			}
			c.o.Dir, c.o.FS = dir, m
			_, err := Open(c.o)
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), "state /state/"+c.want) {
				t.Error(err)
			}
			if m.locked || len(m.names) != len(c.files) {
				t.Error("left its traces")
			}
		})
	}
}

func TestOrderOfCalls(t *testing.T) {
	j, err := Open(Options{Dir: dir, FS: newMemFS(1)})
	must(t, err)
	for _, err := range []error{j.Save(nil), j.Compact(nil)} {
		if !errors.Is(err, errOrder) {
			t.Error(err)
		}
	}
	j.Close()
	if err := j.Close(); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
}

// holder is set in the environment of the second process of TestLock.
const holder = "JOURNAL_TEST_HOLDS"

func TestMain(m *testing.M) {
	if state := os.Getenv(holder); state != "" {
		_, err := Open(Options{Dir: state})
		fmt.Fprintln(os.Stdout, "opened:", err)
		_, _ = os.Stdin.Read(make([]byte, 1)) // until killed or until the parent is gone
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestLock(t *testing.T) {
	state := t.TempDir()
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), holder+"="+state)
	stdin, err := other.StdinPipe()
	must(t, err)
	defer stdin.Close()
	stdout, err := other.StdoutPipe()
	must(t, err)
	must(t, other.Start())
	var result string
	if _, err := fmt.Fscanln(stdout, new(string), &result); err != nil || result != "<nil>" {
		t.Fatal(result, err)
	}
	_, err = Open(Options{Dir: state})
	want := fmt.Sprintf("state %s is in use by another process: process %d; stop that process", state, other.Process.Pid)
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	must(t, other.Process.Kill())
	_ = other.Wait()
	j := open(t, Options{Dir: state})
	if _, err := Open(Options{Dir: state}); !errors.Is(err, ErrLocked) {
		t.Error("the same process opens twice:", err)
	}
	j.Close()
}
