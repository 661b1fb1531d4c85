package cli

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// The help of a command has the flags of its sections, in their order.
func TestBrief(t *testing.T) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.String("a", "x", "`one|two`; the first clause is kept; not the second")
	flags.Duration("b", 0, "a `duration` that is described in far too many words to stand in a line")
	flags.Bool("c", false, "one: two")
	flags.Bool("d", false, "a sentence, with a comma. Another sentence")
	for name, want := range map[string]string{"a": "the first clause is kept (default x)", "b": "a duration that is described in far too…", "c": "one: two", "d": "a sentence, with a comma"} {
		if got := brief(flags.Lookup(name), 40); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestFold(t *testing.T) {
	if got := strings.Join(fold("one two  three\nfour averyverylongword five", 9, "  "), "\n"); got != "  one two\n  three\n  four\n  averyverylongword\n  five" {
		t.Errorf("%s", got)
	}
	if got := strings.Join(fold("a bb,cc,dd,ee f", 6, ""), "\n"); got != "a\nbb,cc,\ndd,ee\nf" {
		t.Errorf("%s", got)
	}
	long := strings.Repeat("word ", 20)
	if got := wrapped("short\nlines\n\n" + long + "\nmore\n\n  " + long); got != "short\nlines\n\n"+strings.TrimSpace(strings.Repeat("word ", 16))+"\nword word word word more\n\n  "+strings.TrimSpace(long) {
		t.Errorf("%q", got)
	}
}
