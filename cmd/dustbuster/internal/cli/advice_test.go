package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"dustbuster/operators/read/weblog"
	"dustbuster/stream/agent"
	"dustbuster/stream/journal"
	"dustbuster/stream/kafka"
	"dustbuster/stream/lines"
	"dustbuster/stream/records"
	"dustbuster/stream/rulelog"
	"dustbuster/stream/rules"
	"dustbuster/stream/tail"
)

// The command adds its flags to the errors of the packages below, which do not know flags.
func TestAdvice(t *testing.T) {
	cause := errors.New("cause")
	for _, c := range []struct {
		flag string
		err  error
	}{
		{"name it with --format", &records.FormatError{Path: "p", Best: "combined", Lines: true, Err: cause}},
		{"name their format with", &records.UnreadableError{Path: "p", Err: cause}},
		{"the format that --format nam", &records.UnreadableError{Path: "p", Named: true, Err: cause}},
		{"directory with --olddir", tail.ErrGone},
		{"--state and --admin-listen", &journal.StateError{Kind: journal.ErrLocked, Path: "p", Remedy: "r"}},
		{"xz -dc FILE | dustbuster", &lines.PackingError{Packing: "xz", Unpack: "xz -dc"}},
		{"topics create\" makes", &agent.PartitionsError{Topic: "o", Were: 3}},
		{"topics create\", or check", kafka.ErrNoTopic},
		{"topics create\" sets", &kafka.ClockError{Topic: "r", Ahead: time.Hour, Err: cause}},
		{"topics check", rulelog.ErrPartitions},
		{"--rules likely.jsonl -o", &rules.NoneValidError{Source: "likely.jsonl", Rules: 2}},
		{"--rules FILE -o", &rules.NoneValidError{Source: "http://127.0.0.1:9464", Rules: 2}},
		{"--rules FILE -o", &rules.NoneValidError{Source: "-", Rules: 1}},
	} {
		wrapped := fmt.Errorf("doing: %w", c.err)
		if text := Advised(wrapped).Error(); !strings.HasPrefix(text, wrapped.Error()+"\n") || !strings.Contains(text, c.flag) {
			t.Errorf("%q, want %q", text, c.flag)
		}
		if strings.Contains(wrapped.Error(), "--") || strings.Contains(wrapped.Error(), "dustbuster") || !errors.Is(Advised(wrapped), c.err) {
			t.Errorf("%q names a flag, or the advice hides it", wrapped)
		}
	}
	for _, c := range []struct{ name, want string }{{"common", "--size-tolerance --ignore-clients"}, {"combined", "--size-tolerance"}, {"envoy", ""}, {"urllist", ""}} {
		for _, f := range weblog.Formats() {
			if got := strings.Join(FlagsFor(f), " "); f.Name == c.name && got != c.want {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		}
	}
	for _, err := range []error{cause, &agent.PartitionsError{Topic: "o", Were: 3, Are: 4}, &records.FormatError{Path: "p", Err: cause}} {
		if got := Advised(err); got != err {
			t.Errorf("%v gets advice: %v", err, got)
		}
	}
}
