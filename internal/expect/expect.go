// Package expect holds what the tests of all packages do in the same way.
package expect

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// NoError ends a test at an error.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// File writes a file of a new directory, and returns its path.
func File(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// Await is Poll that ends the test if look never returns true: with what was awaited, what programs have
// said that were to bring it about, and the last value.
func Await[T any](t testing.TB, within time.Duration, what string, look func() (T, bool), said ...fmt.Stringer) T {
	t.Helper()
	last, ok := Poll(within, look)
	if !ok {
		for _, text := range said {
			t.Log(text)
		}
		t.Fatalf("%s: not after %v; the last that was seen:\n%v", what, within, last)
	}
	return last
}

// Poll calls look until it returns true or the time is over, and returns the last value seen.
// The pause between two calls is a twentieth of the time that has passed, so that the moment
// is known well and a long wait costs little.
func Poll[T any](within time.Duration, look func() (T, bool)) (last T, ok bool) {
	for begin := time.Now(); ; {
		if last, ok = look(); ok || time.Since(begin) > within {
			return last, ok
		}
		time.Sleep(min(max(time.Since(begin)/20, 200*time.Microsecond), 100*time.Millisecond))
	}
}
