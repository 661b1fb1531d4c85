package integration

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"time"

	"dustbuster/internal/expect"
)

// patience is for how long is awaited what must come, on a machine with other things
// to do. What has come ends the wait.
const patience = 3 * time.Minute

// await is expect.Await.
func await[T any](t testing.TB, within time.Duration, what string, look func() (T, bool), said ...fmt.Stringer) T {
	t.Helper()
	return expect.Await(t, within, what, look, said...)
}

// eventually waits for brokers, and who reads from them, to have heard of a change.
func eventually(t testing.TB, f func() bool) {
	t.Helper()
	if _, ok := expect.Poll(patience, func() (any, bool) { return nil, f() }); !ok {
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
	got, _ = expect.Poll(patience, func() ([]byte, bool) {
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
