package integration

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"
)

var faults = flag.Int("faults", 12, "how often members of the group are stopped, killed, started")

const (
	memberVariable = "DUSTBUSTER_TEST_MEMBER"
	groupSession   = 2 * time.Second
)

// act is one thing that only a partition's owner may do.
type act struct {
	At         int64 // nanoseconds
	Member     string
	Generation int32
	Partition  int
}

// membership is what a process of the group is told.
type membership struct {
	Brokers     []string
	Topic, File string
}

// groupMember is what this test's binary does as a member that TestKafkaGroupFaults
// starts. It acts on its partitions for as long as it holds them, and writes
// down when, generation by generation. When its input ends, it leaves.
func groupMember(text string) error {
	var told membership
	if err := json.Unmarshal([]byte(text), &told); err != nil {
		return err
	}
	file, err := os.Create(told.File)
	if err != nil {
		return err
	}
	out := json.NewEncoder(file)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		io.Copy(io.Discard, os.Stdin) //nolint:errcheck // its end is all that counts
		cancel()
	}()
	c, err := kafka.Open(ctx, kafka.Options{Brokers: told.Brokers})
	if err != nil {
		return err
	}
	defer c.Close()
	g, err := c.Join(ctx, kafka.GroupOptions{Group: told.Topic, Topics: []string{told.Topic}, Session: groupSession})
	if err != nil {
		return err
	}
	defer g.Close()
	for {
		gen, err := g.Next(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		for n := int64(0); gen.Holds() && ctx.Err() == nil; n++ {
			for _, p := range gen.Partitions[told.Topic] {
				if !gen.Holds() {
					break
				}
				if err := out.Encode(act{time.Now().UnixNano(), gen.Member, gen.ID, p.Partition}); err != nil {
					return err
				}
				if n%50 == 0 {
					gen.Commit(kafka.Offset{Topic: told.Topic, Partition: p.Partition, Offset: n}) //nolint:errcheck // refused when revoked
				}
			}
			time.Sleep(2 * time.Millisecond)
		}
		gen.Release()
	}
}

// process is one that is one member of the group.
type process struct {
	cmd    *exec.Cmd
	input  interface{ Close() error }
	paused bool
}

func startProcess(t *testing.T, brokers []string, topic, file string) *process {
	t.Helper()
	text, err := json.Marshal(membership{brokers, topic, file})
	must(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), memberVariable+"="+string(text))
	cmd.Stderr = os.Stderr
	input, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	must(t, err)
	m := &process{cmd: cmd, input: input}
	t.Cleanup(func() { m.end(syscall.SIGKILL) })
	return m
}

func (m *process) end(s syscall.Signal) {
	if m.cmd.ProcessState == nil {
		m.cmd.Process.Signal(s) //nolint:errcheck // it may be gone
		m.cmd.Wait()            //nolint:errcheck // it was killed
	}
}

