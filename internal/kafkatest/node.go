package kafkatest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// node is a running broker: a shell that kills it when its own input ends.
type node struct {
	shell *exec.Cmd
	input io.Closer
	pid   int
}

// supervise starts a broker and prints its process id. When the input ends, as with the test,
// however that ends, it kills the broker, and removes its data unless there is a file keep.
const supervise = `
log=$1; shift
java "$@" >>"$log" 2>&1 </dev/null &
echo $!
cat >/dev/null
kill -9 $! 2>/dev/null
[ -e "$(dirname "$log")"/../keep ] || { rm -rf "$(dirname "$log")"; rmdir "$(dirname "$(dirname "$log")")" 2>/dev/null; }`

// run starts a node and waits until it serves.
func (c *Cluster) run(n int) error {
	dir := c.folder(n)
	log := filepath.Join(dir, "log")
	if err := os.WriteFile(log, nil, 0o600); err != nil {
		return err
	}
	shell := exec.Command("sh", "-c", supervise, "kafka", log,
		"-Xms"+c.heap, "-Xmx"+c.heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
		"-Dlog4j2.configurationFile=file:"+filepath.Join(dir, "log4j2.properties"),
		"-cp", filepath.Join(c.libs, "*"), "kafka.Kafka", filepath.Join(dir, "server.properties"))
	detach(shell)
	input, err := shell.StdinPipe()
	if err != nil {
		return err
	}
	output, err := shell.StdoutPipe()
	if err != nil {
		return err
	}
	if err := shell.Start(); err != nil {
		return err
	}
	said, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(said))
	if err != nil {
		return err
	}
	c.nodes[n-1] = &node{shell: shell, input: input, pid: pid}
	for range 1800 {
		text, err := os.ReadFile(log)
		if err != nil {
			return err
		}
		if bytes.Contains(text, []byte("Kafka Server started")) {
			return nil
		}
		if send(pid, 0) != nil {
			return fmt.Errorf("node %d died:\n%s", n, text[max(0, len(text)-4000):])
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("node %d is not ready after three minutes; its log is %s", n, log)
}

// Kill ends a node at once, as a crash does. Its data stays.
func (c *Cluster) Kill(t testing.TB, node int) { t.Helper(); c.signal(t, node, syscall.SIGKILL) }

// Stop ends a node in order. Its data stays.
func (c *Cluster) Stop(t testing.TB, node int) { t.Helper(); c.signal(t, node, syscall.SIGTERM) }

// Pause stops a node's process until Resume.
func (c *Cluster) Pause(t testing.TB, node int) {
	t.Helper()
	if err := send(c.nodes[node-1].pid, stop); err != nil {
		t.Fatal(err)
	}
}

// Resume undoes Pause.
func (c *Cluster) Resume(t testing.TB, node int) {
	t.Helper()
	if err := send(c.nodes[node-1].pid, resume); err != nil {
		t.Fatal(err)
	}
}

func (c *Cluster) signal(t testing.TB, n int, s syscall.Signal) {
	t.Helper()
	one := c.nodes[n-1]
	if one == nil {
		t.Fatalf("node %d is not ours", n)
	}
	if err := send(one.pid, s); err != nil {
		t.Fatal(err)
	}
	for range 1800 {
		if gone(one.pid) {
			c.end(n)
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("node %d does not end", n)
}

// gone reports whether a process has ended, even if its parent, the shell, has not waited for it.
func gone(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return send(pid, 0) != nil
	}
	_, after, _ := bytes.Cut(stat, []byte(") "))
	return bytes.HasPrefix(after, []byte("Z"))
}

// Run starts a node again that was killed or stopped.
func (c *Cluster) Run(t testing.TB, node int) {
	t.Helper()
	if err := c.run(node); err != nil {
		t.Fatal(err)
	}
}

func (c *Cluster) end(n int) {
	if one := c.nodes[n-1]; one != nil {
		keep := filepath.Join(c.dir, "keep")
		os.WriteFile(keep, nil, 0o600) //nolint:errcheck // what is left lies in the temporary folder
		one.input.Close()              //nolint:errcheck // it tells the shell to end
		one.shell.Wait()               //nolint:errcheck // it was killed
		os.Remove(keep)                //nolint:errcheck // as above
		c.nodes[n-1] = nil
	}
}
