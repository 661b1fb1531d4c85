package offline

import (
	"os/exec"
	"slices"
	"testing"
)

// A shell takes a quoted text as one word, as it is.
func TestShellWord(t *testing.T) {
	for _, s := range []string{"", "www.example.org", "a.example:8080", "[::1]:80", "our shops", "it's", `$(id)"\`, "`id`;&|<>*?", "a\nb", "-x", "\u202ex", "'"} {
		out, err := exec.Command("sh", "-c", "printf '%s|' "+ShellWord(s)).Output()
		if err != nil || string(out) != s+"|" {
			t.Errorf("%q: %q, %v", s, out, err)
		}
	}
	if got := (Applying{"rules.jsonl", []string{"access.log"}}).Export("nginx", "www.example.org", true); got != "dustbuster export nginx --redirect --rules rules.jsonl --site www.example.org --urls access.log > nginx.conf" {
		t.Error(got)
	}
	if got := (Applying{Rules: "of 5.jsonl"}).Export("clean-param", "", false); got != "dustbuster export clean-param --rules 'of 5.jsonl' --site HOST" {
		t.Error(got)
	}
}

func TestHostsOf(t *testing.T) {
	groups := map[string][]string{"shops": {"a.example", "*.b.example"}}
	for _, c := range []struct {
		byDomain bool
		site     string
		want     []string
	}{
		{false, "www.example.org", nil},
		{false, "shops", []string{"shops", "a.example", "*.b.example"}},
		{true, "shops", []string{"shops", "a.example", "*.b.example"}},
		{true, "example.org", []string{"example.org", "*.example.org"}},
		{true, "", nil},
	} {
		if got := HostsOf(c.byDomain, groups)(c.site); !slices.Equal(got, c.want) {
			t.Errorf("%v, %q: %q, want %q", c.byDomain, c.site, got, c.want)
		}
	}
}
