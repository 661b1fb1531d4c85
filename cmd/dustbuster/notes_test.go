package main

import (
	"fmt"
	"strings"
	"testing"
)

// The rules that a catch-all explains are folded under its note, in text and html. --expand gives
// them rows.
func TestMineFoldsUnderCatchAll(t *testing.T) {
	var b strings.Builder
	hit := func(client int, size int, format string, args ...any) {
		fmt.Fprintf(&b, "192.0.2.%d - - [17/May/2015:10:05:03 +0000] \"GET "+format+" HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n", append(append([]any{client}, args...), size)...)
	}
	for i := range 200 {
		hit(i, 3000+317*i, "/entry-%d.html", i)
		hit(i, 3000+317*i, "/entry-%d.html?sid=1", i)
	}
	for i := range 60 { // each of six parts of the site answers any name with its list
		hit(i, 501+97*(i%6), "/part%d/odd%c%d-x", i%6, 'a'+i%26, i)
		hit(i, 501+97*(i%6), "/part%d/odd%c%d-y", i%6, 'a'+i%26, i)
	}
	log := newFile(t, "access.log", b.String())
	for _, c := range []struct {
		args    string
		want    []string
		without string
	}{
		{"", []string{"Note: 120 of 520 URLs show one of 6 pages that the site seems to show for any name", "likely rule, such as: …-y is the same as …-x", "Not shown: 2 similar rules (--expand)", "ignore the parameter sid"}, "…-y shows the same page as …-x"},
		{"--explain", []string{"Note: 120 of 520 URLs show one of 6 pages that the site seems to show for any name", "likely rule, such as: …-y is the same as …-x", "1 rule joins pages that your site shows for any name: --expand shows them", "ignore the parameter sid"}, "/part0/odda0-y\n"},
		{"--expand", []string{"Note: 120 of 520 URLs show one of 6 pages", "…-y shows the same page as …-x", "ignore the parameter sid"}, "explain"},
		{"--expand --explain", []string{"Note: 120 of 520 URLs show one of 6 pages", "/part0/odda0-y\n", "ignore the parameter sid"}, "explain"},
		{"--output html", []string{"120 of 520 URLs show one of 6 pages", "It explains 1 likely rule, such as: …-y is the same as …-x", "1 rule explained by pages that the site shows for any name", "ignore the parameter sid"}, "/part0/odda0-<mark>y"},
		{"--output json", []string{`"-y"`, `"sid"`}, "explain"},
	} {
		args := append([]string{"mine"}, strings.Fields(c.args)...)
		code, out, errs := program(t.Context(), append(args, log)...)
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: without %q", c.args, want)
			}
		}
		if code != 0 || strings.Contains(out.String(), c.without) {
			t.Errorf("%s: ended with %d, %q in\n%s\n%s", c.args, code, c.without, out, errs)
		}
	}
}
