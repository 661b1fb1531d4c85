package integration

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// More sites whose pages differ in what a reader sees.

// The shapes of more URLs of a section.
var (
	byPrint = families{"/leaf/%d", "/leaf/%d?print=1"}
	byEdit  = families{"/act/%d?ed=1", "/act/%d?ed=2", "/act/%d?ed=3", "/act/%d?ed=4"}
	byDir   = families{"/east/%d.html", "/west/%d.html", "/mid/%d.html"}
	byTone  = families{"/lamp/%d", "/lamp/%d?tone=blue", "/lamp/%d?tone=green", "/lamp/%d?tone=amber"}
)

// Signs, and letters of other scripts and character sets.
var moreSigns = []seenSite{
	{name: "more sign, flags", shape: byQuery, shows: func(v view) string { return "Made in " + v.one("🇩🇪", "🇫🇷", "🇮🇹", "🇪🇸") }},
	{name: "more sign, with a legend", shape: byPrint, shows: func(v view) string {
		return "In stock: " + v.one("✓", "✗") + " <small>(✓ in stock, ✗ sold out)</small>"
	}},
	{name: "more sign, professions", shape: byFolder, shows: func(v view) string { return v.one("👩‍🔬", "👨‍🔬", "👩‍🚀", "👨‍🚀") }},
	{name: "more sign, bar of blocks", shape: byPrint, shows: func(v view) string {
		n := v.any("bar", 10)
		return "[" + strings.Repeat("▓", n) + strings.Repeat("░", 10-n) + "]"
	}},
	{name: "more sign, flats and sharps", shape: byDir, shows: func(v view) string { return "Sonata in B" + v.one("♭", "♯", "♮") }},
	{name: "more sign, decimal point", shape: byPrint, shows: func(v view) string { return "pH " + v.one("1.35", "13.5") + " at noon" }},
	{name: "more sign, question", shape: byEdit, shows: func(v view) string { return "The minister resigns" + v.one("!", "?", "…") }},
	{name: "more sign, chess men", shape: byFolder, shows: func(v view) string { return "White moves " + v.one("♔", "♕", "♖", "♗", "♘", "♙") }},
	{name: "more sign, dice", shape: byQuery, shows: func(v view) string { return "You threw " + v.one("⚀⚁", "⚂⚃", "⚄⚅") }},
	{name: "more sign, moon", shape: byDir, shows: func(v view) string { return "Moon tonight: " + v.one("🌑", "🌓", "🌕", "🌗") }},
	{name: "more sign, range of temperatures", shape: byEdit, shows: func(v view) string { return "from " + v.one("-", "+") + "3 to +9 degrees, -3 is usual" }},
	{name: "more sign, digits of Arabic", shape: byDir, shows: func(v view) string { return "سعر " + v.one("٣", "٤", "٥") }},
	{name: "more sign, vowels of Hindi", shape: byQuery, shows: func(v view) string { return "क" + v.one("ि", "ी", "ु", "ू") }},
	{name: "more sign, combining accents", shape: byFolder, shows: func(v view) string { return "ma" + v.one("\u0301", "\u0300", "\u0303", "") + " x" }},
	{name: "more sign, Chinese", shape: byPrint, shows: func(v view) string { return "本商品目前" + v.one("有", "缺") + "货请联系客服" }},
	{name: "more sign, Thai", shape: byDir, shows: func(v view) string {
		return "สินค้า" + v.one("มี", "หมด") + "ในขณะนี้"
	}},
	{name: "more sign, marks of grades", shape: byFolder, shows: func(v view) string { return "Rating A" + v.one("+", "-", "") + " stable" }},
	{name: "more sign, dagger", shape: byDir, shows: func(v view) string { return "A. Smith" + v.one(" †", "") }},
	{name: "more sign, languages", shape: byFolder, shows: func(v view) string { return "Written in C" + v.one("", "++", "#") }},
	{name: "more sign, named entities", shape: byPrint, shows: func(v view) string {
		return "Lift: " + v.one("&check;", "&cross;") + " Pool: " + v.one("&star;", "&starf;")
	}},
	{name: "more sign, interval", shape: byDir, shows: func(v view) string { return "Pages 10" + v.one("–", ", ", "/") + "12" }},
	{name: "more sign, Cyrillic in one byte", shape: byQuery, shows: func(v view) string { return "\xf1\xea\xeb\xe0\xe4: " + v.one("\xe5\xf1\xf2\xfc", "\xed\xe5\xf2\xf3") }, live: inCharset("windows-1251")},
	{name: "more sign, Chinese in two bytes", shape: byFolder, shows: func(v view) string { return v.one("\xcf\xd6\xbb\xf5", "\xc8\xb1\xbb\xf5") + " x" }, live: inCharset("gb2312")},
	{name: "more sign, Latin in one byte", shape: byPrint, shows: func(v view) string { return "p" + v.one("\xea", "\xe9") + "ch" + v.one("e", "\xe9") }, live: inCharset("iso-8859-1")},
	{name: "more sign, Japanese by a meta element", shape: byDir, shows: func(v view) string { return "\x8d\xdd\x8c\xc9" + v.one("\x82\xa0\x82\xe8", "\x82\xc8\x82\xb5") }, head: func(view) string { return `<meta charset="shift_jis">` }, live: inCharset("Shift_JIS")},
	{name: "more sign, fractions", shape: byEdit, shows: func(v view) string { return "Take " + v.one("½", "¼", "¾", "⅓") + " of a cup" }},
	{name: "more sign, square and cubic", shape: byQuery, shows: func(v view) string { return "40 " + v.one("m²", "m³", "m") }},
	{name: "more sign, raised digits", shape: byQuery, shows: func(v view) string { return "f = x" + v.one("²", "³", "⁴") }},
	{name: "more sign, Roman numerals", shape: byFolder, shows: func(v view) string { return "Class " + v.one("Ⅳ", "Ⅵ", "Ⅸ", "Ⅺ") }},
	{name: "more sign, circled digits", shape: byPrint, shows: func(v view) string { return "Step " + v.one("①", "②", "③") }},
	{name: "more sign, icons of a font", shape: byQuery, shows: func(v view) string { return `<i class="icon">` + v.one("&#xe001;", "&#xe002;", "\ue003") + `</i>` }},
	{name: "more sign, bracketed loss", shape: byPrint, shows: func(v view) string { return "Result " + v.one("(100)", "100") + " million" }},
	{name: "more sign, quotes", shape: byQuery, shows: func(v view) string { return "He is " + v.one("“innocent”", "innocent") }},
	{name: "more sign, formula", shape: byQuery, shows: func(v view) string {
		return `<math>` + v.one(`<msup><mi>x</mi><mn>2</mn></msup>`, `<msub><mi>x</mi><mn>2</mn></msub>`, `<mi>x</mi><mn>2</mn>`) + `</math>`
	}},
	{name: "more sign, root", shape: byFolder, shows: func(v view) string { return `<math>` + v.one(`<msqrt><mn>2</mn></msqrt>`, `<mn>2</mn>`) + `</math>` }},
	{name: "more sign, answer marked", shape: byDir, shows: func(v view) string {
		return v.one("<li><mark>Paris</mark><li>Rome", "<li>Paris<li><mark>Rome</mark>")
	}},
}

