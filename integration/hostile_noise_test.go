package integration

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Pages that are the same to a reader beside what changes with each visit or form.

// chance is a number below n that belongs to a visit and a name.
func (v view) chance(name string, n int) int {
	return int(mixed(number(fmt.Sprint("visit", v.visit, name))) % uint64(n))
}

// noShow shows nothing but the text of the subject.
func noShow(view) string { return "" }

// Noise that readers overlook.
var noisy = []seenSite{
	{name: "true, plain by edition", shape: byEdit, same: true, shows: noShow},
	{name: "true, plain by directory", shape: byDir, same: true, shows: noShow},
	{name: "true, counter by query", shape: byQuery, same: true, shows: func(v view) string { return fmt.Sprintf("Viewed %d times", 1200+v.visit) }},
	{name: "true, counter by parameter", shape: byParam, same: true, shows: func(v view) string { return fmt.Sprintf("Viewed %d times", 1200+v.visit) }},
	{name: "true, hashes by query", shape: byQuery, same: true, shows: func(v view) string {
		return fmt.Sprintf(`<img src="/build/logo.%s.svg"><img src="/build/hero-%s.webp">`, nonce()[:8], nonce()[:10])
	}},
	{name: "true, slogans by query", shape: byQuery, same: true, words: 900, shows: func(v view) string {
		return []string{prose("slogan", 8), prose("motto", 8)}[v.chance("slogan", 2)]
	}},
	{name: "true, old charset", shape: byPrint, same: true, shows: func(v view) string { return "\xf1\xea\xeb\xe0\xe4" + wordOf(v.id) }, live: inCharset("windows-1251")},
	{name: "true, links of other sites", shape: byFolder, same: true, shows: func(v view) string {
		return `<a href="https://share.example/?u=` + v.url + `">Share</a> <a href="https://` + wordOf(v.id) + `.example/">Site</a>`
	}},
	{name: "true, titles of links", shape: byQuery, same: true, shows: func(v view) string {
		return `<a href="/" title="Home">Home</a> <span class="icon" title="` + wordOf(v.id) + `"></span><time datetime="2025-05-` + fmt.Sprint(10+v.id%20) + `"></time>`
	}},
	{name: "true, linked data of the day", shape: byQuery, same: true, shows: func(v view) string {
		return fmt.Sprintf(`<script type="application/ld+json">{"@id":"%s","name":"%s","price":%d,"dateModified":"2025-05-17T10:%02d:%02d"}</script>`, v.url, wordOf(v.id), v.id, v.visit/60%60, v.visit%60)
	}},
	{name: "true, bold menu", shape: byPrint, same: true, shows: func(v view) string {
		return []string{`<b>Screen</b> Print`, `Screen <b>Print</b>`}[v.form]
	}},
	{name: "true, hidden banners", shape: byFolder, same: true, shows: func(v view) string {
		return `<div` + []string{"", " hidden"}[v.chance("banner", 2)] + `>We use cookies</div><div style="display:` + []string{"none", "block"}[v.chance("box", 2)] + `">Chat</div>`
	}},
	{name: "true, refresh to itself", shape: byQuery, same: true, shows: noShow, head: func(v view) string { return `<meta http-equiv="refresh" content="300; url=` + v.url + `">` }},
	{name: "true, share by mail", shape: byFolder, same: true, shows: func(v view) string {
		return `<a href="mailto:?subject=Look&body=http://localhost` + v.url + `">Mail</a><a href="tel:+4930123456">Call</a>`
	}},
	{name: "true, addresses with a nonce", shape: byPrint, same: true, shows: func(v view) string {
		return `<a href="/cdn-cgi/l/email-protection#` + nonce() + `">[email protected]</a> <svg><use href="#i` + nonce() + `"/></svg>`
	}},
	{name: "true, advert in words", shape: byQuery, same: true, words: 700, shows: func(v view) string {
		return `<aside>` + prose(fmt.Sprint("advert", mixed(v.visit)), 8) + `<img src="/ads/` + wordOf("ad", mixed(v.visit)) + `.jpg" alt="` + wordOf("alt", mixed(v.visit)) + `"></aside>`
	}},
	{name: "true, tokens of forms", shape: byPrint, same: true, shows: func(v view) string {
		return `<form action="/send?csrf=` + nonce() + `"><input type="hidden" name="_token" value="` + nonce() + `"><textarea></textarea></form><a href="/logout?token=` + nonce() + `">log out</a>`
	}},
	{name: "true, random hosts of pictures", shape: byFolder, same: true, shows: func(v view) string {
		return fmt.Sprintf(`<img src="https://img%d.cdn.example/m/%s.jpg?sig=%s&amp;exp=%d">`, v.chance("host", 8), wordOf(v.id), nonce(), 1747000000+v.visit)
	}},
	{name: "true, clock", shape: byQuery, same: true, shows: func(v view) string {
		return fmt.Sprintf("Server time %02d:%02d:%02d, made in 0.%03d s", v.visit/3600%24, v.visit/60%60, v.visit%60, v.chance("time", 1000))
	}},
	{name: "true, few watchers", shape: byPrint, same: true, shows: func(v view) string {
		return fmt.Sprintf("%d people are looking at this", 2+v.chance("watchers", 8))
	}},
	{name: "true, session in links", shape: families{"/part/%d", "/part/%d;s=kjx7", "/part/%d;s=pwq2", "/part/%d;s=zrt9"}, same: true, shows: func(v view) string {
		_, sid, _ := strings.Cut(v.url, ";s=")
		return `<a href="/cart;s=` + sid + `">cart</a> <a href="/help;s=` + sid + `">help</a> <a href="/f/terms.pdf;s=` + sid + `">terms</a>`
	}},
	{name: "true, shuffled tags", shape: byFolder, same: true, words: 500, shows: func(v view) string {
		var b strings.Builder
		for _, n := range rand.New(rand.NewPCG(mixed(v.visit), 1)).Perm(30) {
			b.WriteString("<li>" + wordOf("tag", n))
		}
		return b.String()
	}},
	{name: "true, related links", shape: byQuery, same: true, words: 900, shows: func(v view) string {
		var b strings.Builder
		for k := range 5 {
			n := v.chance(fmt.Sprint("related", k), 600)
			fmt.Fprintf(&b, `<a href="/r/%d"><img src="/t/%d.jpg" alt="">%s</a>`, n, n, prose(fmt.Sprint("title", n), 3))
		}
		return b.String()
	}},
	{name: "true, names of elements", shape: byView, same: true, shows: func(v view) string {
		return `<svg><linearGradient id="g` + nonce() + `"/><rect width="9" height="7" fill="url(#g` + nonce() + `)"/></svg><label for="i` + nonce() + `">Name</label><input id="i` + nonce() + `" aria-describedby="d` + nonce() + `">`
	}},
	{name: "true, picture of a captcha", shape: byFolder, same: true, words: 600, shows: func(v view) string {
		return `<form>Comment <img src="/captcha/` + nonce() + `.png" alt="captcha"><input name="c"></form>`
	}},
	{name: "true, path of the menu", shape: byFolder, same: true, words: 600, shows: func(v view) string {
		return []string{"Home › Northern › Goods", "Home › Goods"}[v.form]
	}},
	{name: "true, gauge of the server", shape: byPrint, same: true, shows: func(v view) string {
		return fmt.Sprintf(`Load <meter value="0.%02d"></meter> <progress max="100" value="%d"></progress>`, v.chance("load", 100), v.chance("jobs", 100))
	}},
	{name: "true, poll", shape: byQuery, same: true, words: 600, shows: func(v view) string {
		var b strings.Builder
		for _, n := range rand.New(rand.NewPCG(mixed(v.visit), 2)).Perm(4) {
			fmt.Fprintf(&b, `<input type="radio" name="poll" value="%d"> %s`, n, wordOf("poll", n))
		}
		return b.String()
	}},
	{name: "true, marked menu", shape: byView, same: true, words: 600, shows: func(v view) string {
		return []string{`<b>Text</b> | <a href="?view=2">Print</a>`, `<a href="?">Text</a> | <b>Print</b>`}[v.form]
	}},
	{name: "true, state with a nonce", shape: byDir, same: true, shows: func(v view) string {
		return `<script>window.__STATE__ = {"user":null,"csrf":"` + nonce() + `","now":` + fmt.Sprint(1747000000+v.visit) + `}</script>`
	}},
	{name: "true, a view in the title", shape: byPrint, same: true, shows: func(v view) string {
		return wordOf(v.id) + []string{" - Shop", " print - Shop"}[v.form]
	}},
	{name: "true, a path of the URL", shape: byFolder, same: true, words: 900, shows: func(v view) string {
		return "Home / " + []string{"north", "south"}[v.form] + " / " + wordOf(v.id) + " (" + fmt.Sprint(v.id) + ")"
	}},
	{name: "true, linked data of one view", shape: byPrint, same: true, shows: func(v view) string {
		data := `{"name":"` + wordOf(v.id) + `","sku":"` + wordOf("sku", v.id) + `"}`
		return []string{`<script type="application/ld+json">` + data + `</script>`, `<script type="application/javascript">` + data + `</script>`}[v.form]
	}},
	{name: "true, linked data of two views", shape: byDir, same: true, shows: func(v view) string {
		return `<script type="application/ld+json">{"name":"` + wordOf(v.id) + `","url":"http://localhost` + v.url + `"` + []string{"", `,"sku":"` + wordOf("sku", v.id) + `"`, ""}[v.form] + `}</script>`
	}},
	{name: "true, links of the site by two names", shape: byView, same: true, shows: func(v view) string {
		host := []string{"www", "m"}[v.form] + ".shop.example"
		return fmt.Sprintf(`<a href="https://%s/a">a</a> <a href="https://%s/%d">next</a>`, host, host, v.id+1)
	}},
	{name: "true, adverts of three sites", shape: byQuery, same: true, shows: func(v view) string {
		n := v.chance("advert", 3)
		return fmt.Sprintf(`<a href="https://%s.example/?from=%s"><img src="/ads/%d.gif"></a>`, wordOf("site", n), v.url, n)
	}},
	{name: "true, two adverts in any order", shape: byFolder, same: true, words: 600, shows: func(v view) string {
		n := v.chance("advert", 2)
		return fmt.Sprintf(`Above <img src="/ads/%d.gif"> Below <img src="/ads/%d.gif">`, n, 1-n)
	}},
	{name: "true, tags in any order", shape: byPrint, same: true, words: 600, shows: func(v view) string {
		var b strings.Builder
		for _, n := range rand.New(rand.NewPCG(mixed(v.visit), 3)).Perm(12) {
			b.WriteString(wordOf("tag", n) + " " + []string{"|", "+", "~"}[n%3] + " ")
		}
		return b.String()
	}},
	{name: "true, elements of scripts with a nonce", shape: byQuery, same: true, shows: func(v view) string {
		return `<x-app nonce="` + nonce() + `" page="` + v.url + `" name="` + wordOf(v.id) + `"></x-app><iframe srcdoc="<p>` + nonce() + `"></iframe><time datetime="` + nonce() + `">now</time>`
	}},
	{name: "true, a menu that is shown or not", shape: byFolder, same: true, shows: func(v view) string {
		return `<div style="display:` + []string{"none", "block"}[v.form] + `">Menu</div>` + wordOf(v.id) + `<div` + []string{" hidden", ""}[v.form] + `></div>` + wordOf("b", v.id)
	}},
	{name: "true, visitor number, a parameter", shape: byParam, same: true, shows: func(v view) string { return "visitor " + nonce() }},
	{name: "true, hashes by parameter", shape: byParam, same: true, shows: func(v view) string {
		return fmt.Sprintf(`<img src="/build/logo.%s.svg"><img src="/build/hero-%s.webp">`, nonce()[:8], nonce()[:10])
	}},
	{name: "true, slogans by parameter", shape: byParam, same: true, words: 900, shows: func(v view) string {
		return []string{prose("slogan", 8), prose("motto", 8)}[v.chance("slogan", 2)]
	}},
	{name: "true, hashes in file names", shape: byEdit, same: true, shows: func(v view) string {
		return fmt.Sprintf(`<img src="/build/logo.%s.svg"><img src="/build/hero-%s.webp">`, nonce()[:8], nonce()[:10])
	}},
	{name: "true, counter of views", shape: byDir, same: true, shows: func(v view) string { return fmt.Sprintf("Viewed %d times", 1200+v.visit) }},
	{name: "true, two slogans", shape: byEdit, same: true, words: 900, shows: func(v view) string {
		return []string{prose("slogan", 8), prose("motto", 8)}[v.chance("slogan", 2)]
	}},
	{name: "true, nonce, three folders", shape: byDir, same: true, shows: func(v view) string { return "request " + nonce() }},
	{name: "true, visitor number, four editions", shape: byEdit, same: true, shows: func(v view) string { return "visitor " + nonce() }},
	{name: "true, random number, three folders", shape: byDir, same: true, shows: func(v view) string { return fmt.Sprintf("%d online", 100+v.chance("online", 900)) }},
	{name: "true, clock, three folders", shape: byDir, same: true, shows: func(v view) string {
		return fmt.Sprintf("Server time %02d:%02d:%02d", v.visit/3600%24, v.visit/60%60, v.visit%60)
	}},
	{name: "true, advert, three folders", shape: byDir, same: true, words: 900, shows: func(v view) string { return prose(fmt.Sprint("advert", mixed(v.visit)), 6) }},
}

func TestHostileNoise(t *testing.T) { tryValidate(t, familyOf(noisy)) }
