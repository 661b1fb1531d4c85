package tail_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dustbuster/stream/tail"
)

// The real logrotate runs with common settings.
func TestLogrotate(t *testing.T) {
	program, err := exec.LookPath("logrotate")
	if err != nil {
		if program = "/usr/sbin/logrotate"; !exists(program) {
			t.Skip("SKIPPED: logrotate is not installed: no real rotation is tried")
		}
	}
	su := "" // as root, logrotate refuses folders writable by others unless su names the user
	if os.Geteuid() == 0 {
		su = "su root root"
	}
	for _, cell := range []struct {
		name     string
		settings string
		lossy    bool
	}{
		{name: "create", settings: "create 0600\nrotate 50"},
		{name: "create, dateext", settings: "create 0600\nrotate 50\ndateext\ndateformat -%Y%m%d-%s"},
		{name: "compress", settings: "create 0600\nrotate 50\ncompress"},
		{name: "delaycompress", settings: "create 0600\nrotate 50\ncompress\ndelaycompress"},
		{name: "nocreate", settings: "nocreate\nrotate 50"},
		{name: "olddir", settings: "create 0600\nrotate 50\nolddir old"},
		{name: "copytruncate", settings: "copytruncate\nrotate 50", lossy: true},
		{name: "copytruncate, compress", settings: "copytruncate\nrotate 50\ncompress", lossy: true},
		{name: "copytruncate, delaycompress", settings: "copytruncate\nrotate 50\ncompress\ndelaycompress", lossy: true},
		{name: "extension, compress, few kept", settings: "create 0600\nrotate 3\nextension .log\ncompress"},
	} {
		for _, notify := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/notify %v", cell.name, notify), func(t *testing.T) {
				t.Parallel()
				dated, few := strings.Contains(cell.name, "dateext"), strings.Contains(cell.name, "few")
				runWay(t, way{
					lossy: cell.lossy,
					// If the renamed file is compressed at once, only a reader that
					// holds the file open can read the lines written in between.
					ready: few || cell.name == "compress",
					setup: func(w *world, o *tail.Options) { o.Elsewhere = []string{filepath.Join(w.dir, "old")} },
					begin: func(w *world) {
						w.reopen()
						w.check(os.Mkdir(filepath.Join(w.dir, "old"), 0o700))
						config := fmt.Sprintf("%s {\n%s\nsize 1\nmissingok\n%s\n}\n", w.path, cell.settings, su)
						w.check(os.WriteFile(filepath.Join(w.dir, "logrotate.conf"), []byte(config), 0o600))
					},
					rotate: func(w *world, c *consumer) {
						out, err := exec.Command(program, "-f", "-s", filepath.Join(w.dir, "state"), filepath.Join(w.dir, "logrotate.conf")).CombinedOutput()
						if dated && strings.Contains(string(out), "already exists") {
							time.Sleep(200 * time.Millisecond) // rotated names have a resolution of seconds
							return
						}
						if err != nil {
							t.Errorf("logrotate: %v: %s", err, out)
						}
						time.Sleep(time.Millisecond)
						if !cell.lossy {
							w.reopen()
						}
					},
				}, tail.Options{Poll: 20 * time.Millisecond, NoNotify: !notify, Grace: time.Second})
			})
		}
	}
}