// Members join, leave, are killed and are stopped for longer than their session.
// Nobody acts on a partition after somebody of a later generation has, but for
// the one act that a process may have been stopped in; and at the end every
// partition has one owner.
func TestKafkaGroupFaults(t *testing.T) {
	t.Parallel()
	_, c := sharedKafka(t)
	const partitions = 6
	topic, dir := topicOf(t, c, partitions, nil), t.TempDir()
	var all []*process
	add := func() {
		all = append(all, startProcess(t, kafkatest.Shared(t).Brokers, topic, filepath.Join(dir, fmt.Sprint(len(all)))))
	}
	live := func() (live []*process) {
		for _, m := range all {
			if m.cmd.ProcessState == nil {
				live = append(live, m)
			}
		}
		return live
	}
	add()
	add()
	begun := time.Now()
	for len(actsOf(t, dir, 1)) == 0 || len(actsOf(t, dir, 2)) == len(actsOf(t, dir, 1)) { // both own something
		if time.Sleep(100 * time.Millisecond); time.Since(begun) > 2*time.Minute {
			t.Fatal("the first two members do not share the partitions")
		}
	}
	r := rand.New(rand.NewPCG(6, uint64(*faults)))
	counts := map[string]int{}
	for range *faults {
		time.Sleep(time.Duration(r.IntN(3000)) * time.Millisecond)
		running := live()
		one := running[r.IntN(len(running))]
		switch what := r.IntN(4); {
		case one.paused:
			one.cmd.Process.Signal(syscall.SIGCONT) //nolint:errcheck // its acts show
			one.paused = false
			counts["continued"]++
		case len(running) < 2 || what == 0 && len(running) < 5:
			add()
			counts["joined"]++
		case what == 1:
			one.end(syscall.SIGKILL)
			counts["killed"]++
		case what == 2:
			one.input.Close()
			if err := one.cmd.Wait(); err != nil {
				t.Errorf("a member that was asked to leave: %v", err)
			}
			counts["left"]++
		default:
			one.cmd.Process.Signal(syscall.SIGSTOP) //nolint:errcheck // its acts show
			one.paused = true
			counts["stopped"]++
		}
	}
	for _, m := range live() {
		if m.paused {
			m.cmd.Process.Signal(syscall.SIGCONT) //nolint:errcheck // its acts show
		}
	}
	time.Sleep(5 * groupSession)
	var settled, ending time.Time // from there on partitions move: they leave one by one
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		settled = time.Now()
		time.Sleep(2 * time.Second)
		ending = time.Now()
		owned, shared := owners(actsOf(t, dir, len(all)), settled, ending), true
		for p := range partitions {
			shared = shared && len(owned[p]) == 1
		}
		if shared { // else a member was not heard of in time, on a busy machine, and they move once more
			break
		}
	}
	for _, m := range live() {
		m.input.Close()
		m.cmd.Wait() //nolint:errcheck // it has written all
	}
	checkActs(t, actsOf(t, dir, len(all)), partitions, counts, settled, ending)
}

func actsOf(t *testing.T, dir string, files int) (acts []act) {
	t.Helper()
	for i := range files {
		text, err := os.ReadFile(filepath.Join(dir, fmt.Sprint(i)))
		if errors.Is(err, os.ErrNotExist) {
			continue // it was killed before it began
		}
		for line := range strings.Lines(string(text)) {
			var a act
			if json.Unmarshal([]byte(line), &a) == nil { // the last may be torn
				acts = append(acts, a)
			}
		}
	}
	slices.SortFunc(acts, func(a, b act) int { return int(a.At - b.At) })
	return acts
}

// owners are the members that act on each partition in some time.
func owners(acts []act, from, to time.Time) map[int]map[string]bool {
	owned := map[int]map[string]bool{}
	for _, a := range acts {
		if a.At > from.UnixNano() && a.At < to.UnixNano() {
			if owned[a.Partition] == nil {
				owned[a.Partition] = map[string]bool{}
			}
			owned[a.Partition][a.Member] = true
		}
	}
	return owned
}

func checkActs(t *testing.T, acts []act, partitions int, counts map[string]int, settled, ending time.Time) {
	t.Helper()
	newest := map[int]act{}
	late, generations, moved := 0, map[int32]bool{}, 0
	var longest time.Duration
	for _, a := range acts {
		generations[a.Generation] = true
		n, ok := newest[a.Partition]
		switch {
		case !ok:
		case a.Generation < n.Generation:
			late++
			t.Logf("partition %d: %s of generation %d acts %v after %s of %d", a.Partition, a.Member, a.Generation, time.Duration(a.At-n.At), n.Member, n.Generation)
			continue
		case a.Generation == n.Generation && a.Member != n.Member:
			t.Errorf("partition %d has two owners in generation %d: %s and %s", a.Partition, a.Generation, a.Member, n.Member)
		default:
			longest = max(longest, time.Duration(a.At-n.At))
			if a.Member != n.Member {
				moved++
			}
		}
		newest[a.Partition] = a
	}
	owned := owners(acts, settled, ending)
	for p := range partitions {
		if len(owned[p]) != 1 {
			t.Errorf("partition %d has %d owners at the end", p, len(owned[p]))
		}
	}
	if len(generations) < *faults/2 {
		t.Errorf("%d generations of %d faults prove little", len(generations), *faults)
	}
	if late > counts["stopped"] {
		t.Errorf("%d acts came after those of a later generation, with %d members stopped", late, counts["stopped"])
	}
	t.Logf("%v: %d acts in %d generations, %d partitions moved, longest without an owner %v, %d acts late", counts, len(acts), len(generations), moved, longest.Round(time.Millisecond), late)
}
