package integration

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/stream/kafka"

	"golang.org/x/net/html"
)

// inputOf is an input as /api/v1/inputs tells it.
type inputOf struct {
	Kind, Name, Format string
	Offset, Size       int64
	LagBytes           *int64 `json:"lag_bytes"`
	LagRecords         *int64 `json:"lag_records"`
	CaughtUp           bool   `json:"caught_up"`
	Lines              map[string]int
}

// inputsOf returns the inputs of an agent or a miner.
func inputsOf(r *running) (all []inputOf) {
	var document struct{ Inputs []inputOf }
	_, text := ask(r.admin, "/api/v1/inputs")
	_ = json.Unmarshal([]byte(text), &document)
	return document.Inputs
}

// tableOf returns the texts of the cells of a page's table, by rows. label is the table's.
func tableOf(t *testing.T, page, label string) (rows [][]string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	must(t, err)
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || !slices.Contains(n.Attr, html.Attribute{Key: "aria-label", Val: label}) {
			continue
		}
		for tr := range n.Descendants() {
			if tr.Data != "tr" || tr.Parent.Data != "tbody" {
				continue
			}
			var row []string
			for cell := range tr.ChildNodes() {
				text := ""
				if cell.Type != html.ElementNode {
					continue
				}
				for one := range cell.Descendants() {
					if one.Type == html.TextNode {
						text += one.Data
					}
				}
				row = append(row, text)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// The pages of a miner tell the facts of a real group: the members with their partitions, which
// member answers, the position and the end of each partition, and the sites of this member. The
// inputs and dustbuster status of agents and miners agree with the pages.
func TestKafkaPages(t *testing.T) {
	t.Parallel()
	const sites, partitions = 12, 4
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, partitions)
	lines := crowdLines(sites)
	log := &server{t: t, path: filepath.Join(t.TempDir(), "access.log"), lines: lines}
	log.write(len(lines) / 2)
	a := startAgent(t, c, s.observations, "--tail", log.path, "--state", t.TempDir(), "--format", "vhost_combined", "--window", "0")
	miners := []*running{startMiner(t, c, s, "one"), startMiner(t, c, s, "two")}
	awaitParts(t, partitions, miners)
	log.write(len(lines))
	awaitLikely(t, string(mineLines(t, lines, "--format", "vhost_combined")), patience, miners...)
	ends := awaitEnds(t, k, s.observations, miners)

	checkAgent(t, a, log.path, len(lines))
	owned := map[string]string{} // by site, the name of the miner that shows the site
	for _, m := range miners {
		own := checkGroup(t, m, s, miners, ends)
		checkStatus(t, m.admin, append(own, "dustbuster daemon", "caught up", m.admin)...)
		_, page := ask(m.admin, "/")
		for _, row := range tableOf(t, page, "Sites") {
			if owned[row[0]] != "" {
				t.Errorf("%s and %s show %s", owned[row[0]], m.name, row[0])
			}
			owned[row[0]] = m.name
			checkStatus(t, m.admin, row[0])
		}
	}
	if len(owned) != sites {
		t.Errorf("the overviews show %d sites, want %d: %v", len(owned), sites, owned)
	}
	for site, name := range owned {
		for _, m := range miners {
			code, page := ask(m.admin, "/site?site="+url.QueryEscape(site))
			if m.name == name && code != http.StatusOK || m.name != name && (code != http.StatusMisdirectedRequest || !strings.Contains(page, "Another member of the group has this site: ")) {
				t.Errorf("%s, a site of %s, is answered by %s with %d:\n%s", site, name, m.name, code, page)
			}
		}
	}

	miners[1].end(t)
	awaitParts(t, partitions, miners[:1])
	ends = awaitEnds(t, k, s.observations, miners[:1])
	checkGroup(t, miners[0], s, miners[:1], ends)
	end(t, miners[0], a)
}

// awaitParts waits until each of the miners owns a part of the partitions, and all have caught up.
func awaitParts(t *testing.T, partitions int, miners []*running) {
	t.Helper()
	await(t, patience, fmt.Sprintf("%d partitions, shared by %d miners", partitions, len(miners)), func() (shown []string, shared bool) {
		sum, idle := 0, false
		for _, m := range miners {
			all := inputsOf(m)
			shown = append(shown, fmt.Sprintf("%+v\n%v", all, m))
			sum += len(all)
			idle = idle || len(all) == 0 || slices.ContainsFunc(all, func(i inputOf) bool { return !i.CaughtUp })
		}
		return shown, sum == partitions && !idle
	})
}

// awaitEnds waits until the miners have read all records, and returns the ends of the partitions.
func awaitEnds(t *testing.T, k *kafka.Cluster, topic string, miners []*running) map[string]int64 {
	t.Helper()
	return await(t, patience, "the ends of "+topic, func() (map[string]int64, bool) {
		ends, behind := map[string]int64{}, false
		for _, m := range miners {
			for _, i := range inputsOf(m) {
				ends[i.Name] = i.Size
				behind = behind || i.Offset != i.Size || i.LagRecords == nil || *i.LagRecords != 0
			}
		}
		return ends, !behind && maps.Equal(ends, endsOf(t, k, topic))
	})
}

// endsOf returns the ends of a topic's partitions, by TOPIC/PARTITION.
func endsOf(t *testing.T, k *kafka.Cluster, topic string) map[string]int64 {
	t.Helper()
	all, err := k.Offsets(t.Context(), topic)
	must(t, err)
	ends := map[string]int64{}
	for partition, r := range all {
		ends[fmt.Sprint(topic, "/", partition)] = r.End
	}
	return ends
}

// checkGroup checks the group's page of a miner, and returns the names of the miner's inputs.
func checkGroup(t *testing.T, m *running, s deployment, miners []*running, ends map[string]int64) (own []string) {
	t.Helper()
	var want [][]string // what the rows of the table of partitions begin with
	var numbers []string
	for _, i := range inputsOf(m) {
		number := strings.TrimPrefix(i.Name, s.observations+"/")
		if i.Kind != "observations" || number == i.Name {
			t.Errorf("%s has the input %+v", m.name, i)
		}
		end := thousands(ends[i.Name])
		want = append(want, []string{number, end, end, "0", "caught up"})
		numbers, own = append(numbers, number), append(own, i.Name)
	}
	page, _ := expect.Poll(patience, func() (string, bool) { // a page may be a second old
		_, page := ask(m.admin, "/group")
		return page, fmt.Sprint(tableOf(t, page, "Partitions")) == fmt.Sprint(want) && len(tableOf(t, page, "Members")) == len(miners)
	})
	if got := tableOf(t, page, "Partitions"); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s shows the partitions %q, want %q", m.name, got, want)
	}
	members := tableOf(t, page, "Members")
	here, shown := 0, 0
	for _, row := range members {
		_, list, ok := strings.Cut(row[2], s.observations+": ")
		if !ok || !strings.Contains(row[1], "127.0.0.1") {
			t.Errorf("%s shows the member %q", m.name, row)
		}
		shown += len(strings.Split(list, ", "))
		if strings.HasSuffix(row[0], " this one") {
			here++
			if list != strings.Join(numbers, ", ") {
				t.Errorf("%s shows itself with the partitions %q, want %q", m.name, list, numbers)
			}
		}
	}
	if here != 1 || len(members) != len(miners) || shown != len(ends) || !strings.Contains(page, "<code>"+s.group+"</code>") {
		t.Errorf("%s shows %d members with %d partitions, itself %d times, want %d with %d: %q", m.name, len(members), shown, here, len(miners), len(ends), members)
	}
	return own
}

// checkAgent checks the inputs of an agent.
func checkAgent(t *testing.T, a *running, path string, lines int) {
	t.Helper()
	all, _ := expect.Poll(patience, func() ([]inputOf, bool) {
		all := inputsOf(a)
		return all, len(all) == 1 && all[0].LagBytes != nil && *all[0].LagBytes == 0
	})
	if len(all) != 1 || all[0].Kind != "log" || all[0].Name != path || all[0].Format != "vhost_combined" || all[0].Lines["all"] != lines || all[0].Offset != all[0].Size || !all[0].CaughtUp {
		t.Errorf("the agent's inputs: %+v\n%s", all, a)
	}
	checkStatus(t, a.admin, "dustbuster agent", path, "vhost_combined", fmt.Sprint(lines), "caught up")
}

// checkStatus checks that dustbuster status shows some texts.
func checkStatus(t *testing.T, address string, want ...string) {
	t.Helper()
	succeed(t, exec.Command(program, "status", "--address", "http://"+address)).expect(t, 0, want...)
}

// thousands returns a number with commas.
func thousands(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return thousands(n/1000) + fmt.Sprintf(",%03d", n%1000)
}
