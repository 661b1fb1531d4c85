package crawler

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"dustbuster/internal/oracle"
)

// plain is the family of an agent by the plain definition.
func plain(agent string) uint32 { return oracleFamily(robots+known, agent) }

func oracleFamily(others, agent string) uint32 { return oracle.Family(crawlers, others, agent) }

// agents are user agents as browsers and robots send them, with the name of the family.
var agents = []struct{ agent, family string }{
	{"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36", "people"},
	{"Mozilla/5.0 (Linux; Android 9; CUBOT X18 Plus) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/96.0 Mobile Safari/537.36", "people"},
	{"Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1", "people"},
	{"Opera/9.80 (J2ME/MIDP; Opera Mini/7.1; U; en) Presto/2.8.119 Version/11.10", "people"},
	{"Googlebot/2.1 (+http://www.google.com/bot.html)", "Googlebot"},
	{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/W.X.Y.Z Safari/537.36", "Googlebot"},
	{"Googlebot-Image/1.0", "Googlebot"},
	{"Mozilla/5.0 (compatible; GoogleOther)", "Googlebot"},
	{"Mediapartners-Google", "Googlebot"},
	{"Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "bingbot"},
	{"msnbot-media/1.1 (+http://search.msn.com/msnbot.htm)", "bingbot"},
	{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)", "GPTBot"},
	{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)", "ClaudeBot"},
	{"CCBot/2.0 (https://commoncrawl.org/faq/)", "CCBot"},
	{"Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)", "AhrefsBot"},
	{"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)", "Applebot"},
	{"Mozilla/5.0 (compatible; YandexImages/3.0; +http://yandex.com/bots)", "YandexBot"},
	{"Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)", "Baiduspider"},
	{"DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)", "DuckDuckBot"},
	{"Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)", "SemrushBot"},
	{"Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)", "MJ12bot"},
	{"Mozilla/5.0 (compatible; DotBot/1.2; +https://opensiteexplorer.org/dotbot; help@moz.com)", "DotBot"},
	{"Mozilla/5.0 (compatible;PetalBot;+https://webmaster.petalsearch.com/site/petalbot)", "PetalBot"},
	{"Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)", "Bytespider"},
	{"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_1) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)", "Amazonbot"},
	{"facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "meta-externalagent"},
	{"Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)", "PerplexityBot"},
	{"Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)", "archive.org_bot"},
	{"Mozilla/5.0 (compatible; SeznamBot/4.0; +http://napoveda.seznam.cz/seznambot-intro/)", "SeznamBot"},
	{"Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)", "Slurp"},
	{"Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)", "Sogou"},
	{"Mozilla/5.0 (compatible; DataForSeoBot/1.0; +https://dataforseo.com/dataforseo-bot)", "DataForSeoBot"},
	{"Mozilla/5.0 (compatible; BLEXBot/1.0; +http://webmeup-crawler.com/)", "BLEXBot"},
	{"Mozilla/5.0 (compatible; Barkrowler/0.9; +https://babbar.tech/crawler)", "Barkrowler"},
	{"Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; Trident/5.0); 360Spider", "360Spider"},
	{"python-requests/2.31.0", "other robots"},
	{"curl/8.5.0", "other robots"},
	{"Go-http-client/1.1", "other robots"},
	{"UniversalFeedParser/4.2-pre-314-svn +http://feedparser.org/", "other robots"},
	{"Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)", "other robots"},
	{"crawler4j (https://github.com/yasserg/crawler4j/)", "other robots"},
	{"Mozilla/5.0 (compatible; YisouSpider/5.0)", "other robots"},
	{"NotGooglebot", "other robots"},
	{"Mozilla/5.0 (compatible; Qwantify/2.4w; +https://www.qwant.com/)/2.4w", "other robots"},
	{"Zapier", "other robots"},
	{"Mozilla/5.0 Zapier", "people"},
	{"a bottle of Slurpee", "Slurp"},
	{"a bottle", "people"},
	{"cubot bot", "other robots"},
}

func nameOf(family uint32) string {
	if family == 0 {
		return ""
	}
	return Name(bits.TrailingZeros32(family))
}

// Each agent has its family, however it is spelled, and by the plain definition as well. Each
// named family has an agent.
func TestFamilies(t *testing.T) {
	var seen uint32
	for _, a := range agents {
		for _, agent := range []string{a.agent, strings.ToUpper(a.agent), strings.ToLower(a.agent), a.agent + strings.Repeat(" ", Most) + "Googlebot"} {
			family := Family([]byte(agent))
			seen |= family
			if nameOf(family) != a.family || plain(agent) != family {
				t.Errorf("%s: %q, plainly %q, want %q", agent, nameOf(family), nameOf(plain(agent)), a.family)
			}
		}
	}
	for bit := range 32 {
		if 1<<bit == Fake { // an address decides
			continue
		}
		if (Name(bit) != "") != (seen&(1<<bit) != 0) {
			t.Errorf("bit %d, %q: %v", bit, Name(bit), seen&(1<<bit) != 0)
		}
	}
	if Family(nil) != 0 {
		t.Error("no agent has a family")
	}
}

// The bits never change: journals and topics hold them.
func TestBits(t *testing.T) {
	want := "people, other robots, Googlebot, bingbot, GPTBot, ClaudeBot, CCBot, AhrefsBot, Applebot, YandexBot, Baiduspider, DuckDuckBot, " +
		"SemrushBot, MJ12bot, DotBot, PetalBot, Bytespider, Amazonbot, meta-externalagent, PerplexityBot, archive.org_bot, SeznamBot, Slurp, " +
		"Sogou, DataForSeoBot, BLEXBot, Barkrowler, 360Spider"
	if got := strings.Join(names[:], ", "); !strings.HasPrefix(got, want) {
		t.Errorf("%s\nwant first %s", got, want)
	}
}

// random returns an agent made of pieces of agents.
func random(rng *rand.Rand) string {
	var b strings.Builder
	for range 1 + rng.IntN(4) {
		piece := agents[rng.IntN(len(agents))].agent
		from := rng.IntN(len(piece))
		b.WriteString(piece[from : from+rng.IntN(len(piece)-from+1)])
		b.WriteString([]string{"", "", " ", "bot", "-", "u", "CU", "\x00", "K"}[rng.IntN(9)])
	}
	return b.String()
}

// Agents made of pieces have the family of the plain definition, whatever a memory knows.
func TestRandomAgents(t *testing.T) {
	m := NewMemory()
	for seed := range uint64(1500) {
		agent := random(rand.New(rand.NewPCG(seed, 1)))
		want := plain(agent)
		for range 2 {
			if got := m.Find([]byte(agent)).Family; got != want || Family([]byte(agent)) != want {
				t.Fatalf("%q: %q, want %q", agent, nameOf(got), nameOf(want))
			}
		}
	}
}

func FuzzFamily(f *testing.F) {
	for _, a := range agents {
		f.Add(a.agent)
	}
	f.Fuzz(func(t *testing.T, agent string) {
		if got, want := Family([]byte(agent)), plain(agent); got != want {
			t.Errorf("%q: %q, want %q", agent, nameOf(got), nameOf(want))
		}
	})
}

// A memory has a bound, and a known agent costs no allocation.
func TestMemory(t *testing.T) {
	m := NewMemory()
	for i := range 3 * remembered {
		m.Find(fmt.Appendf(nil, "%d%s", i, strings.Repeat("a", 2*Most)))
	}
	for _, k := range m.known {
		if len(k.agent) > Most || cap(k.agent) > 2*Most {
			t.Fatalf("an agent takes %d bytes", cap(k.agent))
		}
	}
	agent := []byte(agents[0].agent)
	m.Find(agent)
	if n := testing.AllocsPerRun(10, func() { m.Find(agent) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	if m.Find(nil).Family != 0 {
		t.Error("no agent has a family")
	}
}

func BenchmarkFamily(b *testing.B) {
	var all [][]byte
	for _, a := range agents {
		all = append(all, []byte(a.agent))
	}
	b.Run("known", func(b *testing.B) {
		m := NewMemory()
		for i := range b.N {
			m.Find(all[i%len(all)])
		}
	})
	b.Run("unknown", func(b *testing.B) {
		for i := range b.N {
			Family(all[i%len(all)])
		}
	})
}
