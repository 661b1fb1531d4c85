package integration

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/stream/rules"
)

// applierCommands are the commands of sinks/appliers, by language, in their folders. A command
// returns nil and the reason if this machine cannot run it.
var applierCommands = []struct {
	language string
	command  func() (args []string, missing string)
}{
	{"python", func() ([]string, string) {
		python := cmp.Or(os.Getenv("DUSTBUSTER_PYTHON"), "python3")
		if _, err := exec.LookPath(python); err != nil {
			return nil, "a Python 3"
		}
		return []string{python, "-m", "dustbuster_rules"}, ""
	}},
	{"java", func() ([]string, string) {
		for _, name := range []string{"java", "mvn"} {
			if _, err := exec.LookPath(name); err != nil {
				return nil, "Java 17 and Maven"
			}
		}
		if err := packJava(); err != nil {
			return nil, err.Error()
		}
		return []string{"java", "-jar", filepath.Join("core", "target", "dustbuster-rules.jar")}, ""
	}},
	{"javascript", func() ([]string, string) {
		if _, err := exec.LookPath("node"); err != nil {
			return nil, "Node 18"
		}
		return []string{"node", "canon.mjs"}, ""
	}},
}

// packJava builds the applier in Java, once for all tests of the binary.
var packJava = sync.OnceValue(func() error {
	cmd := exec.Command("mvn", "-q", "-B", "-pl", "core,kafka", "package", "-DskipTests")
	cmd.Dir = filepath.Join("..", "sinks", "appliers", "java")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the applier in Java: %w\n%s", err, out)
	}
	return nil
})

// runApplier gives an applier URLs, and returns the lines that it prints.
func runApplier(t testing.TB, language string, args []string, urls []string, flags ...string) []string {
	t.Helper()
	cmd := exec.Command(args[0], append(args[1:len(args):len(args)], flags...)...)
	cmd.Dir = filepath.Join("..", "sinks", "appliers", language)
	cmd.Stdin = strings.NewReader(strings.Join(urls, "\n") + "\n")
	return strings.Split(strings.TrimSuffix(succeed(t, cmd).stdout, "\n"), "\n")
}

// urlHost is the host of urlsOf. Rules of logs without hosts are for it.
const urlHost = "www.example.org"

// appliersAgree compares the appliers with the canonizer: the forms of URLs, and the ids of
// the rules that make them.
func appliersAgree(t *testing.T, list string, urls []string) {
	t.Helper()
	for _, a := range applierCommands {
		t.Run(a.language, func(t *testing.T) {
			args, missing := a.command()
			if args == nil {
				t.Skipf("SKIPPED: needs %s: the applier is not compared", missing)
			}
			want, changed := applied(t, list, urls)
			got := runApplier(t, a.language, args, urls, "canon", "--rules", list, "--host", urlHost, "--two-labels", "--steps")
			if len(got) != len(want) {
				t.Fatalf("%d lines for %d URLs", len(got), len(want))
			}
			differ := 0
			for i := range want {
				if got[i] != want[i] {
					if differ++; differ <= 5 {
						t.Errorf("%s becomes %q, want %q", urls[i], got[i], want[i])
					}
				}
			}
			t.Logf("%d URLs, %d changed by rules, %d differ", len(urls), changed, differ)
		})
	}
}

// applied returns what an applier should print, by the canonizer, and the number of URLs
// that rules change.
func applied(t *testing.T, path string, urls []string) (lines []string, changed int) {
	t.Helper()
	list, err := rules.Open(t.Context(), path)
	must(t, err)
	sites, err := list.Compile()
	must(t, err)
	sites, err = sites.For(urlHost)
	must(t, err)
	ids := map[string][]string{} // by site and rank
	for _, s := range list.Sites {
		for i := range s.Records {
			ids[s.Name] = append(ids[s.Name], s.Records[i].ID)
		}
	}
	for _, url := range urls {
		form, _ := sites.Canonical(url)
		var steps []string
		for step := range sites.Steps(url) {
			steps = append(steps, ids[step.Site][step.Rank])
		}
		if len(steps) > 0 {
			changed++
		}
		lines = append(lines, form+"\t"+strings.Join(steps, " "))
	}
	return lines, changed
}

// The appliers give the canonizer's forms of the URLs of two real sites, under the rules that
// mine finds in their logs. TestLiveSites compares them under rules that were validated.
func TestAppliersOnRealURLs(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	for _, g := range goals {
		log := filepath.Join(data, "sites", g.site, "access.log.gz")
		list := write(t, "rules.jsonl", asPublished(t, mine(t, log)))
		t.Run(g.site, func(t *testing.T) { appliersAgree(t, list, sampled(urlsOf(t, log), rounds(9, 1))) })
	}
}

// urlsOf returns the different URLs of a log without hosts, as URLs of some host.
func urlsOf(t testing.TB, log string) (urls []string) {
	t.Helper()
	seen := map[string]bool{}
	for _, line := range logLines(t, log) {
		fields := bytes.Fields(line)
		if len(fields) < 7 || fields[6][0] != '/' || seen[string(fields[6])] {
			continue
		}
		seen[string(fields[6])] = true
		urls = append(urls, "http://"+urlHost+string(fields[6]))
	}
	return urls
}

