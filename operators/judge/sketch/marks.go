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
//	signs       in the text: each run of symbols, dashes, brackets and some punctuation. They are added by the shingler of the text
//	set apart   the words of struck, added, marked, quoted, raised and lowered text, and the first words of what is hidden
//	pictures    the words of alternative texts and labels, of the classes and titles of icons, and of the names of images, films, sounds, frames and
//	            downloads, queries included and folders not; the names and numbers by which SVG draws a shape
//	links       the addresses of mail, telephones and magnets, and the hosts of other sites
//	states      of visible inputs and gauges: their values, the width and height of bars, and the words beside what is ticked, chosen, disabled or open;
//	            the numbers of lists, the dates of times, and the attributes of elements that only scripts know
//	scripts     the words of a state that a script shows later, if it is most of the page
type marks struct {
	bag   *bag
	sh    *shingler       // adds words to the bag
	label bool            // the next text belongs to a state
	veil  string          // how the next text is hidden or struck, if no element ended since
	since int             // the end tags before the veil
	shown bool            // the element shows its class and its title
	shape bool            // the element is one of SVG
	own   bool            // the element is of a kind that only scripts know
	led   map[string]bool // where links lead that lead to other sites

	reader reader // of the page
	data   int    // the end tags before the last script of data
	linked bool   // it is linked data
	state  *shingler
	about  shingler // of linked data
	keys   uint32   // members of linked data
}

func newMarks() *marks {
	m := &marks{bag: &bag{}, sh: newShingler(), state: newShingler(), led: map[string]bool{}, data: -1}
	m.sh.bag, m.sh.marks, m.sh.bound = m.bag, m.bag, &bag{}
	m.state.bag, m.about.bag = &bag{}, &bag{}
	return m
}

// text takes in a visible text.
func (m *marks) text(text []byte) {
	if m.since != m.reader.ends {
		m.veil = ""
	}
	if !m.label && m.veil == "" && len(m.reader.set) == 0 || len(bytes.TrimSpace(text)) == 0 {
		return
	}
	apart := []byte(strings.TrimSpace(strings.Join(m.reader.set, " ") + " " + m.veil))
	m.label, m.veil = false, ""
	m.sh.within = xxhash.Sum64(apart)
	m.sh.read(apart)
	m.sh.read(text)
	m.sh.within = 0
}

// tag takes in an element with attributes.
func (m *marks) tag(name string, z *html.Tokenizer) {
	rest := bytes.TrimPrefix(bytes.TrimLeft(m.reader.rest, " \t\r\n\f"), []byte("&nbsp;"))
	m.shown = name == "i" || name == "abbr" || name != "input" && bytes.HasPrefix(rest, []byte("</"))
	m.shape, m.own = shapes[name], strings.Contains(name, "-")
	switch name {
	case "a", "area":
		m.download(z)
	case "input", "button", "option", "meter", "progress", "details", "dialog", "textarea", "select", "optgroup":
		m.states(name, z)
	case "script":
		if kind := attribute(z, "type"); strings.Contains(kind, "json") {
			m.data, m.linked = m.reader.ends, strings.Contains(kind, "ld+json")
		}
	default:
		if raw := z.Raw(); m.shown || m.shape || m.own || slices.ContainsFunc(telling, func(t []byte) bool { return bytes.Contains(raw, t) }) {
			attributes(z, m.drawnOver)
		}
	}
}

// telling lists parts of the tags whose attributes drawnOver looks at, beside those of shapes and of what shows its class.
var telling = [][]byte{[]byte("."), []byte("style"), []byte("aria-"), []byte("icon-"), []byte("fa-"), []byte("hidden"), []byte("start="), []byte("value="), []byte("datetime=")}

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
		if bytes.Contains(value, []byte("line-through")) {
			m.veil, m.since = "struck", m.reader.ends
		} else if (bytes.Contains(value, []byte("none")) || bytes.Contains(value, []byte("hidden"))) && unseen.Match(value) {
			m.veil, m.since = "hidden", m.reader.ends
		}
	case k == "class" && !m.shown && (bytes.Contains(value, []byte("icon-")) || bytes.Contains(value, []byte("fa-"))):
		m.sh.read(bytes.Join(icon.FindAll(value, mostAttributes), nil))
	case k == "hidden":
		m.veil, m.since = "hidden", m.reader.ends
	case k == "id", (k == "class" || k == "title") && !m.shown:
	case isFile(value), m.own && bytes.IndexByte(value, '/') >= 0 && !bytes.ContainsAny(value, " {"):
		m.file(string(value))
	case m.own, k == "class", k == "title", k == "start", k == "value", k == "datetime", strings.HasPrefix(k, "aria-") && stateOf[k[len("aria-"):]]:
		m.sh.read(value)
	}
}

