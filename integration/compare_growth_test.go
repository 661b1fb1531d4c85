package integration

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"dustbuster/internal/oracle"
)

var (
	comparedURLs   = flag.Int("compared", 5000, "TestCompareGrowth compares learners on a made-up crawl of so many URLs; a million take minutes for each learner")
	growthLearners = flag.String("comparedlearners", "dustbuster,fanout,tree,duster,union", "the learners of TestCompareGrowth")
)

// Each learner, compared on a made-up crawl, a process for each. Learners that find the planted
// formations cover a share of the duplicates; -v shows time and memory.
func TestCompareGrowth(t *testing.T) {
	t.Parallel()
	var crawl bytes.Buffer
	for number, urls := range oracle.Clusters(1, *comparedURLs) {
		for _, url := range urls {
			fmt.Fprintf(&crawl, "https://www.example.org%s\t200\t5120\t%016x\n", url, number+1)
		}
	}
	list := write(t, "crawl.tsv", crawl.Bytes())
	for _, learner := range strings.Split(*growthLearners, ",") {
		r := succeed(t, exec.Command(program, "compare", "-o", "json", "--share", "50", "--seeds", "1", "--learners", learner, list))
		var l struct {
			Coverage    float64
			FalseMerges float64 `json:"false_merges"`
			Seconds     float64
			Raw         int
			Deployed    int
		}
		if err := json.Unmarshal([]byte(r.stdout), &l); err != nil {
			t.Fatalf("%s: %v\n%s", learner, err, r)
		}
		used := r.state.SysUsage().(*syscall.Rusage)
		t.Logf("%s: %.1f s to learn, judge and choose; the process %v of processor time, %d MiB peak; coverage %.3f, %.1f false merges, %d rules of %d", learner, l.Seconds,
			(r.state.UserTime() + r.state.SystemTime()).Round(time.Second/10), used.Maxrss>>10, l.Coverage, l.FalseMerges, l.Deployed, l.Raw)
		if l.Coverage < .05 {
			t.Errorf("%s: coverage %.3f", learner, l.Coverage)
		}
	}
}
