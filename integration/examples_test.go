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
	succeed(t, exec.Command("go", "build", "-C", "examples/reader", "-o", reader))
	cmd := exec.CommandContext(t.Context(), reader, "-brokers", strings.Join(r.brokers, ","), "-topic", r.name)
	cmd.Stdin = strings.NewReader("http://www.example.org/a?sid=1&id=2\nhttp://elsewhere.example/?sid=1\n")
	out := succeed(t, cmd).stdout
	if want := "http://www.example.org/a?id=2\nhttp://elsewhere.example/?sid=1\n"; out != want {
		t.Errorf("prints %q, want %q", out, want)
	}
}
