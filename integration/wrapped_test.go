package integration

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dustbuster/operators/read/weblog"
)

// quoted is a JSON string.
func quoted(line []byte) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`).Replace(string(line)) + `"`
}

// wrappers put something around a line as the program of that name does; n is
// the line's number.
var wrappers = map[string]func(n int, line []byte) string{
	"docker": func(_ int, line []byte) string {
		return `{"log":` + strings.TrimSuffix(quoted(line), `"`) + `\n","stream":"stdout","time":"2024-01-02T03:04:05.678Z"}`
	},
	"cri": func(n int, line []byte) string {
		const head = "2024-01-02T03:04:05.678901234Z stdout "
		if n%3 > 0 {
			return head + "F " + string(line)
		}
		return head + "P " + string(line[:40]) + "\n" + head + "P " + string(line[40:50]) + "\n" + head + "F " + string(line[50:])
	},
	"syslog": func(n int, line []byte) string {
		switch n % 3 {
		case 0:
			return "<190>Jan  2 03:04:05 www nginx: " + string(line)
		case 1:
			return "2024-01-02T03:04:05.678901+00:00 www nginx[7]: " + string(line)
		}
		return `<190>1 2024-01-02T03:04:05.678Z www nginx 7 - [x@1 a="b"] ` + string(line)
	},
	"journal": func(n int, line []byte) string {
		return fmt.Sprintf("__CURSOR=s=1;i=%d\n_COMM=nginx\nBLOB\n\x05\x00\x00\x00\x00\x00\x00\x00a\nMES\nMESSAGE=%s\n", n, line)
	},
	"journal_json": func(n int, line []byte) string {
		return fmt.Sprintf(`{"__CURSOR":"s=1;i=%d","MESSAGE":%s}`, n, quoted(line))
	},
	"filebeat": func(n int, line []byte) string {
		return fmt.Sprintf(`{"@timestamp":"2024-01-02T03:04:05Z","log":{"offset":%d},"event":{"original":%s},"message":"parsed"}`, n, quoted(line))
	},
	"vector":    func(_ int, line []byte) string { return `{"host":"www","message":` + quoted(line) + `}` },
	"fluentbit": func(n int, line []byte) string { return fmt.Sprintf(`[%d.5,{"log":%s}]`, n, quoted(line)) },
}

// The shipped log gives the same rules in whatever its lines stand.
func TestMineWrapped(t *testing.T) {
	t.Parallel()
	want := mine(t, "testdata/semicomplete.log.gz")
	lines := logLines(t, "testdata/semicomplete.log.gz")
	for name, wrap := range wrappers {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for i, line := range lines {
				b.WriteString(wrap(i, bytes.TrimSuffix(line, []byte("\n"))) + "\n")
			}
			path := write(t, name, []byte(b.String()))
			o := mineStats(t, nil, path)
			if o.code != 0 || o.stdout != string(want) || o.stats["files_"+name+"/combined"] != 1 {
				t.Errorf("exit code %d, other rules than those of the bare lines, or another format:\n%s", o.code, o.stderr)
			}
			o.counted(t, strings.Count(b.String(), "\n"))
		})
	}
}

// A daemon that is killed between the pieces of a line reads them all again.
func TestRunRestartsAmidALine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log, state := filepath.Join(dir, "cri.log"), filepath.Join(dir, "state")
	lines := strings.SplitAfter(strings.TrimSuffix(goodLog(), "\n"), "\n")
	text := ""
	for i, line := range lines {
		text += wrappers["cri"](3*i, []byte(strings.TrimSuffix(line, "\n"))) + "\n" // each in three pieces
	}
	cut := strings.LastIndex(text[:len(text)-1], "\n") + 1
	writeFile(t, log, []byte(text[:cut])) // all but the end of the last line
	d := daemon(t, log, state, "--window", "0", "--no-withhold")
	awaitText(t, filepath.Join(state, "rules.jsonl"), `"support":3`)
	time.Sleep(300 * time.Millisecond) // fifteen checkpoints
	d.kill(t)
	writeFile(t, log, []byte(text))
	d = daemon(t, log, state, "--window", "0", "--no-withhold")
	awaitText(t, filepath.Join(state, "rules.jsonl"), `"support":4`)
	d.stop(t, os.Interrupt)
}

// A syslog into which several servers and other programs write gives the rules of
// all the servers' lines, whose sizes count the same (a HAProxy's would not); what
// others write is counted, and stops nothing.
func TestMineMixedSyslog(t *testing.T) {
	t.Parallel()
	want := mine(t, "testdata/semicomplete.log.gz")
	p, err := weblog.New("combined")
	must(t, err)
	var b strings.Builder
	others, odd, lines := 0, 0, 0
	for i, line := range logLines(t, "testdata/semicomplete.log.gz") {
		line = bytes.TrimSuffix(line, []byte("\n"))
		var h weblog.Hit
		err := p.Parse(&h, line)
		plain := err == nil && len(h.Method) > 0 && h.Status > 0 && !bytes.ContainsAny(h.Target, "#\"\\ ")
		switch {
		case plain && i%3 == 1:
			fmt.Fprintf(&b, `Jan  2 03:04:05 front envoy[12]: [2015-01-02T03:04:05.678Z] "%s %s HTTP/1.1" %d - 0 %d 3 2 "%s" "%s" "-" "-" "192.0.2.80:8080"`+"\n",
				h.Method, h.Target, h.Status, h.Size, h.Client, h.Agent)
		case err != nil || i%3 == 0:
			fmt.Fprintf(&b, "<190>Jan  2 03:04:05 www nginx: %s\n", line)
		default:
			fmt.Fprintf(&b, `<190>Jan  2 03:04:05 front gate[7]: {"ts":%d,"ip":%q,"request":%s,"status":%d,"size":%d,"ua":%s}`+"\n",
				h.Time, h.Client, quoted(fmt.Appendf(nil, "%s %s HTTP/1.1", h.Method, h.Target)), h.Status, h.Size, quoted(h.Agent))
		}
		lines++
		for range i % 5 {
			fmt.Fprintf(&b, "<38>Jan  2 03:04:05 www sshd[%d]: Connection closed by 192.0.2.9 port %d\n", i, i)
			others++
		}
		if i%100 == 7 {
			b.WriteString("-- MARK --\n")
			odd++
		}
	}
	path := write(t, "syslog", []byte(b.String()))
	o := mineStats(t, nil, path)
	if o.code != 0 || o.stdout != string(want) || o.stats["files_syslog/envoy+combined+nginx_json"] != 1 {
		t.Errorf("exit code %d, other rules than those of the bare lines, or other formats:\n%s", o.code, o.stderr)
	}
	o.counted(t, lines+others+odd)
	bare := mineStats(t, nil, "testdata/semicomplete.log.gz")
	if o.stats["lines_malformed"] != odd || o.stats["lines_other"] != others+bare.stats["lines_malformed"] || o.stats["hits_admitted"] != bare.stats["hits_admitted"] {
		t.Errorf("want %d malformed, %d others, %d admitted:\n%s", odd, others, bare.stats["hits_admitted"], o.stderr)
	}
}