// asPublished returns likely rules as if they had been published.
func asPublished(t testing.TB, likely []byte) []byte {
	t.Helper()
	candidates, err := rules.ReadCandidates(bytes.NewReader(likely), func(err error) { t.Log(err) })
	must(t, err)
	var out bytes.Buffer
	for site, all := range candidates {
		for i, c := range all {
			r := rule.Record{Schema: rule.Schema, Site: site, ID: rule.ID(site, &c.Rule), Wire: *rule.NewWire(&c.Rule), Rank: i + 1, State: rule.Valid}
			must(t, json.NewEncoder(&out).Encode(r))
		}
	}
	return out.Bytes()
}

// Without a host that is named, each command changes paths by rules of a log without host names, and
// ends at a URL that only such rules could change, with words that say how to go on.
func TestAppliersNeedHost(t *testing.T) {
	t.Parallel()
	list := write(t, "rules.jsonl", []byte(`{"schema":2,"site":"","id":"1","rank":1,"state":"valid","kind":"parameter","op":"drop","params":["x"],"scope":{}}
{"schema":2,"site":"own.example","id":"2","rank":1,"state":"valid","kind":"parameter","op":"drop","params":["y"],"scope":{}}
{"schema":2,"site":"new.example","id":"3","rank":1,"state":"valid","kind":"magic","scope":{}}
`))
	const free = "/a?x=1\n//b.example/?x=1\nhttp://own.example/?x=1&y=2\nhttp://new.example/?x=1\nmailto:a?x=1\nhttp://a b/?x=1\n\n"
	const forms = "/a\n//b.example/?x=1\nhttp://own.example/?x=1\nhttp://new.example/?x=1\nmailto:a?x=1\nhttp://a b/?x=1\n\n"
	for _, a := range applierCommands {
		t.Run(a.language, func(t *testing.T) {
			args, missing := a.command()
			if args == nil {
				t.Skipf("SKIPPED: needs %s: the applier is not tried", missing)
			}
			run := func(input string, flags ...string) ran {
				cmd := exec.Command(args[0], slices.Concat(args[1:], []string{"canon", "--rules", list, "--two-labels"}, flags)...)
				cmd.Dir = filepath.Join("..", "sinks", "appliers", a.language)
				cmd.Stdin = strings.NewReader(input)
				return finish(t, cmd)
			}
			const other = "http://b.example/?x=1\n/?x=2\n"
			if r := run(free); r.code != 0 || r.stdout != forms {
				t.Errorf("without a host: %v", r)
			}
			if r := run(free + other); r.code != 1 || r.stdout != forms || !strings.Contains(r.stderr, "the rules name no host: add --host www.example.org") {
				t.Errorf("without a host, beside a URL with one: %v", r)
			}
			if r := run(other, "--host", "B.example."); r.code != 0 || r.stdout != "http://b.example/\n/\n" || r.stderr != "" && a.language == "python" {
				t.Errorf("with its host: %v", r)
			}
			if r := run(other, "--host", "c.example"); r.code != 0 || r.stdout != "http://b.example/?x=1\n/\n" {
				t.Errorf("with another host: %v", r)
			}
			if r := run(other, "--host", "a b"); r.code != 1 || r.stdout != "" || !strings.Contains(r.stderr, "not a host") {
				t.Errorf("with no host: %v", r)
			}
		})
	}
}

// Many sites, each with a random list of the rules of docs/conformance, which are of all kinds.
func TestAppliersOnRandomLists(t *testing.T) {
	t.Parallel()
	records, urls := conformanceRules(t)
	random := rand.New(rand.NewPCG(17, 8))
	var list bytes.Buffer
	var asked []string
	for n := range rounds(6, 200) {
		site := fmt.Sprintf("s%d.example", n)
		for rank := range 2 + random.IntN(30) {
			r := records[random.IntN(len(records))]
			r["site"], r["id"], r["rank"] = site, fmt.Sprint(rank), rank
			must(t, json.NewEncoder(&list).Encode(r))
		}
		for range 150 {
			asked = append(asked, strings.Replace(urls[random.IntN(len(urls))], "a.example", site, 1))
		}
	}
	path := write(t, "rules.jsonl", list.Bytes())
	appliersAgree(t, path, asked)
}

// conformanceRules returns the records and URLs of the cases of docs/conformance whose lists
// are of one site, valid and known.
func conformanceRules(t *testing.T) (records []map[string]any, urls []string) {
	t.Helper()
	f, err := os.Open("../docs/conformance/cases.jsonl")
	must(t, err)
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var c struct {
			Rules []map[string]any
			URL   string
		}
		must(t, json.Unmarshal(in.Bytes(), &c))
		if !strings.HasPrefix(c.URL, "http://a.example/") || strings.Contains(c.URL, "\n") || slices.ContainsFunc(c.Rules, isOdd) {
			continue
		}
		records, urls = append(records, c.Rules...), append(urls, c.URL)
	}
	if len(urls) < 900 {
		t.Fatalf("only %d URLs", len(urls))
	}
	return records, urls
}

// isOdd reports whether a rule is of no plain site, or unknown.
func isOdd(record map[string]any) bool {
	text, err := json.Marshal(record)
	if err != nil {
		return true
	}
	r, err := rule.ReadRecord(text)
	if err == nil {
		_, err = r.Rule()
	}
	return err != nil || r.Site != "a.example" || r.State != rule.Valid
}
