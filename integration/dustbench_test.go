package integration

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"
)

// With the default settings and 200 requests, the shop of DUST bench has its first rules, and nothing
// is asked for that changes something.
func TestDustBench(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("go", "run", "./dustbench", "run", "shop", "200", "sh", "dustbench/entries/dustbuster.sh")
	cmd.Env = append(os.Environ(), "DUSTBUSTER="+underTest())
	out := succeed(t, cmd).stdout
	var got struct {
		Requests, Actions, Private, False int
		Coverage                          float64
	}
	must(t, json.Unmarshal([]byte(out), &got))
	if got.Coverage < 0.2 || got.False+got.Actions+got.Private > 0 || got.Requests > 200 {
		t.Error(out)
	}
}

// From the log alone, most of the first likely rules of the shop are right, by the judge of DUST bench.
func TestDustBenchLikely(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("go", "run", "./dustbench", "likely", "shop", "sh", "dustbench/entries/likely.sh")
	cmd.Env = append(os.Environ(), "DUSTBUSTER="+underTest())
	out := succeed(t, cmd).stdout
	var got struct {
		Rules int
		At20  float64 `json:"at_20"`
	}
	must(t, json.Unmarshal([]byte(out), &got))
	if got.Rules != 50 || got.At20 < 0.6 {
		t.Error(out)
	}
}
