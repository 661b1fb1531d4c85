package integration

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"dustbuster/internal/oracle/lists"
	"dustbuster/stream/rules"
)

// The appliers and package rules refuse, switch off and apply thousands of bad lists and lists to
// come alike. The outcome of half of the lists is known from docs/rules.md; the other half is
// changed blindly.
func TestAppliersOnBadLists(t *testing.T) {
	t.Parallel()
	half := rounds(150, 5000)
	all := make([]lists.List, 0, 2*half)
	for seed := range uint64(half) {
		all = append(all, lists.Make(1<<20+seed), lists.Blind(seed))
	}
	want, input := make([]string, len(all)), make([]string, len(all))
	outcomes := map[bool]int{}
	for i := range all {
		l := &all[i]
		want[i] = formsOf(l)
		if known := "refused"; l.Name != "" {
			if l.Forms != nil {
				known = strings.Join(l.Forms, "\t")
			}
			if want[i] != known {
				t.Errorf("Go: %s: %s, want %s", l.Name, want[i], known)
			}
		}
		outcomes[want[i] == "refused"]++
		input[i] = base64.StdEncoding.EncodeToString(l.Text) + "\t" + strings.Join(l.URLs, "\t")
	}
	t.Logf("%d lists are refused, %d are not", outcomes[true], outcomes[false])
	for _, a := range applierCommands {
		t.Run(a.language, func(t *testing.T) {
			args, missing := a.command()
			if args == nil {
				t.Skipf("SKIPPED: needs %s: the applier is not compared", missing)
			}
			got := runApplier(t, a.language, args, input, "lists", "--two-labels", "--host", lists.Host)
			if len(got) != len(want) {
				t.Fatalf("%d lines for %d lists", len(got), len(want))
			}
			differ := 0
			for i := range want {
				if got[i] != want[i] {
					if differ++; differ <= 10 {
						t.Errorf("%s: %s, want %s\n%.3000q", all[i].Name, got[i], want[i], all[i].Text)
					}
				}
			}
			t.Logf("%d of %d lists differ", differ, len(want))
		})
	}
}

// formsOf returns what an applier should print of a list, by package rules.
func formsOf(l *lists.List) string {
	list, err := rules.Read(bytes.NewReader(l.Text))
	if err != nil {
		return "refused"
	}
	sites, err := list.Compile()
	if err == nil {
		sites, err = sites.For(lists.Host)
	}
	if err != nil {
		return "refused"
	}
	var forms []string
	for _, url := range l.URLs {
		form, _ := sites.Canonical(url)
		forms = append(forms, form)
	}
	return strings.Join(forms, "\t")
}