// inCharset answers in an old character set.
func inCharset(name string) func(http.HandlerFunc) http.HandlerFunc {
	return func(pages http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			pages(retyped{w, "text/html; charset=" + name}, r)
		}
	}
}

// retyped is an answer of another type.
type retyped struct {
	http.ResponseWriter
	as string
}

func (w retyped) Write(b []byte) (int, error) {
	if w.as != "" {
		w.Header().Set("Content-Type", w.as)
	}
	return w.ResponseWriter.Write(b)
}

// Pictures, icons, charts and files.
var morePictures = []seenSite{
	{name: "more picture, dot of the stock", shape: byQuery, shows: func(v view) string {
		return `<img src="/dot.png" alt="` + v.one("in stock", "sold out", "on order") + `">`
	}},
	{name: "more picture, label of stars", shape: byFolder, shows: func(v view) string {
		return fmt.Sprintf(`<span role="img" aria-label="%d of 5 stars"></span>`, 1+v.any("stars", 5))
	}},
	{name: "more picture, icons by class", shape: byEdit, shows: func(v view) string {
		n := v.any("stars", 6)
		return strings.Repeat(`<i class="fa fa-star"></i>`, n) + strings.Repeat(`<i class="fa fa-star-o"></i>`, 5-n)
	}},
	{name: "more picture, numbered", shape: byPrint, shows: func(v view) string { return fmt.Sprintf(`<img src="/m/%04d.jpg" alt="photo">`, v.any("picture", 9999)) }},
	{name: "more picture, number in the query", shape: byDir, shows: func(v view) string {
		return fmt.Sprintf(`<img src="/thumb.php?f=%d&w=200" alt="photo">`, v.any("picture", 9999))
	}},
	{name: "more picture, named by its hash", shape: byFolder, shows: func(v view) string { return fmt.Sprintf(`<img src="/m/%016x.jpg">`, mixed(number(v.url))) }},
	{name: "more picture, points", shape: byFolder, shows: func(v view) string {
		return fmt.Sprintf(`<svg><polyline points="0,%d 9,%d 18,%d"/></svg>`, v.any("a", 90), v.any("b", 90), v.any("c", 90))
	}},
	{name: "more picture, object", shape: byEdit, shows: func(v view) string {
		return `<object data="/o/` + wordOf(v.url) + `.svg" type="image/svg+xml"></object>`
	}},
	{name: "more picture, numbered downloads", shape: byFolder, shows: func(v view) string {
		return fmt.Sprintf(`<a href="/files/%05d.zip">Download</a>`, v.any("file", 99999))
	}},
	{name: "more picture, film of another site", shape: byQuery, shows: func(v view) string {
		return fmt.Sprintf(`<iframe src="https://www.youtube.example/watch?v=%d"></iframe>`, v.any("film", 99999))
	}},
	{name: "more picture, icons of one length", shape: byQuery, shows: func(v view) string {
		return `<i class="fa fa-` + v.one("check", "cross", "times") + `"></i>`
	}},
	{name: "more picture, bar for the blind", shape: byPrint, shows: func(v view) string {
		return fmt.Sprintf(`<div role="progressbar" aria-valuenow="%d" aria-valuemax="100"></div>`, 10+v.any("w", 89))
	}},
	{name: "more picture, scatter", shape: byPrint, shows: func(v view) string {
		return fmt.Sprintf(`<svg><circle cx="%d" cy="%d" r="2"/></svg>`, 10+v.any("x", 89), 10+v.any("y", 89))
	}},
	{name: "more picture, line", shape: byDir, shows: func(v view) string {
		return fmt.Sprintf(`<svg><line x1="9" y1="9" x2="%d" y2="%d"/></svg>`, 10+v.any("x", 89), 10+v.any("y", 89))
	}},
	{name: "more picture, embedded", shape: byPrint, shows: func(v view) string { return `<embed src="/s/` + wordOf(v.url) + `.swf">` }},
	{name: "more picture, button", shape: byFolder, shows: func(v view) string { return `<input type="image" src="/m/` + wordOf(v.url) + `.gif">` }},
	{name: "more picture, late set", shape: byPrint, shows: func(v view) string { return `<img src="/wait.gif" data-srcset="/m/` + wordOf(v.url) + `.webp 2x">` }},
	{name: "more picture, late frame", shape: byQuery, shows: func(v view) string { return `<iframe data-src="/map/` + wordOf(v.url) + `"></iframe>` }},
	{name: "more picture, program", shape: byDir, shows: func(v view) string { return `<a href="/d/` + wordOf(v.url) + `.apk">Install</a>` }},
	{name: "more picture, track", shape: byFolder, shows: func(v view) string { return `<a href="/d/` + wordOf(v.url) + `.gpx">Track</a>` }},
	{name: "more picture, map", shape: byQuery, shows: func(v view) string {
		return fmt.Sprintf(`<iframe src="https://maps.example/embed?lat=52.%04d&lon=13.%04d"></iframe>`, v.any("lat", 9999), v.any("lon", 9999))
	}},
	{name: "more picture, placeholder", shape: byPrint, shows: func(v view) string { return `<input placeholder="` + wordOf(v.url) + `">` }},
	{name: "more picture, old tags", shape: byFolder, shows: func(v view) string { return `<xmp>` + wordOf(v.url) + `</xmp>` }},
	{name: "more picture, comment closed at once", shape: byPrint, shows: func(v view) string { return `<!--> ` + wordOf(v.url) + ` <!-- -->` }},
	{name: "more picture, script in a comment in a script", shape: byDir, shows: func(v view) string {
		return `<script>// <!-- </script> ` + wordOf(v.url) + ` <script>// --></script>`
	}},
	{name: "more picture, behind a long script", shape: byQuery, shows: func(v view) string {
		return `<script>` + strings.Repeat("var a = 1;\n", 60000) + `</script>` + wordOf(v.url)
	}},
	{name: "more picture, behind a long comment", shape: byFolder, shows: func(v view) string {
		return `<!--` + strings.Repeat("a comment\n", 120000) + `-->` + wordOf(v.url)
	}},
	{name: "more picture, title of a dot", shape: byPrint, shows: func(v view) string {
		return `<span class="dot" title="` + v.one("in stock", "sold out") + `"></span>`
	}},
	{name: "more picture, icon of a set", shape: byQuery, shows: func(v view) string {
		return `<svg><use href="/icons.svg#` + v.one("check", "cross", "clock") + `"/></svg>`
	}},
	{name: "more picture, pie", shape: byQuery, shows: func(v view) string {
		return fmt.Sprintf(`<svg><circle r="16" stroke-dasharray="%d 100"/></svg>`, 1+v.any("pie", 98))
	}},
	{name: "more picture, needle", shape: byPrint, shows: func(v view) string {
		return fmt.Sprintf(`<svg><g transform="rotate(%d)"><line x1="0" x2="9"/></g></svg>`, v.any("needle", 180))
	}},
	{name: "more picture, late by another name", shape: byQuery, shows: func(v view) string { return `<img src="/wait.gif" data-original="/m/` + wordOf(v.url) + `.jpg">` }},
	{name: "more picture, late background", shape: byPrint, shows: func(v view) string { return `<div class="lazy" data-bg="/m/` + wordOf(v.url) + `.jpg"></div>` }},
	{name: "more picture, subtitles", shape: byDir, shows: func(v view) string {
		return `<video src="/v.mp4"><track kind="subtitles" src="/t/` + wordOf(v.url) + `.vtt"></video>`
	}},
	{name: "more picture, bar of a width", shape: byFolder, shows: func(v view) string {
		return fmt.Sprintf(`<div class="bar"><div style="width:%d%%"></div></div>`, 10+v.any("w", 89))
	}},
	{name: "more picture, button pressed", shape: byDir, shows: func(v view) string { return `<button aria-pressed="` + v.one("true", "fals") + `">Alarm</button>` }},
	{name: "more picture, image in a drawing", shape: byQuery, shows: func(v view) string { return `<svg><image href="/m/` + wordOf(v.url) + `.png"/></svg>` }},
	{name: "more picture, linked icon", shape: byFolder, shows: func(v view) string {
		return `<svg><use xlink:href="#` + v.one("sunny", "rainy", "foggy") + `"></use></svg>`
	}},
	{name: "more picture, AMP", shape: byQuery, shows: func(v view) string { return `<amp-img src="/m/` + wordOf(v.url) + `.jpg" width="9"></amp-img>` }},
	{name: "more picture, light film", shape: byFolder, shows: func(v view) string { return `<lite-youtube videoid="` + wordOf(v.url) + `"></lite-youtube>` }},
	{name: "more picture, parameter of an object", shape: byDir, shows: func(v view) string {
		return `<object><param name="movie" value="/s/` + wordOf(v.url) + `.swf"></object>`
	}},
	{name: "more picture, background of a cell", shape: byQuery, shows: func(v view) string { return `<table><td background="/m/` + wordOf(v.url) + `.gif">&nbsp;</table>` }},
	{name: "more picture, lazy of a plugin", shape: byDir, shows: func(v view) string { return `<img src="/wait.gif" data-lazy-src="/m/` + wordOf(v.url) + `.jpg">` }},
	{name: "more picture, frames", shape: byFolder, words: 60, shows: func(v view) string {
		return `<frameset><frame src="/menu.html"><frame src="/f/` + wordOf(v.url) + `.html"></frameset>`
	}},
	{name: "more picture, download by query", shape: byPrint, shows: func(v view) string { return `<a href="/get.php?file=` + wordOf(v.url) + `.pdf">Download</a>` }},
	{name: "more picture, torrent", shape: byQuery, shows: func(v view) string { return `<a href="/d/` + wordOf(v.url) + `.torrent">Get</a>` }},
	{name: "more picture, magnet", shape: byPrint, shows: func(v view) string {
		return fmt.Sprintf(`<a href="magnet:?xt=urn:btih:%016x">Get</a>`, mixed(number(v.url)))
	}},
	{name: "more picture, mail", shape: byDir, shows: func(v view) string { return `<a href="mailto:` + wordOf(v.url) + `@example.org">Write</a>` }},
	{name: "more picture, item of a list", shape: byFolder, shows: func(v view) string { return fmt.Sprintf(`<ol><li value="%d">Team</ol>`, 10+v.any("li", 89)) }},
	{name: "more picture, abbreviation", shape: byDir, shows: func(v view) string { return `<abbr title="` + wordOf(v.url) + `">ABC</abbr>` }},
	{name: "more picture, time", shape: byQuery, shows: func(v view) string { return fmt.Sprintf(`<time datetime="2025-05-%02d"></time>`, 10+v.any("day", 20)) }},
}

