package integration

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/combine"
	"dustbuster/operators/window/evidence"
)

// settledURL returns a URL of a small site, and the number of its page: with words, numbers, titles, sessions, and
// files.
func settledURL(rng *rand.Rand, some int) (url string, page int) {
	n := rng.IntN(7)
	switch rng.IntN(some) {
	case 0:
		return fmt.Sprintf("/item/%d", n), n
	case 1:
		return fmt.Sprintf("/old/%d", n), n
	case 2:
		return fmt.Sprintf("/wiki/Page%c", 'A'+rng.IntN(40)), 7
	case 3:
		return fmt.Sprintf("/wiki/%d", rng.IntN(40)), 8
	case 4:
		return fmt.Sprintf("/item/%d?ref=%d", n, rng.IntN(12)), n
	case 5:
		return fmt.Sprintf("/item/%d?sid=%08x7z%d", n, 0xabcdef01*uint32(n+1), n), n
	case 6:
		return fmt.Sprintf("/a-long-title-of-%d?do=%s", n, [...]string{"edit", "show"}[n%2]), n
	case 7:
		return fmt.Sprintf("/m/%016x", 0x123456789abcdef*uint64(n+1)), n
	case 8:
		return fmt.Sprintf("/page%d.html", n%3), n
	case 9:
		return fmt.Sprintf("/style.css?q9x2k%d", n), 9
	case 10:
		return fmt.Sprintf("/item/%d;v=%d", n, n%2), n
	}
	return fmt.Sprintf("/item/%d/", n), n
}

// settledWorld returns hits on a site: some of URLs that many ask for, some of those of one client, and some clients
// that seldom ask.
func settledWorld(rng *rand.Rand) (hits []evidence.Observation) {
	clients, panes := 1+rng.IntN(16), 1+rng.IntN(3)
	some := 12 >> rng.IntN(3) // kinds of URLs: few have many URLs
	for range rng.IntN(600) {
		url, page := settledURL(rng, max(2, some))
		size := int64(1000 + 50*page)
		o := evidence.Observation{URL: []byte(url), Time: int64(7200 * rng.IntN(panes)), Min: size, Max: size, Families: 1}
		if rng.IntN(20) > 0 {
			o.Clients = 1 << min(rng.IntN(clients), rng.IntN(clients), rng.IntN(clients))
		}
		if rng.IntN(10) == 0 {
			o.Class, o.Max = 1, o.Max+1
		}
		hits = append(hits, o)
	}
	return hits
}

// A member that agents feed decides as one that is fed with all lines: which rules are likely, which of them
// may hold private text, which URLs may be asked and lead to which others, how many clients speak for a direction,
// and which URLs count.
func TestSettled(t *testing.T) {
	t.Parallel()
	hushed := 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 53))
		hits := settledWorld(rng)
		o := madeup.MinerOptions()
		o.Table.Pane, o.Table.Window = 7200, 7200*(1+rng.Int64N(3))
		lines, agents := miner.New("", o), miner.New("", o)
		for i := range hits {
			lines.Fold(&hits[i])
		}
		rng.Shuffle(len(hits), func(i, j int) { hits[i], hits[j] = hits[j], hits[i] })
		hushed += feedByAgents(t, rng, hits, agents)
		if lines.SeenClients() != agents.SeenClients() || lines.AllClients() != agents.AllClients() {
			t.Fatalf("seed %d: clients %b of lines, %b of agents", seed, lines.AllClients(), agents.AllClients())
		}
		want, got := lines.Rules(), agents.Rules()
		if fmt.Sprint(want) != fmt.Sprint(got) || !slices.Equal(lines.OneClient(want), agents.OneClient(want)) {
			t.Fatalf("seed %d: rules %v of lines, %v of agents; of one client %v, %v", seed, want, got, lines.OneClient(want), agents.OneClient(want))
		}
		if !slices.Equal(lines.Hidden(want, secret.Veil{}), agents.Hidden(want, secret.Veil{})) {
			t.Fatalf("seed %d: the hidden rules of %v differ", seed, want)
		}
		compareWindows(t, seed, forms.WindowOf(lines), forms.WindowOf(agents))
	}
	if hushed < 500 {
		t.Errorf("agents left out only %d observations", hushed)
	}
}

// feedByAgents has one to three agents read hits, some of them twice, and folds what they send. It returns how much
// less this is than all that widens a table.
func feedByAgents(t *testing.T, rng *rand.Rand, hits []evidence.Observation, to *miner.Machine) (hushed int) {
	t.Helper()
	var err error
	agents := make([]*combine.Combiner, 1+rng.IntN(3))
	for i := range agents {
		agents[i], err = combine.New(combine.Options{Pane: 7200, Entries: 1 + rng.IntN(300), MaxBytes: 1 << 20, Key: [2]uint64{rng.Uint64(), 1}})
		must(t, err)
	}
	drain := func(c *combine.Combiner) {
		for _, list := range c.Drain() {
			for i := range list {
				one := list[i]
				one.URL = bytes.Clone(one.URL)
				to.Fold(&one)
			}
		}
	}
	known := map[string]evidence.Extent{}
	for i := range hits {
		c := agents[rng.IntN(len(agents))]
		news := c.Add("", &hits[i])
		if rng.IntN(3) == 0 {
			drain(c)
		}
		name := fmt.Sprint(string(hits[i].URL), hits[i].Time, hits[i].Class)
		e, seen := known[name]
		if !news && seen && !e.Covers(hits[i].Part(0).Extent) {
			hushed++
		}
		if e.Join(hits[i].Part(0).Extent); !seen {
			e = hits[i].Part(0).Extent
		}
		known[name] = e
	}
	for _, c := range agents {
		drain(c)
	}
	return hushed
}

func compareWindows(t *testing.T, seed uint64, lines, agents *forms.Window) {
	t.Helper()
	o := madeup.Options()
	a, b := forms.NewGuard(lines, &o, nil), forms.NewGuard(agents, &o, nil)
	for i := range lines.Pages {
		u := lines.Pages[i].URL
		m, known := lines.Asks(i)
		n, too := agents.Asks(i)
		if u != agents.Pages[i].URL || lines.Masks[i] != agents.Masks[i] || m != n || known != too || lines.Counts(i) != agents.Counts(i) || a.Of[i] != b.Of[i] {
			t.Fatalf("seed %d: %s differs: clients %b and %b, %d and %d, %v and %v, counts %v and %v", seed, u, lines.Masks[i], agents.Masks[i], m, n, a.Of[i], b.Of[i], lines.Counts(i), agents.Counts(i))
		}
		for _, v := range []string{lines.Pages[(7*i+3)%len(lines.Pages)].URL, "/item/1", "/item/99", "/wiki/Nobody", "/item/3?ref=99"} {
			if a.Allows(u, v) != b.Allows(u, v) || a.Owns(u[1:]) != b.Owns(u[1:]) || a.MayName(v) != b.MayName(v) {
				t.Fatalf("seed %d: %s and %s may be asked: %v of lines, %v of agents", seed, u, v, a.Allows(u, v), b.Allows(u, v))
			}
		}
		if path, _, some := bytes.Cut([]byte(u), []byte("?")); some && a.Leads(string(path), u) != b.Leads(string(path), u) {
			t.Fatalf("seed %d: %s leads to %s: not alike", seed, u, path)
		}
	}
}
