package main

import (
	"context"
	"encoding/base64"
	"errors"
	"flag"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/stream/journal"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
)

// together is how many parallel tests run at a time: they wait for daemons more than they compute. The flag -parallel
// names another number.
const together = "6"

// TestMain makes the test binary the program as well, also with a faulty disk.
func TestMain(m *testing.M) {
	if spec := os.Getenv(faultVariable); spec != "" {
		disk := journal.Options{FS: newFaultyFS(spec), Slack: 4 << 10}
		os.Exit(cli.Execute(context.Background(), commands(disk, os.Args[1:]), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	if err := flag.Set("test.parallel", together); err != nil { // before the command line is parsed
		panic(err) // testing has the flag
	}
	testscript.Main(m, map[string]func(){"dustbuster": main})
}

// Every script shows a use of the program: input and output in one file.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "gz": gz, "zst": zst, "base64": decode, "cut": cut, "sum": sum,
		},
	})
}

// exits CODE COMMAND ARG... runs a command and checks the exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command arg...")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("%v ended with %d, want %s", args[1:], got, args[0])
	}
}

// gz FILE TO packs a file.
func gz(ts *testscript.TestScript, _ bool, args []string) {
	var b strings.Builder
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(ts.ReadFile(args[0])))
	ts.Check(errors.Join(err, w.Close()))
	write(ts, args[1], b.String())
}

// zst FILE TO packs a file.
func zst(ts *testscript.TestScript, _ bool, args []string) {
	w, err := zstd.NewWriter(nil)
	ts.Check(err)
	write(ts, args[1], string(w.EncodeAll([]byte(ts.ReadFile(args[0])), nil)))
}

// base64 FILE TO decodes a file of a kind that the test cannot make, such as bzip2.
func decode(ts *testscript.TestScript, _ bool, args []string) {
	b, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(ts.ReadFile(args[0]), "\n", ""))
	ts.Check(err)
	write(ts, args[1], string(b))
}

// cut FILE N TO keeps all but the last N bytes of a file.
func cut(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	write(ts, args[2], text[:len(text)-n])
}

func write(ts *testscript.TestScript, path, text string) {
	ts.Check(os.WriteFile(ts.MkAbs(path), []byte(text), 0o644))
}

// sum checks on standard error that the counts of lines in --stats add up to the given
// number.
func sum(ts *testscript.TestScript, _ bool, args []string) {
	lines, rest := 0, 0
	for line := range strings.Lines(ts.ReadFile("stderr")) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, _ := strconv.Atoi(strings.TrimSpace(value))
		switch {
		case name == "lines":
			lines = n
		case strings.HasPrefix(name, "lines_"), strings.HasPrefix(name, "refused_"), name == "hits_admitted":
			rest += n
		}
	}
	if strconv.Itoa(lines) != args[0] || rest != lines {
		ts.Fatalf("%d lines, of which %d have a reason; want %s", lines, rest, args[0])
	}
}