// States of forms, and what is struck.
var moreStates = []seenSite{
	{name: "more state, range", shape: byQuery, shows: func(v view) string { return fmt.Sprintf(`<input type="range" max="99" value="%d">`, v.any("r", 99)) }},
	{name: "more state, text area", shape: byPrint, shows: func(v view) string { return `<textarea>` + wordOf(v.url) + `</textarea>` }},
	{name: "more state, switch", shape: byFolder, shows: func(v view) string {
		return `<div role="switch" aria-checked="` + v.one("true", "false") + `">Heating</div>`
	}},
	{name: "more state, struck in an old way", shape: byDir, shows: func(v view) string { return v.one("<strike>Concert</strike>", "Concert") + " on Friday" }},
	{name: "more state, closed date", shape: byQuery, shows: func(v view) string {
		return fmt.Sprintf(`<input type="date" value="2025-%02d-%02d">`, 1+v.any("m", 12), 1+v.any("d", 28))
	}},
	{name: "more state, seats", shape: byEdit, shows: func(v view) string {
		var b strings.Builder
		for k := range 20 {
			b.WriteString(`<button` + []string{"", " disabled"}[v.any("seats", 1<<20)>>k&1] + `>Seat</button>`)
		}
		return b.String()
	}},
	{name: "more state, inserted and deleted", shape: byPrint, shows: func(v view) string {
		return v.one("<ins>The tax is raised.</ins> <del>The tax is waived.</del>", "<del>The tax is raised.</del> <ins>The tax is waived.</ins>")
	}},
	{name: "more state, hidden word", shape: byEdit, shows: func(v view) string { return `<b` + v.one(" hidden", "") + `>Sold out</b>` }},
	{name: "more state, word not displayed", shape: byQuery, shows: func(v view) string {
		return `<b style="` + v.one("display:none", "display:inline") + `">Sold out</b>`
	}},
	{name: "more state, struck by style", shape: byPrint, shows: func(v view) string {
		return `<span style="text-decoration:` + v.one("line-through", "none") + `">Concert on Friday</span>`
	}},
	{name: "more state, number of the list", shape: byFolder, shows: func(v view) string {
		return fmt.Sprintf(`<ol start="%d"><li>gold<li>silver</ol>`, 1+v.any("start", 50))
	}},
	{name: "more state, plus and minus of a patch", shape: byDir, shows: func(v view) string {
		return "<pre>" + v.one("-retries = 5\n+attempts = 5", "+retries = 5\n-attempts = 5") + "</pre>"
	}},
}

