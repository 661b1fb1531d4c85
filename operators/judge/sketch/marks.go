package sketch

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/net/html"
)

// marks collects what a reader of a page sees beside the words. Each mark is a word:
//
//	signs       in the text: each run of symbols, dashes and some punctuation. They are added by the shingler of the text
//	set apart   the words of struck, added, raised and lowered text
//	pictures    the words of alternative texts and labels, of the classes and titles of icons, and of the names of images, films, sounds, frames and
//	            downloads, queries included and folders not; the names and numbers by which SVG draws a shape
//	states      of visible inputs and gauges: their values, the width and height of bars, and the words beside what is ticked, chosen, disabled or open
//	scripts     the words of a state that a script shows later, if it is most of the page
type marks struct {
	bag   *bag
	sh    *shingler // adds words to the bag
	label bool      // the next text belongs to a state
	shown bool      // the element shows its class and its title
	shape bool      // the element is one of SVG

	reader reader // of the page
	data   bool   // the next script is data
	state  *shingler
}

func newMarks() *marks {
	m := &marks{bag: &bag{}, sh: newShingler(), state: newShingler()}
	m.sh.bag, m.sh.marks = m.bag, m.bag
	m.state.bag = &bag{}
	return m
}

// text takes in a visible text.
func (m *marks) text(text []byte) {
	if !m.label && len(m.reader.set) == 0 || len(bytes.TrimSpace(text)) == 0 {
		return
	}
	m.label = false
	m.sh.read([]byte(strings.Join(m.reader.set, " ")))
	m.sh.read(text)
}

// tag takes in an element with attributes.
func (m *marks) tag(name string, z *html.Tokenizer) {
	rest := bytes.TrimPrefix(bytes.TrimLeft(m.reader.rest, " \t\r\n"), []byte("&nbsp;"))
	m.shown = name == "i" || name == "abbr" || name != "input" && bytes.HasPrefix(rest, []byte("</"))
	m.shape = shapes[name]
	switch name {
	case "a", "area":
		m.download(z)
	case "input", "button", "option", "meter", "progress", "details", "dialog", "textarea", "select", "optgroup":
		m.states(name, z)
	case "script":
		m.data = strings.Contains(attribute(z, "type"), "json")
	default:
		if raw := z.Raw(); m.shown || m.shape || slices.ContainsFunc(telling, func(t []byte) bool { return bytes.Contains(raw, t) }) {
			attributes(z, m.drawnOver)
		}
	}
}

// telling lists parts of the tags whose attributes drawnOver looks at, beside those of shapes and of what shows its class.
var telling = [][]byte{[]byte("url("), []byte("aria-"), []byte("%"), []byte("line-through"), []byte("icon-"), []byte("fa-")}

// drawnOver takes in an attribute of any element.
func (m *marks) drawnOver(key, value []byte) {
	switch k := string(key); {
	case m.shape && drawn[k]:
		m.bag.add(xxhash.Sum64String(k+"="+string(value)), 0)
	case m.shape && strings.HasSuffix(k, "href"):
		_, symbol, is := bytes.Cut(value, []byte("#"))
		if m.sh.read(symbol); !is {
			m.file(string(value))
		}
	case k == "style":
		for _, found := range background.FindAllSubmatch(value, mostAttributes) {
			m.file(string(found[1]))
		}
		if bytes.IndexByte(value, '%') >= 0 {
			m.sh.read(bytes.Join(bar.FindAll(value, mostAttributes), nil))
		}
		m.label = m.label || bytes.Contains(value, []byte("line-through"))
	case k == "class" && !m.shown && (bytes.Contains(value, []byte("icon-")) || bytes.Contains(value, []byte("fa-"))):
		m.sh.read(bytes.Join(icon.FindAll(value, mostAttributes), nil))
	case (k == "class" || k == "title") && m.shown, k == "aria-label", k == "aria-valuenow", k == "aria-checked":
		m.sh.read(value)
	}
}

