package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mine hides what run withholds, in each of its outputs: what one client alone has is shown by its name and
// shape, and what the public asked for as it is.
func TestMineMasks(t *testing.T) {
	var log strings.Builder
	line := func(client int, target string, size int) {
		fmt.Fprintf(&log, "198.18.%d.9 - - [20/Nov/2026:10:00:00 +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n", client, target, size)
	}
	own := []string{}
	for i := range 24 {
		size := 1000 + 977*i
		ref, code, ticket := fmt.Sprintf("order-2026a-%d77", i), fmt.Sprintf("A%d3456789Z", 10+i), fmt.Sprintf("b%dc-2026x-file", 10+i)
		own = append(own, ref, code, ticket)
		for client := range 12 {
			line(client, fmt.Sprintf("/story/part%dv2026a.html", i), size)
		}
		line(i, fmt.Sprintf("/story/part%dv2026a.html?ref=%s", i, ref), size)
		line(i, fmt.Sprintf("/story/part%dv2026a.html?go=%s", i, code), size)
		line(i, fmt.Sprintf("/story/%s/part%dv2026a.html", ticket, i), size)
	}
	// Two values of one client each that replace each other in many places.
	for i := range 12 {
		for k, value := range []string{"zq8x2m7k4v", "k3v9w1q5x7"} {
			line(40+k, fmt.Sprintf("/doc%c/a?token=%s&page=x", 'a'+i, value), 50000+1234*i)
		}
	}
	own = append(own, "zq8x2m7k4v", "k3v9w1q5x7")
	dir := t.TempDir()
	path, report, list := filepath.Join(dir, "access.log"), filepath.Join(dir, "report.html"), filepath.Join(dir, "rules.jsonl")
	if err := os.WriteFile(path, []byte(log.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	code, text, errs := program(t.Context(), "mine", "--explain", "--top", "0", "--all", "--expand", "-o", "text", "-o", "json="+list, "-o", "html="+report, path)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	outputs := map[string]string{"text": text.String(), "standard error": errs.String()}
	for _, c := range []struct{ name, file string }{{"json", list}, {"html", report}} {
		b, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		outputs[c.name] = string(b)
	}
	for name, out := range outputs {
		for _, value := range own {
			if strings.Contains(out, value) {
				t.Errorf("%s shows %s", name, value)
			}
		}
	}
	for _, want := range []string{"part0v2026a", "ref=***(", "two hidden values of token are the same", "token=***1", "token=***2"} {
		if !strings.Contains(outputs["text"], want) {
			t.Errorf("the text does not say %s\n%.3000s", want, outputs["text"])
		}
	}
	code, text, _ = program(t.Context(), "mine", "--explain", "--top", "0", "--all", "--expand", "--no-withhold", path)
	if code != 0 || !strings.Contains(text.String(), "zq8x2m7k4v") {
		t.Error("--no-withhold hides")
	}
	code, _, errs = program(t.Context(), "validate", "--dry-run", "--rules", list, "--origin", "http://127.0.0.1:9", path)
	if strings.Contains(errs.String(), "is not a rule") {
		t.Errorf("validate does not read the list: %d, %s", code, errs)
	}
}
