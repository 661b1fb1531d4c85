package config

import (
	"errors"
	"strconv"
	"strings"
)

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
