package records

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/window/admit"
)

func syslogged(tag, line string) string { return "Jan  2 15:04:05 www " + tag + ": " + line + "\n" }

// Lines in wrappers are read whatever the wrapper, each file by itself.
func TestReadWrapped(t *testing.T) {
	line := func(n int) string { return strings.TrimSuffix(fmt.Sprintf(combinedLine, n), "\n") }
	all := readAll(t, Options{},
		write(t, "docker.log", fmt.Sprintf(`{"log":%q,"stream":"stdout","time":"x"}`+"\n", line(1)+"\n")),
		write(t, "cri.log", "2024-01-02T03:04:05.678Z stdout P "+line(2)[:50]+"\n2024-01-02T03:04:05.678Z stdout F "+line(2)[50:]+"\n"),
		write(t, "syslog", syslogged("nginx", line(3))+syslogged("sshd[7]", "hello")+"-- MARK --\n"),
		write(t, "plain", line(4)+"\n"),
		write(t, "export", "_PID=1\nMESSAGE="+line(5)+"\n\n_PID=1\nMESSAGE=hello\n\n"))
	want := []string{" /a?b=1 5 7", " /a?b=2 5 7", " /a?b=3 5 7", " /a?b=4 5 7", " /a?b=5 5 7"}
	if !slices.Equal(all.records, want) || len(all.errors) > 0 {
		t.Errorf("records %q, errors %v; want %q", all.records, all.errors, want)
	}
	if want := []string{"docker/combined", "cri/combined", "syslog/combined", "combined", "journal/combined"}; !slices.Equal(all.formats, want) {
		t.Errorf("formats %q, want %q", all.formats, want)
	}
	counts := Counts{Lines: 13, Malformed: 1, Wrapping: 5, Other: 2}
	counts.Reasons[admit.Admitted] = 5
	if all.counts != counts {
		t.Errorf("counts %+v, want %+v", all.counts, counts)
	}
}

// A named wrapper or format is not detected from the lines.
func TestWrapperNamed(t *testing.T) {
	noise := strings.Repeat(syslogged("sshd[7]", "hello"), 600)
	path := write(t, "syslog", noise+syslogged("nginx", strings.TrimSuffix(fmt.Sprintf(combinedLine, 1), "\n")))
	if all := readAll(t, Options{}, path); len(all.errors) != 1 || all.counts.Unknown != 601 {
		t.Errorf("nothing named: %+v", all)
	}
	if all := readAll(t, Options{Format: "syslog/combined"}, path); len(all.errors) > 0 || len(all.records) != 1 || all.counts.Other != 600 {
		t.Errorf("all named: errors %v, counts %+v", all.errors, all.counts)
	}
	docker := write(t, "docker.log", `{"log":"/x\t200\t12"}`+"\n")
	if all := readAll(t, Options{Format: "fluentbit"}, docker); len(all.errors) > 0 || len(all.records) != 1 || all.formats[0] != "fluentbit/urllist" {
		t.Errorf("a wrapper named: %+v", all)
	}
}

// A batch that ends in the middle of a line has no End, and each file has its own
// pieces.
func TestPiecesOverBatches(t *testing.T) {
	cri := func(tag, text string) string { return "2024-01-02T03:04:05.678Z stdout " + tag + " " + text + "\n" }
	r := grow(t, Options{Live: true, Format: "cri/urllist"},
		part("a", 1, true, 10, cri("F", "/a\t200\t1")+cri("P", "/a")),
		part("b", 2, true, 20, cri("F", "/b\t200\t1")+cri("P", "/b")),
		part("a", 1, false, 30, cri("P", "a\t20")),
		part("a", 1, false, 40, cri("F", "0\t2")),
		part("b", 2, false, 50, cri("F", "b\t200\t2")))
	var got []string
	errs := each(t, r, func(b *Batch) {
		said := fmt.Sprintf("%s to %d:", b.Path, b.End)
		for _, r := range b.Records {
			said += fmt.Sprintf(" %s %d", r.URL, r.Max)
		}
		got = append(got, said)
	})
	want := []string{"a to 0: /a 1", "b to 0: /b 1", "a to 0:", "a to 40: /aa 2", "b to 50: /bb 2"}
	if !slices.Equal(got, want) || len(errs) > 0 {
		t.Errorf("got %q, want %q; %v", got, want, errs)
	}
}
