package kafkatest

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Variables of the environment.
const (
	wanted      = "DUSTBUSTER_TEST_KAFKA"   // not empty: a Kafka may be started, which takes long and needs a network once
	environment = "DUSTBUSTER_TEST_BROKERS" // brokers that run; not the program's own variable, which programs under test would read
)

// Options describe a cluster.
type Options struct {
	Nodes     int               // 1 if 0
	SASL      bool              // PLAIN and SCRAM-SHA-256, users Admin and User
	TLS       bool              // certificates of a CA of its own: Cluster.CA
	Config    map[string]string // settings of the brokers, over those in server.properties
	Advertise map[int]int       // by node: the port that clients are told instead of the broker's own, such as a proxy's
	Heap      string            // of each broker; 256m if empty
}

// Admin is a user of a cluster with SASL: the brokers' own.
const Admin, AdminPassword = "admin", "admin-secret" //nolint:revive // one thing

// User is another.
const User, UserPassword = "alice", "alice-secret" //nolint:revive // one thing

// Cluster is some brokers on this machine.
type Cluster struct {
	Brokers []string // host:port
	Ports   []int    // by node, less one
	CA      string   // with TLS: the file of the authority's certificate
	dir     string
	libs    string
	heap    string
	nodes   []*node
}

var shared struct {
	once    sync.Once
	cluster *Cluster
	err     error
}

// Shared returns brokers for all tests of the binary: those that the environment names, or one
// that the first call starts.
func Shared(t testing.TB) *Cluster {
	t.Helper()
	if named := os.Getenv(environment); named != "" {
		return &Cluster{Brokers: strings.Split(named, ",")}
	}
	libs := jars(t)
	shared.once.Do(func() {
		dir, err := os.MkdirTemp("", "kafka")
		if err == nil {
			shared.cluster, err = start(dir, libs, Options{})
		}
		shared.err = err
	})
	if shared.err != nil {
		t.Fatalf("start Kafka: %v", shared.err)
	}
	return shared.cluster
}

// Start starts brokers for one test, which end with it.
func Start(t testing.TB, o Options) *Cluster {
	t.Helper()
	libs := jars(t)
	var dir string
	var c *Cluster
	for try := range 3 {
		var err error
		if dir, err = os.MkdirTemp("", "kafka"); err != nil {
			t.Fatal(err)
		}
		if c, err = start(dir, libs, o); err == nil {
			break
		}
		os.RemoveAll(dir)
		// Between the choice of a free port and the broker's start another process may have taken it.
		if try == 2 || !strings.Contains(err.Error(), "Address already in use") {
			t.Fatalf("start Kafka: %v", err)
		}
	}
	t.Cleanup(func() {
		for n := range c.nodes {
			c.end(n + 1)
		}
		os.RemoveAll(dir)
	})
	return c
}

// Name returns a name for a topic or group that no other test has.
func Name(t testing.TB) string {
	name := strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, t.Name())
	return fmt.Sprintf("%s-%08x", name, rand.Uint32())
}

