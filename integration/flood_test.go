package integration

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// floodMemory is how much memory the daemon has in a flood.
var floodMemory = flag.Int("floodmemory", 256, "MiB of memory that the daemon has in TestFloods")

// floods are whole windows of URLs that nobody asked for before, in which a real
// site goes on as always: request i of all, at its share of a day. Without -long an eighth of the
// requests is made.
var floods = map[string]struct {
	lines int
	host  func(i int) string
	url   func(rng *rand.Rand, i int) string
}{
	"a day of 14.6 new URLs a second": {1_260_000, func(int) string { return "flood.example" },
		func(rng *rand.Rand, i int) string {
			return fmt.Sprintf("/search?q=%x&page=%d&s=%x", rng.Uint64()>>24, i%9, rng.Uint64()>>16)
		}},
	"40 hosts of 100,000 URLs": {4_000_000, func(i int) string { return fmt.Sprintf("h%d.example", i%40) },
		func(rng *rand.Rand, i int) string { return fmt.Sprintf("/item/%d/%x?c=%d", i/40, rng.Uint32(), i%20) }},
}

// In a cgroup, the daemon lives through a flood that is written at once, is killed,
// and lives through the start after it; the rules of a site beside it stay.
func TestFloods(t *testing.T) {
	t.Parallel()
	for name, f := range floods {
		t.Run(name, func(t *testing.T) {
			dir, lines := t.TempDir(), f.lines
			if !*long {
				lines /= 8
			}
			log, state := filepath.Join(dir, "access.log"), filepath.Join(dir, "state")
			writeLines(t, log, func(w *bufio.Writer) {
				rng := rand.New(rand.NewPCG(1, 1))
				for i := range lines {
					if i%1000 == 0 {
						k := i / 1000 % 100
						floodLine(w, "real.example", fmt.Sprintf("/story?id=%d", k), 1000+97*k, i, lines)
						floodLine(w, "real.example", fmt.Sprintf("/story_%d", k), 1000+97*k, i, lines)
					}
					floodLine(w, f.host(i), f.url(rng, i), 2000+rng.IntN(50_000), i, lines)
				}
			})
			group := newCgroup(t, *floodMemory<<20)
			var rules [2]string
			for start := range rules {
				rules[start] = group.rulesOf(t, "real.example", log, state)
			}
			if rules[0] == "" || rules[0] != rules[1] {
				t.Errorf("rules in the flood:\n%s\nafter the start:\n%s", rules[0], rules[1])
			}
		})
	}
}

// floodLine writes request i of n that are spread over a day.
func floodLine(w *bufio.Writer, host, url string, size, i, n int) {
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * (24 * time.Hour / time.Duration(n)))
	fmt.Fprintf(w, "%s 192.0.2.%d - - [%s] \"GET %s HTTP/1.1\" 200 %d \"-\" \"-\"\n", host, i%251, at.Format("02/Jan/2006:15:04:05 -0700"), url, size)
}

func writeLines(t *testing.T, path string, write func(*bufio.Writer)) {
	t.Helper()
	f, err := os.Create(path)
	must(t, err)
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	if write(w); w.Flush() != nil {
		t.Fatal("cannot write the log")
	}
}

// cgroup is a control group that bounds the memory, or where none can be made, a
// bound that is watched.
type cgroup struct {
	dir   string // "": none
	bytes int
}

// newCgroup makes a control group of version 1 or 2.
func newCgroup(t *testing.T, bytes int) *cgroup {
	t.Helper()
	g := &cgroup{bytes: bytes}
	_ = set("/sys/fs/cgroup/cgroup.subtree_control", "+memory") // version 2
	for _, c := range []struct{ base, limit string }{{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, {"/sys/fs/cgroup", "memory.max"}} {
		dir := filepath.Join(c.base, fmt.Sprintf("dustbuster-flood-%d-%d", os.Getpid(), rand.Uint32()))
		if os.Mkdir(dir, 0o700) != nil {
			continue
		}
		t.Cleanup(func() {
			if err := os.Remove(dir); err != nil {
				t.Error(err)
			}
		})
		if set(filepath.Join(dir, c.limit), fmt.Sprint(bytes)) == nil {
			g.dir = dir
			return g
		}
	}
	t.Log("NO CGROUP could be made here (that takes root): the daemon is told its memory with GOMEMLIMIT, and its resident memory is looked at")
	return g
}

// set writes to a file that the kernel must have made.
func set(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// command is the program with arguments, in the group.
func (g *cgroup) command(args ...string) *exec.Cmd {
	if g.dir == "" {
		cmd := exec.Command(program, args...)
		cmd.Env = append(os.Environ(), fmt.Sprintf("GOMEMLIMIT=%dB", g.bytes*9/10))
		return cmd
	}
	return exec.Command("sh", append([]string{"-c", `echo $$ >"$0/cgroup.procs" && exec "$@"`, g.dir, program}, args...)...)
}

// rulesOf runs the daemon in the group until it has told the rules of a site, kills
// it, and returns them.
func (g *cgroup) rulesOf(t *testing.T, site, log, state string) (rules string) {
	t.Helper()
	file := filepath.Join(state, "rules.jsonl")
	_ = os.Remove(file)
	d := begin(t, "the daemon", g.command("run", "--tail", log, "--state", state, "--admin-listen", "", "--no-withhold"))
	await(t, 4*patience, "rules", func() (any, bool) {
		d.signal(t, syscall.Signal(0)) // it has not ended
		_, err := os.Stat(file)
		return err, err == nil
	}, d)
	if peak := peakOf(d.pid()); peak > g.bytes {
		t.Errorf("%d bytes were resident, of %d", peak, g.bytes)
	}
	d.kill(t)
	all, _ := os.ReadFile(file)
	for line := range strings.Lines(string(all)) {
		if strings.Contains(line, fmt.Sprintf(`"site":%q`, site)) {
			rules += line
		}
	}
	return rules
}

// peakOf is the most memory that a process has had resident; 0: not known.
func peakOf(pid int) (bytes int) {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if _, rest, ok := strings.Cut(string(status), "VmHWM:"); ok {
		if _, err := fmt.Sscan(rest, &bytes); err != nil {
			return 0
		}
	}
	return bytes << 10
}
