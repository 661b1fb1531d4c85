package config

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v4"
)

// value is a place in a Config that can be read and written as text, for flags and the
// environment, and as YAML.
type value interface {
	pflag.Value                    // for a value of several parts, Set adds a part
	Expects() string               // the texts that Set accepts
	clear()                        // of a value of several parts, before new parts are set
	decode(r *reader, p place)     // reads the value from the file
	encode(secrets bool) yaml.Node // secrets: as they are
}

// scalar is a value of one text.
type scalar[T any] struct {
	at     *T
	kind   string // pflag's name, which help shows for the value
	want   string
	parse  func(string) (T, error)
	format func(T) string
}

// Set parses a text.
func (s *scalar[T]) Set(text string) error {
	v, err := s.parse(text)
	if err == nil {
		*s.at = v
	}
	return err
}

// String returns a text for Set.
func (s *scalar[T]) String() string { return s.format(*s.at) }

// Type is the kind.
func (s *scalar[T]) Type() string { return s.kind }

// Expects describes the texts that Set accepts.
func (s *scalar[T]) Expects() string { return s.want }

func (s *scalar[T]) clear() {}

func (s *scalar[T]) decode(r *reader, p place) {
	text, ok := r.text(p, s.want)
	if ok && s.Set(text) != nil {
		r.fail(p, fmt.Sprintf(" must be %s, got %q", s.want, text))
	}
}

func (s *scalar[T]) encode(bool) yaml.Node {
	if _, ok := any(s.at).(*string); ok {
		return textNode(s.String())
	}
	return yaml.Node{Kind: yaml.ScalarNode, Value: s.String()}
}

func text(at *string) value {
	return &scalar[string]{at, "text", "a text", func(s string) (string, error) { return s, nil }, strings.Clone}
}

// choice is a value of one of some texts. The text for nothing stands last.
func choice(at *string, names ...string) value {
	last := cmp.Or(names[len(names)-1], `""`)
	want := strings.Join(names[:len(names)-1], ", ") + " or " + last
	parse := func(s string) (string, error) {
		if !slices.Contains(names, s) {
			return "", errors.New("want " + want)
		}
		return s, nil
	}
	return &scalar[string]{at, strings.TrimRight(strings.Join(names, "|"), "|"), want, parse, strings.Clone}
}

// ChoiceFlag returns the value of a flag that is one of some texts.
func ChoiceFlag(at *string, names ...string) pflag.Value { return choice(at, names...) }

func number(at *int) value {
	parse := func(s string) (int, error) {
		n, err := strconv.ParseInt(s, 0, strconv.IntSize) // as pflag does: 1_000 and 0x3e8 as well
		return int(n), err
	}
	return &scalar[int]{at, "int", "a whole number", parse, strconv.Itoa}
}

func share(at *float64) value {
	parse := func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }
	format := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	return &scalar[float64]{at, "float64", "a number", parse, format}
}

func toggle(at *bool) value {
	return &scalar[bool]{at, "bool", "true or false", strconv.ParseBool, strconv.FormatBool}
}

func span(at *time.Duration) value {
	return &scalar[time.Duration]{at, "duration", "a duration such as 24h or 30m", parseSpan, formatSpan}
}

// DurationFlag returns the value of a flag that is a duration, as those of settings are: also in
// days, as in 7d or 1d12h.
func DurationFlag(at *time.Duration) pflag.Value { return span(at) }

var inDays = regexp.MustCompile(`^([0-9]{1,6})d([0-9.].*)?$`)

// parseSpan parses a duration as time.ParseDuration does. Whole days may come first.
func parseSpan(text string) (time.Duration, error) {
	m := inDays.FindStringSubmatch(text)
	if m == nil {
		return time.ParseDuration(text)
	}
	days, _ := strconv.Atoi(m[1]) // at most six digits
	rest, err := time.ParseDuration(cmp.Or(m[2], "0"))
	const day = 24 * time.Hour
	if err != nil || time.Duration(days) > (math.MaxInt64-rest)/day {
		return 0, fmt.Errorf("parse duration %q", text)
	}
	return time.Duration(days)*day + rest, nil
}

// formatSpan writes a duration as people do: 24h, not 24h0m0s.
func formatSpan(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	if s == "0s" {
		return "0"
	}
	return s
}

func secret(at *Secret) value {
	parse := func(s string) (Secret, error) { return Secret(s), nil }
	return &secretValue{scalar[Secret]{at, "text", "a text", parse, Secret.String}}
}

// secretValue reveals its text only where necessary.
type secretValue struct{ scalar[Secret] }

func (s *secretValue) encode(secrets bool) yaml.Node {
	if secrets {
		return textNode(string(*s.at))
	}
	return textNode(s.String())
}

// Size is a number of bytes of memory, or no limit, or the system's limit.
type Size int64

// Sizes without a number.
const (
	Unbounded Size = 0
	Auto      Size = -1
)

// leastMemory is the need of the program itself and a small site.
const leastMemory = 64 << 20

// wantMemory describes the texts of a Size.
const wantMemory = "auto, none, or a size from 64MiB such as 512MiB"

var (
	errSize = errors.New("want " + wantMemory)
	units   = []struct {
		name  string
		bytes int64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"B", 1}, {"", 1}} // as in GOMEMLIMIT
)

func memory(at *Size) value {
	return &scalar[Size]{at, "size", wantMemory, parseSize, Size.String}
}

func parseSize(text string) (Size, error) {
	switch text {
	case "auto":
		return Auto, nil
	case "none":
		return Unbounded, nil
	}
	for _, u := range units {
		number, is := strings.CutSuffix(text, u.name)
		if !is {
			continue
		}
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || n > (1<<62)/u.bytes || n*u.bytes < leastMemory {
			return 0, errSize
		}
		return Size(n * u.bytes), nil
	}
	return 0, errSize
}

// String returns a text for parseSize.
func (s Size) String() string {
	switch {
	case s < 0:
		return "auto"
	case s == 0:
		return "none"
	}
	for _, u := range []int{3, 2, 1, 0} {
		if n := int64(s); n%units[u].bytes == 0 {
			return strconv.FormatInt(n/units[u].bytes, 10) + units[u].name
		}
	}
	return strconv.FormatInt(int64(s), 10)
}
