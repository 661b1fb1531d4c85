package integration

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/sinks/export"
)

// differing are sites with rules on which engines and canon may differ. The rules of drops
// are those that all formats can say.
func differing(drops bool) []export.Site {
	separators := urlnorm.Ampersand
	known := slices.Repeat([]*urlnorm.Separators{&separators}, 9)
	drop := []rule.Rule{{Edit: rule.Drop{Param: "n"}}}
	sites := []export.Site{{Host: "a.test", Rules: drop, Separators: known}, {Host: "b.test:8080", Rules: drop, Separators: known}}
	if drops {
		return sites
	}
	return append(sites, export.Site{Host: "grows.test", Rules: []rule.Rule{{Edit: rule.Substring{From: "/s/", To: "/stories/"}}}},
		export.Site{Host: "restless.test", Rules: []rule.Rule{{Edit: rule.Substring{From: "/x/", To: "/y/"}}, {Edit: rule.Substring{From: "/y/", To: "/x/z/"}}}})
}

// deviation is a URL that shows a difference, or on which all agree.
type deviation struct {
	is  export.Difference // "": none
	by  string            // the format whose readers see it; "": all, more: those that say more than drops
	url string
}

var (
	longQuery  = "/p?n=1&m=" + strings.Repeat("x", rule.MaxBytes)
	deviations = []deviation{
		{"", "", "http://a.test/p?n=1&m=2"},
		{"", "", "http://b.test:8080/p?n=1&m=2"},
		{"", "", "https://a.test/p?n=1&m=2"},
		{"", "", "http://c.test/p?n=1&m=2"},
		{"", "", "http://b.test/p?n=1&m=2"},
		{"", "", "http://a.test:8080/p?n=1&m=2"},
		{"", "", "https://a.test:80/p?n=1&m=2"},
		{"", "", "http://a.test/p?n=1&m=" + strings.Repeat("x", 1000)},
		{export.EditsLong, "dud", "http://a.test" + longQuery},
		{"", "more", "http://a.test" + longQuery},
		{export.EditsGrown, "more", "http://grows.test/s/" + strings.Repeat("x", rule.MaxBytes-4)},
		{export.EditsOften, "more", "http://restless.test/x/"},
		{export.PassesPort, "", "http://a.test:80/p?n=1&m=2"},
		{export.PassesPort, "", "https://a.test:443/p?n=1&m=2"},
		{export.PassesDot, "", "http://a.test./p?n=1&m=2"},
		{export.PassesDot, "", "http://a.test../p?n=1&m=2"},
		{export.PassesDot, "", "http://b.test.:8080/p?n=1&m=2"},
		{export.PassesCase, "", "http://A.TEST/p?n=1&m=2"},
		{export.KeepsRaw, "", "http://a.test/p?n=1&m=2#part"},
		{export.KeepsRaw, "", "http://a.test/p?m=2#part"},
		{export.KeepsRaw, "", "http://a.test/caf\u00e9?n=1&m=2"},
		{export.KeepsRaw, "more", "http://a.test?n=1"},
		{export.PassesNoPath, "dud", "http://a.test?n=1"},
		{export.PassesFragment, "heritrix", "http://a.test/p?n=1&m=2#part"},
		{export.EmptyPieces, "", "http://a.test/p?n=1&a&&b"},
		{export.LeavesPlaces, "heritrix", "http://a.test/p?" + strings.Repeat("k&n&", 2*export.Places+1) + "k"},
	}
)

// canonForm is a URL's canonical form.
func canonForm(t *testing.T, sites []export.Site, url string) string {
	t.Helper()
	var all []canon.Site
	for _, s := range sites {
		all = append(all, canon.Site{Name: s.Host, Rules: s.Rules})
	}
	c, err := canon.NewSites(all)
	must(t, err)
	out, _ := c.Canonical(url)
	return out
}

// said are the differences of a format, which the command must have reported.
func said(t *testing.T, format, report string) []export.Difference {
	t.Helper()
	for _, f := range export.Formats() {
		if f.Name != format {
			continue
		}
		for _, d := range f.Differs {
			if !strings.Contains(report, "  "+string(d)+"\n") {
				t.Errorf("not reported: %s", d)
			}
		}
		return f.Differs
	}
	t.Fatal(format)
	return nil
}