func start(dir, libs string, o Options) (*Cluster, error) {
	o.Nodes = max(o.Nodes, 1)
	c := &Cluster{dir: dir, libs: libs, heap: o.Heap, nodes: make([]*node, o.Nodes)}
	if c.heap == "" {
		c.heap = "256m"
	}
	ports, err := FreePorts(2 * o.Nodes)
	if err != nil {
		return nil, err
	}
	c.Ports = ports[:o.Nodes]
	var voters []string
	for i, p := range ports[o.Nodes:] {
		voters = append(voters, fmt.Sprintf("%d@127.0.0.1:%d", i+1, p))
	}
	secure, err := c.secure(o)
	if err != nil {
		return nil, err
	}
	id := strings.Repeat("A", 21) + string("AQgw"[rand.IntN(4)]) // 16 bytes in base64
	errs := make(chan error, o.Nodes)
	for i := range o.Nodes {
		advertised := o.Advertise[i+1]
		if advertised == 0 {
			advertised = c.Ports[i]
		}
		c.Brokers = append(c.Brokers, net.JoinHostPort("127.0.0.1", strconv.Itoa(advertised)))
		settings := strings.NewReplacer("@NODE@", strconv.Itoa(i+1), "@VOTERS@", strings.Join(voters, ","),
			"@PORT@", strconv.Itoa(c.Ports[i]), "@ADVERTISED_PORT@", strconv.Itoa(advertised),
			"@CONTROLLER_PORT@", strconv.Itoa(ports[o.Nodes+i]), "@REPLICAS@", strconv.Itoa(o.Nodes),
			"@DATA@", filepath.Join(c.folder(i+1), "data"), "@PROTOCOL@", protocol(o))
		go func() { errs <- c.prepare(i+1, id, settings, secure+lines(o.Config), o.SASL) }()
	}
	for range o.Nodes {
		if e := <-errs; e != nil {
			err = e
		}
	}
	if err != nil {
		for i := range c.nodes {
			c.end(i + 1)
		}
		return nil, err
	}
	return c, nil
}

func protocol(o Options) string {
	switch {
	case o.SASL && o.TLS:
		return "SASL_SSL"
	case o.SASL:
		return "SASL_PLAINTEXT"
	case o.TLS:
		return "SSL"
	}
	return "PLAINTEXT"
}

func lines(config map[string]string) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(config)) {
		fmt.Fprintf(&b, "%s=%s\n", k, config[k])
	}
	return b.String()
}

func (c *Cluster) folder(node int) string { return filepath.Join(c.dir, strconv.Itoa(node)) }

// prepare formats a node's data and starts it.
func (c *Cluster) prepare(node int, id string, settings *strings.Replacer, more string, sasl bool) error {
	if err := os.MkdirAll(c.folder(node), 0o755); err != nil {
		return err
	}
	for name, extra := range map[string]string{"server.properties": more, "log4j2.properties": ""} {
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(c.folder(node), name), []byte(settings.Replace(string(text))+extra), 0o600); err != nil {
			return err
		}
	}
	args := []string{"-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", filepath.Join(c.libs, "*"), "kafka.tools.StorageTool", "format", "-g",
		"-t", id, "-c", filepath.Join(c.folder(node), "server.properties")}
	if sasl {
		args = append(args, "--add-scram", fmt.Sprintf("SCRAM-SHA-256=[name=%s,password=%s]", User, UserPassword))
	}
	if out, err := exec.Command("java", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("format node %d: %w\n%s", node, err, out)
	}
	return c.run(node)
}

// FreePorts finds ports of 127.0.0.1 to listen on. They lie below those that the kernel hands
// out, so that a killed broker finds its port free when it is started again.
func FreePorts(n int) (ports []int, err error) {
	for range 1000 {
		l, e := (&net.ListenConfig{}).Listen(context.Background(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(10_000+rand.IntN(22_000))))
		if e != nil {
			err = e
			continue
		}
		defer l.Close()
		if ports = append(ports, l.Addr().(*net.TCPAddr).Port); len(ports) == n {
			return ports, nil
		}
	}
	return nil, err
}

func sum(b []byte) []byte {
	h := fnv.New64a()
	h.Write(b) //nolint:errcheck // it has none
	return h.Sum(nil)
}

// Size returns the bytes of a topic's logs on the disks of all nodes that this process has
// started.
func (c *Cluster) Size(t testing.TB, topic string) (bytes int64) {
	t.Helper()
	for i := range c.nodes {
		logs, err := filepath.Glob(filepath.Join(c.folder(i+1), "data", topic+"-*", "*.log"))
		if err != nil {
			t.Fatal(err)
		}
		for _, log := range logs {
			info, err := os.Stat(log)
			if err != nil {
				t.Fatal(err)
			}
			bytes += info.Size()
		}
	}
	return bytes
}
