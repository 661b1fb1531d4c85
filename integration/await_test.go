package integration

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"time"
)

// patience is for how long is awaited what must come, on a machine with other things
// to do. What has come ends the wait.
const patience = 3 * time.Minute

// poll calls look until it returns true or the time is over, and returns the last value seen.
// The pause between two calls is a twentieth of the time that has passed, so that the moment
// is known well and a long wait costs little.
func poll[T any](within time.Duration, look func() (T, bool)) (last T, ok bool) {
	for begin := time.Now(); ; {
		if last, ok = look(); ok || time.Since(begin) > within {
			return last, ok
		}
		time.Sleep(min(max(time.Since(begin)/20, 200*time.Microsecond), 100*time.Millisecond))
	}
}

// await is poll that ends the test if look never returns true: with what was awaited, the last
// value, and what the programs have said that were to bring it about.
func await[T any](t testing.TB, within time.Duration, what string, look func() (T, bool), said ...fmt.Stringer) T {
	t.Helper()
	last, ok := poll(within, look)
	if !ok {
		for _, text := range said {
			t.Log(text)
		}
		t.Fatalf("%s: not after %v; the last that was seen:\n%v", what, within, last)
	}
	return last
}

// eventually waits for brokers, and who reads from them, to have heard of a change.
func eventually(t testing.TB, f func() bool) {
	t.Helper()
	if _, ok := poll(patience, func() (any, bool) { return nil, f() }); !ok {
		t.Error("it does not come to be so")
	}
}

// awaitFile waits for a file to have some content, and returns what it has.
func awaitFile(path string, want []byte) (got []byte) {
	return awaitContent(path, want, func(text []byte) []byte { return text })
}

// awaitOnline is awaitFile for a list of rules, of which the online rules count.
func awaitOnline(path string, want []byte) (got []byte) {
	return awaitContent(path, want, onlineRules)
}

func awaitContent(path string, want []byte, part func([]byte) []byte) (got []byte) {
	got, _ = poll(patience, func() ([]byte, bool) {
		text, _ := os.ReadFile(path) // it may not be there yet
		text = part(text)
		return text, bytes.Equal(text, want)
	})
	return got
}

// awaitText waits for a file to hold a text.
func awaitText(t *testing.T, path, want string) {
	t.Helper()
	await(t, patience, want+" in "+path, func() (string, bool) {
		text, _ := os.ReadFile(path)
		return string(text), bytes.Contains(text, []byte(want))
	})
}