// judge holds what an engine makes of the URLs against canon and what was said: where that
// is no difference, the engine agrees; and each difference that was said is shown.
func judge(t *testing.T, format string, differs []export.Difference, shown []deviation, got func(url string) string, sites []export.Site) {
	t.Helper()
	for _, said := range differs {
		if !slices.ContainsFunc(shown, func(d deviation) bool { return d.is == said }) {
			t.Errorf("%s: nothing shows that %s", format, said)
		}
	}
	for _, d := range shown {
		want := canonForm(t, sites, d.url)
		if is := got(d.url); (is != want) != slices.Contains(differs, d.is) {
			t.Errorf("%s of %.60q: %.60q, canon %.60q, and said is %q", format, d.url, is, want, differs)
		}
	}
}

// What the engines that see whole URLs do otherwise than canon is what the command says.
func TestExportDiffers(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"nutch", "stormcrawler", "heritrix", "dud"} {
		t.Run(format, func(t *testing.T) {
			drops := format == "dud"
			sites := differing(drops)
			file, report := exportedWith(t, format, sites, export.Options{Unroll: 2})
			var shown []deviation
			for _, d := range deviations {
				if d.by == "" || d.by == format || d.by == "more" && !drops {
					shown = append(shown, d)
				}
			}
			engine := []string{"java", filepath.Join("testdata", "export", "Normalize.java"), format, file}
			if drops {
				engine = []string{python(t), filepath.Join("testdata", "export", "discard.py"), file}
			}
			judge(t, format, said(t, format, report), shown, rewrites(t, engine, shown), sites)
		})
	}
}

// rewrites has a program read the URLs, and returns what it makes of each.
func rewrites(t *testing.T, engine []string, shown []deviation) func(url string) string {
	t.Helper()
	need(t, engine[0], "its export is not tried")
	var in strings.Builder
	for _, d := range shown {
		fmt.Fprintln(&in, d.url)
	}
	cmd := exec.Command(engine[0], engine[1:]...)
	cmd.Stdin = strings.NewReader(in.String())
	made := map[string]string{}
	for i, line := range strings.Split(strings.TrimSuffix(succeed(t, cmd).stdout, "\n"), "\n") {
		made[shown[i].url] = line
	}
	return func(url string) string { return made[url] }
}

// So it is with the servers, which see a path, and the host in a header.
func TestExportServersDiffer(t *testing.T) {
	t.Parallel()
	shown := []deviation{
		{"", "", "http://a.test/p?n=1&m=2"},
		{"", "", "http://b.test:8080/p?n=1&m=2"},
		{"", "", "http://b.test/p?n=1&m=2"},
		{"", "", "http://A.TEST/p?n=1&m=2"},
		{"", "", "http://a.test:80/p?n=1&m=2"},
		{export.PassesDot, "", "http://a.test./p?n=1&m=2"},
		{export.PassesDot, "", "http://a.test.:80/p?n=1&m=2"},
		{export.PassesDot, "", "http://b.test.:8080/p?n=1&m=2"},
		{export.AnyPort, "", "http://a.test:443/p?n=1&m=2"},
		{"", "", "http://a.test" + longQuery},
		{"", "more", "http://grows.test/s/" + strings.Repeat("x", rule.MaxBytes-4)},
		{export.EditsOften, "more", "http://restless.test/x/"},
		{export.PassesRaw, "", "http://a.test/caf\u00e9?n=1&m=2"},
		{export.PassesPlaces, "", "http://a.test/p?" + strings.Repeat("k&n&", export.Places+1) + "k"},
		{export.PassesName, "", "http://a.test/" + strings.Repeat("x", 256) + "?n=1&m=2"},
		{"", "", "http://a.test/" + strings.Repeat("x", 255) + "?n=1&m=2"},
	}
	sites := differing(false)
	for format, start := range exportServers {
		t.Run(format, func(t *testing.T) {
			file, report := exportedWith(t, format, sites, export.Options{Unroll: 2})
			address := start(t, file)
			judge(t, format, said(t, format, report), shown, func(url string) string { return reported(t, address, url) }, sites)
		})
	}
}
