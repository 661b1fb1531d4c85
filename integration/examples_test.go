package integration

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/internal/kafkatest"
)

// The example of a reader, a module of its own, applies what a miner has published.
func TestExampleReader(t *testing.T) {
	t.Parallel()
	r := newRulesTopic(t, kafkatest.Shared(t).Brokers)
	miner, _ := r.own(t, "a", 1)
	publish(t, miner, "www.example.org", 1, "sid", "ref")
	reader := filepath.Join(t.TempDir(), "reader")
	if out, err := exec.Command("go", "build", "-C", "examples/reader", "-o", reader).CombinedOutput(); err != nil {
		t.Fatalf("build the reader: %v\n%s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), reader, "-brokers", strings.Join(r.brokers, ","), "-topic", r.name)
	cmd.Stdin = strings.NewReader("http://www.example.org/a?sid=1&id=2\nhttp://elsewhere.example/?sid=1\n")
	out, err := cmd.Output()
	if want := "http://www.example.org/a?id=2\nhttp://elsewhere.example/?sid=1\n"; err != nil || string(out) != want {
		t.Errorf("prints %q, %v, want %q", out, err, want)
	}
}
