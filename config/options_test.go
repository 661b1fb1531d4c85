package config

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/window/admit"
)

// mine with no flags is the paper's algorithm over everything.
func TestOptionsOfMine(t *testing.T) {
	c := MineDefaults()
	key := [2]uint64{1, 2}
	m := c.Miner(key)
	if m.Envelope != envelope.Defaults() || m.Params.MinSupport != 3 || m.Params.Similarity != m.Envelope.Similarity || m.NoParams || m.NoRefine {
		t.Errorf("%+v", m)
	}
	if m.NoEnvelope || !slices.Equal(m.Window, miner.DefaultLearners()[2:]) || m.MaxLearned != 1000 {
		t.Errorf("learners: %+v", m)
	}
	if m.Table.Window != 0 || m.Table.Pane != 7200 || m.Table.MaxURLs != 10_000_000 || m.Table.Key != key {
		t.Errorf("%+v", m.Table)
	}
	r := c.Records(Input{}, key)
	limits := admit.Defaults()
	if r.Format != "" || c.Files().MaxLine != 65536 || r.Admit.Ignore != nil || r.Admit.MaxBytes != limits.MaxBytes || r.Admit.MaxTokens != limits.MaxTokens || r.Admit.Key != key {
		t.Errorf("%+v", r)
	}
}

func TestOptionsOfInputs(t *testing.T) {
	c := Defaults()
	c.Read.Format, c.Site.Host, c.Site.By = "common", "a.example", "domain"
	c.Rule.SizeMatch, c.Rule.Params, c.Rule.Refine = false, false, false
	c.Read.IgnoreClients = []string{"192.0.2.7", "2001:db8::/32"}
	for _, test := range []struct {
		in   string
		want [2]string
	}{{"", [2]string{"common", "a.example"}}, {"combined", [2]string{"combined", "b.example"}}} {
		i := Input{Format: test.in}
		if test.in != "" {
			i.Site = "b.example"
		}
		r := c.Records(i, [2]uint64{})
		if r.Format != test.want[0] || r.Admit.Site != test.want[1] || !r.Admit.ByDomain {
			t.Errorf("%q: %+v", test.in, r)
		}
		for _, c := range []struct {
			client  string
			ignored bool
		}{{"192.0.2.7", true}, {"::ffff:192.0.2.7", true}, {"192.0.2.8", false}, {"2001:db8::9", true}, {"-", false}} {
			if r.Admit.Ignore([]byte(c.client)) != c.ignored {
				t.Errorf("%s: ignored is %v", c.client, !c.ignored)
			}
		}
	}
	if o := c.Tail(Input{Paths: []string{"a"}}); len(o.Paths) != 1 || o.MaxLine != 65536 || o.Window != 24*time.Hour {
		t.Errorf("%+v", o)
	}
	if m := c.Miner([2]uint64{}); !m.NoParams || !m.NoRefine || !m.Envelope.Similarity.Off || !m.Params.Similarity.Off || m.Table.Window != 86400 {
		t.Errorf("%+v", m)
	}
}

// Learners are on by name. Without parameter rules, no learner finds such rules.
func TestOptionsOfLearners(t *testing.T) {
	for _, c := range []struct {
		learners         []string
		params           bool
		envelope, online bool
		window           string
	}{
		{[]string{"envelope"}, true, true, false, "[]"},
		{[]string{"equal", "params"}, true, false, true, "[equal]"},
		{[]string{"equal", "params"}, false, false, false, "[equal]"},
	} {
		config := MineDefaults()
		config.Rule.Learners, config.Rule.Params = c.learners, c.params
		m := config.Miner([2]uint64{})
		if m.NoEnvelope == c.envelope || m.NoParams == c.online || fmt.Sprint(m.Window) != c.window {
			t.Errorf("%+v: %+v", c, m)
		}
	}
}