// stateOf lists attributes of ARIA that say what is seen otherwise.
var stateOf = map[string]bool{"label": true, "valuenow": true, "valuetext": true, "checked": true, "pressed": true, "selected": true, "disabled": true, "description": true}

var unseen = regexp.MustCompile(`\b(display\s*:\s*none|visibility\s*:\s*hidden)`)

// shapes lists elements of SVG, and drawn the attributes by which they draw.
var shapes = map[string]bool{"path": true, "rect": true, "circle": true, "ellipse": true, "line": true, "polyline": true, "polygon": true, "g": true, "use": true, "text": true}
var drawn = map[string]bool{"d": true, "points": true, "x": true, "y": true, "width": true, "height": true, "r": true, "rx": true, "ry": true, "cx": true, "cy": true, "x1": true, "x2": true, "y1": true, "y2": true, "transform": true, "stroke-dasharray": true, "stroke-dashoffset": true}

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
	name, query := named(href)
	if is || isFile([]byte(name)) {
		m.sh.read([]byte(name))
	}
	for value := range strings.SplitSeq(query, "&") {
		if isFile([]byte(value)) {
			m.sh.read([]byte(value[strings.LastIndexAny(value, "=/")+1:]))
		}
	}
	if strings.HasPrefix(href, "//") {
		href = "http:" + href
	}
	scheme, to, _ := strings.Cut(href, ":")
	if end, is := abroad[strings.ToLower(scheme)]; is {
		to = strings.TrimLeft(to, "/")
		if to = to[:strings.IndexAny(to+end, end)]; !m.led[to] && len(m.led) < maxHref {
			if name := view.ReplaceAllString(to, ""); !m.led[name] {
				m.sh.read([]byte(name))
				m.led[name] = true
			}
			m.led[to] = true
		}
	}
}

// abroad lists the schemes of links that lead to no page of the site, and what ends that which they name.
var abroad = map[string]string{"mailto": "?", "tel": "?", "sms": "?", "magnet": "&", "http": "/?#", "https": "/?#"}
var view = regexp.MustCompile(`^(www|m|mobile|amp)\.`) // of one site

// isFile reports whether an attribute names a file that browsers hand on, or show without a page: whose name ends so.
func isFile(value []byte) bool {
	value, _, _ = bytes.Cut(value, []byte("?"))
	i := bytes.LastIndexByte(value, '.')
	return i >= 0 && len(value)-i < 9 && len(value) <= maxHref && downloaded[string(bytes.ToLower(value[i+1:]))]
}

var downloaded = map[string]bool{"pdf": true, "zip": true, "gz": true, "tgz": true, "tar": true, "bz2": true, "xz": true, "7z": true, "rar": true, "exe": true, "msi": true, "dmg": true, "pkg": true, "deb": true, "rpm": true, "apk": true, "iso": true, "jar": true, "torrent": true, "csv": true, "tsv": true, "xls": true, "xlsx": true, "doc": true, "docx": true, "ppt": true, "pptx": true, "odt": true, "ods": true, "odp": true, "rtf": true, "epub": true, "mobi": true, "mp3": true, "mp4": true, "m4a": true, "m4v": true, "oga": true, "ogg": true, "ogv": true, "opus": true, "wav": true, "flac": true, "webm": true, "avi": true, "mov": true, "mkv": true, "vtt": true, "srt": true, "swf": true, "jpg": true, "jpeg": true, "png": true, "gif": true, "webp": true, "avif": true, "svg": true, "ics": true, "vcf": true, "gpx": true, "kml": true, "stl": true, "ttf": true, "woff": true, "woff2": true}

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
	if name == "input" { // has no text
		m.veil = ""
	}
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
	if m.data == m.reader.ends || stated.Match(text) {
		m.state.read(text)
	}
	if m.linked && m.data == m.reader.ends {
		m.about.read(text)
		m.keys += uint32(bytes.Count(text, []byte(`":`)))
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
	if m.keys > 0 && !m.about.bag.full && p.Bag != nil {
		said := m.about.bag.sorted()
		for i := range said {
			said[i] &= anyCase
		}
		lacking, _ := parted(slices.Compact(said), p.Bag, anyCase)
		p.Data = append([]uint32{m.keys}, lacking...)
	}
	if m.bag.full {
		return nil
	}
	return append([]uint32{}, m.bag.sorted()...)
}