// Words that stand elsewhere on the page as well, and other small ones.
var moreWords = []seenSite{
	{name: "more word, chosen colour of a list", shape: byPrint, shows: func(v view) string {
		return "Your colour: " + v.one("red", "blue", "green", "black") + ". We have red, blue, green, black."
	}},
	{name: "more word, grade", shape: byQuery, shows: func(v view) string { return "Efficiency class " + v.one("A", "B", "C", "D", "E") }},
	{name: "more word, grade of a scale", shape: byFolder, shows: func(v view) string {
		return "Efficiency class " + v.one("A", "B", "C", "D", "E") + " on a scale A B C D E"
	}},
	{name: "more word, not among others", shape: byEdit, shows: func(v view) string {
		return "This is " + v.one("", "not") + " for children. Do not swallow."
	}},
	{name: "more word, units", shape: byQuery, shows: share(25, func(v view) string { return "Take 5 " + v.one("mg", "g", "µg") + " a day" })},
	{name: "more word, units among units", shape: byDir, shows: func(v view) string {
		return "Take 500 " + v.one("mg", "g") + " a day. Tablets of 250 mg, a glass with 9 g of sugar."
	}},
	{name: "more word, of a few pages", shape: byFolder, shows: share(10, func(v view) string { return wordOf(v.url) })},
	{name: "more word, day", shape: byPrint, shows: func(v view) string { return fmt.Sprintf("Held on %d May 2025", 1+v.any("day", 31)) }},
	{name: "more word, there and back", shape: byDir, shows: func(v view) string { return v.one("from Bonn to Rome", "from Rome to Bonn") }},
	{name: "more word, score", shape: byQuery, shows: func(v view) string { return "Home " + v.one("3 : 1", "1 : 3") + " Away" }},
	{name: "more word, order of a league", shape: byEdit, shows: func(v view) string {
		var b strings.Builder
		for k := range 18 {
			fmt.Fprintf(&b, "<tr><td>%d<td>%s", k+1, wordOf("team", (k*7+v.any("league", 18))%18))
		}
		return "<table>" + b.String() + "</table>"
	}},
	{name: "more word, can", shape: byFolder, shows: func(v view) string { return "It " + v.one("can", "can't") + " be washed" }},
	{name: "more word, delivery", shape: byPrint, shows: share(30, func(v view) string {
		return fmt.Sprintf("Ships in %d days", 2+v.any("days", 8))
	})},
	{name: "more word, author", shape: byQuery, shows: func(v view) string { return "by " + v.one("J. Roth", "K. Roth", "L. Roth") }},
	{name: "more word, one beside two layouts", shape: byFolder, shows: func(v view) string {
		return []string{prose("layout", 12), prose("design", 12)}[mixed(v.visit)%2] + " " + wordOf(v.url)
	}},
	{name: "more word, repeated", shape: byEdit, shows: func(v view) string { return strings.Repeat("strike ", 1+v.any("strikes", 4)) }},
	{name: "more word, hits", shape: byQuery, shows: func(v view) string {
		return fmt.Sprintf("Found %d pages in 0.%d seconds", 100+v.any("hits", 900), mixed(v.visit)%1000)
	}},
	{name: "more word, in small and capital letters", shape: byPrint, shows: func(v view) string { return v.one("us", "US") + " citizens only" }},
	{name: "more word, ticked of two", shape: byPrint, shows: func(v view) string {
		return `<input type="checkbox"` + v.one(" checked", "") + `> Milk <input type="checkbox"` + v.one("", " checked") + `> Bread`
	}},
	{name: "more word, struck of two", shape: byQuery, shows: func(v view) string { return v.one("<s>Roth</s> Graf", "Roth <s>Graf</s>") }},
	{name: "more word, prices change places", shape: byFolder, shows: func(v view) string {
		return v.one("<td>Rent 450<td>Loan 900", "<td>Rent 900<td>Loan 450")
	}},
	{name: "more word, sentence by sentence", shape: byPrint, words: 900, shows: func(v view) string {
		return v.one("The court finds for the owner and against the tenant.", "The court finds for the tenant and against the owner.")
	}},
	{name: "more word, stock of a folder", shape: byFolder, shows: share(40, func(v view) string { return "sold out" })},
	{name: "more word, words of the URL on short pages", shape: families{"/lamp/%d?tone=blue", "/lamp/%d?tone=green"}, words: 60, shows: func(v view) string {
		return []string{"In blue, 9 left.", "In green, 9 left."}[v.form]
	}},
	{name: "more word, one of five sizes", shape: byEdit, words: 700, shows: func(v view) string {
		return "Sizes S M L XL XXL, size " + v.one("S", "M", "L", "XL", "XXL") + " is sold out"
	}},
	{name: "more word, a mix of kinds", shape: byPrint, shows: func(v view) string {
		switch v.id % 5 {
		case 0:
			return "Price " + priceOf(v.url)
		case 1:
			return prose("news", 30)
		}
		return ""
	}},
	{name: "more word, late in long pages", shape: byDir, words: 3900, shows: func(v view) string { return v.one("yes", "no") }},
	{name: "more word, colour of the URL", shape: byTone, shows: func(v view) string {
		return "Lamp in " + []string{v.one("red", "pink", "grey", "white"), "blue", "green", "amber"}[v.form]
	}},
	{name: "more word, list of features", shape: byQuery, shows: func(v view) string { return v.one("✓ Wifi ✗ Pool", "✗ Wifi ✓ Pool") }},
	{name: "more word, gains and losses", shape: byFolder, shows: func(v view) string { return v.one("North +5 South -5", "North -5 South +5") }},
	{name: "more word, two pictures change places", shape: byDir, shows: func(v view) string {
		return v.one(`Guilty: <img src="/roth.jpg"> Innocent: <img src="/graf.jpg">`, `Guilty: <img src="/graf.jpg"> Innocent: <img src="/roth.jpg">`)
	}},
	{name: "more word, words of the URL", shape: families{"/lamp/%d?tone=blue", "/lamp/%d?tone=green"}, shows: func(v view) string {
		return []string{"In blue, 9 left.", "In green, 9 left."}[v.form]
	}},
}

func TestHostileMoreSigns(t *testing.T)    { tryValidate(t, familyOf(moreSigns)) }
func TestHostileMorePictures(t *testing.T) { tryValidate(t, familyOf(morePictures)) }
func TestHostileMoreStates(t *testing.T)   { tryValidate(t, familyOf(moreStates)) }
func TestHostileMoreWords(t *testing.T)    { tryValidate(t, familyOf(moreWords)) }
