package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/internal/schema"
	"dustbuster/operators/read/input"
)

// inputsOf returns the inputs of a running daemon, checked against the schema.
func inputsOf(t *testing.T, stderr *output) (all []input.State, text string) {
	t.Helper()
	address := stderr.address(t)
	answer, err := http.Get("http://" + address + "/api/v1/inputs")
	must(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	must(t, err)
	if err := schema.Check("inputs", body); err != nil {
		t.Error(err)
	}
	var document struct{ Inputs []input.State }
	must(t, json.Unmarshal(body, &document))
	return document.Inputs, string(body)
}

// A daemon describes each of its inputs: a log with a rotated generation and a malformed
// line, prose, a log that is missing, and a pipe that has ended. Errors hold no address.
func TestDaemonDescribesInputs(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	const line = `192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 7 "-" "-"` + "\n"
	for _, c := range []struct{ name, text string }{{"access.log.1", strings.Replace(line, "17/May", "16/May", 1)}, {"access.log", line + "192.0.2.7 torn\n" + line + line}, {"prose.log", "It was\na dark night\n"}} {
		must(t, os.WriteFile(path(c.name), []byte(c.text), 0o600))
	}
	in, out, err := os.Pipe()
	must(t, err)
	if _, err := out.WriteString(line); err != nil {
		t.Fatal(err)
	}
	must(t, out.Close())
	stop, stderr := inside(t, in, "--tail", path("access.log"), "--tail", path("prose.log"), "--tail", path("missing.log"), "--tail", "-",
		"--state", path("state"), "--checkpoint-interval", "10ms", "--window", "0", "--admin-listen", "127.0.0.1:0", "--log-format", "json")
	var all []input.State
	text := until(t, "four inputs", func() (text string, ok bool) {
		all, text = inputsOf(t, stderr)
		return text, len(all) == 4 && all[0].CaughtUp && *all[0].LagBytes == 0 && all[0].Lines["all"] == 5 && all[1].LastError != "" && all[3].Ended
	}, stderr)
	log, prose, missing, pipe := all[0], all[1], all[2], all[3]
	if log.Name != path("access.log") || log.Kind != input.Log || log.Format != "combined" || log.Offset != int64(3*len(line)+len("192.0.2.7 torn\n")) ||
		log.Offset != *log.Size || len(log.Behind) != 1 || log.Behind[0].File != path("access.log.1") || log.Behind[0].LagBytes != 0 || log.Malformed["malformed"] != 0.2 || log.LastError == "" {
		t.Errorf("of the log: %+v", log)
	}
	if missing.Name != path("missing.log") || missing.Size != nil || missing.Generation != "" {
		t.Errorf("of the missing log: %+v", missing)
	}
	if prose.Name != path("prose.log") || prose.Format != "" || prose.Lines["unknown_format"] != 2 || *prose.LagBytes == 0 || !strings.Contains(prose.LastError, "nearest is combined") {
		t.Errorf("of prose: %+v", prose)
	}
	if pipe.Name != "-" || pipe.Kind != input.Pipe || pipe.Format != "combined" || pipe.Offset != int64(len(line)) {
		t.Errorf("of the pipe: %+v", pipe)
	}
	if strings.Contains(text, "192.0.2.") {
		t.Errorf("an address is told:\n%s", text)
	}
	stop()
}

// The log says what was taken up, in which format, what was rotated and restored, and how
// the daemon has ended.
func TestDaemonTellsItsSteps(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "access.log")
	const line = `192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 7 "-" "-"` + "\n"
	write := func(text string) {
		t.Helper()
		must(t, os.WriteFile(log, []byte(text), 0o600))
	}
	args := []string{"--tail", log, "--state", filepath.Join(dir, "state"), "--checkpoint-interval", "10ms", "--window", "0", "--admin-listen", "127.0.0.1:0", "--log-format", "json"}
	write(line)
	stop, stderr := inside(t, nil, args...)
	stderr.awaits(t, `"log begun"`)
	stderr.awaits(t, `"format of the lines","path":"`+log+`","format":"combined"`)
	must(t, os.Rename(log, log+".1"))
	write(strings.Replace(line, "/a", "/b", 1))
	stderr.awaits(t, `"log rotated","path":"`+log+`","file":"`+log+`.1"`)
	until(t, "two lines", func() (string, bool) {
		all, text := inputsOf(t, stderr)
		return text, all[0].Lines["all"] == 2 && *all[0].LagBytes == 0
	})
	stop()
	stderr.awaits(t, `"stopped by signal","lines":2,"errors":0,"saved":"`)

	stop, stderr = inside(t, nil, args...)
	stderr.awaits(t, `"state restored","sites":1,"observations":2,"published_rules":0`)
	stderr.awaits(t, `"log resumed","path":"`+log+`"`)
	stop()
}
