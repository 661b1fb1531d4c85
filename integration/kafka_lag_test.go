package integration

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A miner is stopped, and an agent sends more. The miner that comes then shows the lag on its page
// and in its inputs until it has caught up.
func TestKafkaLag(t *testing.T) {
	t.Parallel()
	const lines = 400_000
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 1)
	one := startMiner(t, c, s, "one")
	sendAll(t, c, s.observations, crowdLines(1))
	awaitParts(t, 1, []*running{one})
	awaitEnds(t, k, s.observations, []*running{one})
	one.end(t)

	var more [][]byte
	for i := range lines {
		more = append(more, fmt.Appendf(nil, "s0.example:80 10.0.0.1 - - [20/Nov/2026:10:00:00 +0000] \"GET /item/%d HTTP/1.1\" 200 %d \"-\" \"-\"\n", i, 1000+i))
	}
	second := sendLines(t, c, s.observations, more)
	eventually(t, func() bool {
		all := inputsOf(second)
		return len(all) == 1 && all[0].Lines["all"] == lines && *all[0].LagBytes == 0
	})
	second.end(t)
	end := endsOf(t, k, s.observations)[s.observations+"/0"]

	two := startMiner(t, c, s, "two")
	var page string
	var lag, told int64 // greatest of the page, and of the inputs
	shown, last := "", "?"
	for deadline := time.Now().Add(patience); last != "0" && time.Now().Before(deadline); time.Sleep(30 * time.Millisecond) {
		for _, i := range inputsOf(two) {
			if i.LagRecords != nil {
				told = max(told, *i.LagRecords)
			}
		}
		_, page = ask(two.admin, "/group")
		rows := tableOf(t, page, "Partitions")
		if len(rows) != 1 {
			continue
		}
		last = rows[0][3]
		if rows[0][4] == "caught up" && last != "0" {
			t.Errorf("caught up at first, with the lag %s", last)
		}
		n, err := strconv.ParseInt(strings.ReplaceAll(last, ",", ""), 10, 64)
		if err != nil {
			t.Fatalf("the page shows the lag %q", last)
		}
		if n > lag {
			lag, shown = n, page
		}
		if last == "0" && rows[0][4] != "caught up" {
			last = "?" // the page was made just before
		}
	}
	rows := tableOf(t, page, "Partitions")
	if t.Logf("the page shows a lag of %d records, the inputs of %d, of %d", lag, told, end); lag == 0 || told == 0 || len(rows) != 1 || rows[0][1] != thousands(end) || rows[0][3] != "0" {
		t.Errorf("no lag, or the miner does not catch up: %q\n%s", rows, two)
	}
	keepPage(t, two.admin, "kafka-lag", shown)
	two.end(t)
}

// keepPage keeps a page and a picture of it where the pictures of pages are.
func keepPage(t *testing.T, admin, name, page string) {
	t.Helper()
	dir := cmp.Or(os.Getenv("DUSTBUSTER_SCREENSHOTS"), filepath.Join(os.TempDir(), "dustbuster-screenshots"))
	must(t, os.MkdirAll(dir, 0o700))
	link := regexp.MustCompile(`<link rel="stylesheet" href="([^"]*)">`).FindStringSubmatch(page)
	if link == nil {
		t.Fatalf("no style in %s", page)
	}
	_, style := ask(admin, "/"+link[1])
	file := filepath.Join(dir, name+".html")
	writeFile(t, file, []byte(strings.Replace(page, link[0], "<style>"+style+"</style>", 1)))
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Log("no picture: no chromium")
		return
	}
	out, err := exec.Command("chromium", "--headless", "--no-sandbox", "--disable-dev-shm-usage", "--user-data-dir="+t.TempDir(), "--window-size=1440,900",
		"--screenshot="+filepath.Join(dir, name+".png"), "file://"+file).CombinedOutput()
	if err != nil {
		t.Errorf("chromium: %v\n%s", err, out)
	}
}