// shapes lists elements of SVG, and drawn the attributes by which they draw.
var shapes = map[string]bool{"path": true, "rect": true, "circle": true, "ellipse": true, "line": true, "polyline": true, "polygon": true, "g": true, "use": true}
var drawn = map[string]bool{"d": true, "points": true, "x": true, "y": true, "width": true, "height": true, "r": true, "rx": true, "ry": true, "cx": true, "cy": true, "x1": true, "x2": true, "y1": true, "y2": true, "transform": true}

var background = regexp.MustCompile(`url\(\s*["']?([^"')]+)`)
var icon = regexp.MustCompile(`(^|\s)\S*(fa|icon)-\S*`)
var bar = regexp.MustCompile(`(^|[;\s])(width|height)\s*:\s*[\d.]+%`)

// file takes in the name of a file.
func (m *marks) file(address string) {
	address = strings.TrimSpace(address)
	if strings.HasPrefix(address, "data:") {
		m.bag.add(xxhash.Sum64String(address), 0)
		return
	}
	name, query := named(address)
	m.sh.read([]byte(name + " " + query))
}

// named returns the last path segment of an address, and the query.
func named(address string) (name, query string) {
	address, _, _ = strings.Cut(address, "#")
	path, query, _ := strings.Cut(address, "?")
	return path[strings.LastIndexByte(path, '/')+1:], query
}

// download takes in a link to a file.
func (m *marks) download(z *html.Tokenizer) {
	href, is := "", false
	attributes(z, func(key, value []byte) {
		switch string(key) {
		case "alt", "download":
			is = is || string(key) == "download"
			m.sh.read(value)
		case "href":
			href = string(value)
		default:
			m.drawnOver(key, value)
		}
	})
	if name, _ := named(href); is || downloaded.MatchString(name) {
		m.sh.read([]byte(name))
	}
}

// downloaded is the name of a file that browsers hand on, or show without a page.
var downloaded = regexp.MustCompile(`(?i)\.(pdf|zip|gz|tgz|tar|bz2|xz|7z|rar|exe|msi|dmg|pkg|deb|rpm|apk|iso|jar|csv|tsv|xlsx?|docx?|pptx?|od[tsp]|rtf|epub|mobi|mp[34]|m4[av]|og[agv]|opus|wav|flac|webm|avi|mov|mkv|jpe?g|png|gif|webp|avif|svg|ics|vcf|gpx|kml|stl|ttf|woff2?)$`)

// states takes in an input or a gauge.
func (m *marks) states(name string, z *html.Tokenizer) {
	var value []byte
	var on []string
	kind := ""
	attributes(z, func(key, v []byte) {
		switch k := string(key); k {
		case "type":
			kind = strings.ToLower(string(v))
		case "value":
			value = v
		case "src":
			m.file(string(v))
		case "alt", "placeholder", "label":
			m.sh.read(v)
		case "checked", "selected", "disabled", "open":
			on = append(on, k)
		default:
			m.drawnOver(key, v)
		}
	})
	if kind == "hidden" || kind == "password" {
		return
	}
	if len(on) > 0 || name == "input" && kind != "checkbox" && kind != "radio" || name == "meter" || name == "progress" {
		m.sh.read(value)
	}
	m.sh.read([]byte(strings.Join(on, " ")))
	m.label = m.label || len(on) > 0
}

// stated is a script that holds the state of a page.
var stated = regexp.MustCompile(`\b(window|self|globalThis)\s*(\.|\[\s*["'])\s*__\w`)

// script takes in the text of a script.
func (m *marks) script(text []byte) {
	if m.data || stated.Match(text) {
		m.state.read(text)
	}
}

// end returns the marks of a page. Where most words are those of a script, which shows them later, the words of the
// script are marks.
func (m *marks) end(p *Page) []uint32 {
	state := m.state.bag.sorted()
	if hidden, _ := parted(state, p.Bag, anyCase); p.Bag != nil && len(hidden) > 0 && 2*len(hidden) > len(state) && len(hidden) > p.Words/2 {
		for _, h := range hidden {
			m.bag.add(uint64(h)<<32, 0)
		}
	}
	if m.bag.full {
		return nil
	}
	return append([]uint32{}, m.bag.sorted()...)
}
