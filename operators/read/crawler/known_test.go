package crawler

import (
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var rewriteKnown = flag.String("rewrite-known", "", "the JSON `file` of crawler-user-agents, from which known.txt is made again")

// entry is a robot of crawler-user-agents.
type entry struct {
	Pattern   string
	Instances []string
}

// doubtful are names of the list that people's browsers may have as well, so an agent with such a name is no robot.
// MetaIAB is the browser inside Facebook's program, AP3A.240617.008 a version of Android.
var doubtful = []string{"ap3a.240617.008", "metaiab~facebook", "viber", "fluid", "sonic", "speedy", "charlotte", "magellan", "adventurer", "butterfly", "operator/", "optimizer)"}

// least is the length from which a name counts wherever a word begins. A shorter name that begins all agents seen counts
// only there.
const least = 8

var (
	// alternatives are a group or a class of characters, of which expand makes one text each.
	alternatives = regexp.MustCompile(`\(([^()]*)\)|\[([^\]]*)\]`)
	plainName    = regexp.MustCompile(`^\^?[!-\]_-~]{4,}$`)
)

// expand returns the texts of a pattern in lower case, nil if it is none of some texts.
func expand(pattern string) (texts []string) {
	texts = branches(strings.ToLower(strings.NewReplacer(`(^| )`, ``, `([^-]|$)`, ``, `\(`, "\x01", `\)`, "\x02").Replace(pattern)))
	for i, text := range texts {
		text = strings.NewReplacer("\x01", "(", "\x02", ")").Replace(text)
		if strings.ContainsAny(text, "$*+?[]{}") || strings.Contains(text, `\d`) {
			return nil
		}
		texts[i] = strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll(text, `\`, "")), " ", "~")
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// branches returns the texts of a pattern of which groups and classes are alternatives.
func branches(p string) (texts []string) {
	at := alternatives.FindStringSubmatchIndex(p)
	if at == nil {
		return strings.Split(p, "|")
	}
	several := strings.Split(p[at[0]+1:at[1]-1], "|")
	if p[at[0]] == '[' {
		several = strings.Split(p[at[0]+1:at[1]-1], "")
	}
	for _, one := range several {
		texts = append(texts, branches(p[:at[0]]+one+p[at[1]:])...)
	}
	return texts
}

// names returns the lines of known.txt for an entry: none, if its agents are known without.
func (e entry) names() (lines []string) {
	without := func(agent string) bool { return oracleFamily(robots, agent) == People }
	if len(e.Instances) > 0 && !slices.ContainsFunc(e.Instances, without) {
		return nil
	}
	for _, text := range expand(e.Pattern) {
		begins := func(agent string) bool {
			return strings.HasPrefix(strings.ToLower(agent), strings.ReplaceAll(text, "~", " "))
		}
		if !plainName.MatchString(text) || slices.Contains(doubtful, text) || !without(strings.ReplaceAll(text, "~", " ")) {
			continue
		}
		if len(text) < least && text[0] != '^' && len(e.Instances) > 0 && !slices.ContainsFunc(e.Instances, func(a string) bool { return !begins(a) }) {
			text = "^" + text
		}
		lines = append(lines, text)
	}
	return lines
}

// Known robots are other robots, and browsers of like names are people.
func TestKnownRobots(t *testing.T) {
	for _, a := range []struct {
		agent  string
		family uint32
	}{
		{"Mozilla/5.0 (compatible; search.marginalia.nu; +https://search.marginalia.nu/)", Other},
		{"Mozilla/5.0 (compatible; Qwantify/2.4w; +https://www.qwant.com/)/2.4w", Other},
		{"Mozilla/5.0 (compatible; Owler (ows.eu/owler))", Other},
		{"Mozilla/5.0 (compatible; archive-it/1.0; +http://archive-it.org)", Other},
		{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MistralAI-User/1.0)", Other},
		{"trafilatura/2.0.0 (+https://github.com/adbar/trafilatura)", Other},
		{"Tiny Tiny RSS/1.11 (http://tt-rss.org/)", Other},
		{"Silk/1.0", Other},
		{"Mozilla/5.0 (Linux; Android 9; KFMAWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/120.3.1 like Chrome/120.0 Safari/537.36", People},
		{"Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP3A.240617.008; wv) AppleWebKit/537.36 Mobile Safari/537.36", People},
		{"Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Mobile Safari/537.36 MetaIAB Facebook", People},
		{"Mozilla/5.0 (Linux; Android 10; Panasonic) AppleWebKit/537.36 Mobile Safari/537.36", People},
	} {
		if got := Family([]byte(a.agent)); got != a.family || plain(a.agent) != got {
			t.Errorf("%s: %q, plainly %q, want %q", a.agent, nameOf(got), nameOf(plain(a.agent)), nameOf(a.family))
		}
	}
}

// TestKnown: the names of known.txt are in order, each once. With -rewrite-known FILE it makes known.txt again, and says
// which agents of the file are taken for people.
func TestKnown(t *testing.T) {
	if *rewriteKnown == "" {
		names := slices.DeleteFunc(strings.Split(strings.TrimSpace(known), "\n"), func(line string) bool { return strings.HasPrefix(line, "#") })
		if len(names) < 500 || !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
			t.Errorf("%d names, in order: %v", len(names), slices.IsSorted(names))
		}
		return
	}
	var entries []entry
	b, err := os.ReadFile(*rewriteKnown)
	if err == nil {
		err = json.Unmarshal(b, &entries)
	}
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, e := range entries {
		lines = append(lines, e.names()...)
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	var head strings.Builder
	for line := range strings.Lines(known) {
		if strings.HasPrefix(line, "#") {
			head.WriteString(line)
		}
	}
	list := strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile("known.txt", []byte(head.String()+list), 0o644); err != nil {
		t.Fatal(err)
	}
	all, people := 0, 0
	for _, e := range entries {
		for _, agent := range e.Instances {
			all++
			if oracleFamily(robots+list, agent) == People {
				people++
				t.Logf("people: %s: %s", e.Pattern, agent)
			}
		}
	}
	t.Logf("%d names; %d of %d agents are people", len(lines), people, all)
}
