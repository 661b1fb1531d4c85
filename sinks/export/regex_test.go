package export

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/operators/rule"
)

// once returns the canonizer's result for a mined string after one application.
func once(r *rule.Rule, url string) string {
	if out, changed := r.Apply(nil, []byte(url)); changed {
		return string(out)
	}
	return url
}

// checkOnce compares all kinds of expressions with the canonizer.
func checkOnce(t *testing.T, r *rule.Rule, url string) {
	t.Helper()
	want := once(r, url)
	checkURL(t, &Site{Host: "a.test"}, r, "http://a.test", url, want)
	if name, _, _ := strings.Cut(url, "/"); name == "" {
		of := Site{Host: "test", Hosts: []string{"a.test", "*.a.test"}}
		checkURL(t, &of, r, "https://", "www.a.test:81"+url, once(r, "www.a.test:81"+url))
	}
	checkServer(t, r, url, want)
	checkLinear(t, r, url, want)
}

// checkLinear checks the expressions without looks, by the engine for which they are meant.
func checkLinear(t *testing.T, r *rule.Rule, url, want string) {
	t.Helper()
	l, reason := linearOf(r, 3)
	if reason != "" {
		return
	}
	digits := ""
	for _, test := range l.tests {
		digits += map[bool]string{true: "1", false: "0"}[regexp.MustCompile(`^`+test).MatchString(url)]
	}
	got := url
	for _, step := range l.steps {
		for _, e := range step {
			begin := "^"
			if digits != "" {
				begin = "^" + l.digit + " "
			}
			text := strings.TrimLeft(digits+" "+got, " ")
			expression := regexp.MustCompile(begin + e.pattern[1:])
			if m := expression.FindStringSubmatchIndex(text); m != nil {
				got = string(expression.ExpandString(nil, render(e.to, "${%d}", caddyText), text, m))
				break
			}
		}
	}
	if got != url {
		linears.edits++
	}
	linears.all++
	if got == "" && placesOf(r, []byte(url)) > 1 {
		linears.gaveUp++
	} else if got != want {
		t.Errorf("%+v\nof %s is %s, linear %s\n%+v", *r, url, want, got, l)
	}
}

// linears counts the looks of checkLinear.
var linears struct {
	all, edits, gaveUp int
}

// checkURL checks the engines whose input is a whole URL.
func checkURL(t *testing.T, s *Site, r *rule.Rule, before, url, want string) {
	t.Helper()
	if refuseNameless(s)(r) != "" {
		return
	}
	e, _ := express(urlHead(s), r)
	if e.steps = 1; e.left != "" && !e.atOnce {
		e.steps = Places
	}
	for _, fragment := range []string{"", "#a1/b?n=1&m=2&n"} {
		full, want := before+url+fragment, before+want+fragment
		if got := replaceAll(t, e.tiled, full); got != want {
			t.Errorf("%+v\nof %s is %s, tiled %s\n%s", *r, full, want, got, e.tiled.pattern)
		}
		if refuseClearURLs(s)(r) == "" {
			if got := replaceAll(t, edit{pattern: e.removed}, full); got != want {
				t.Errorf("%+v\nof %s is %s, removed %s\n%s", *r, full, want, got, e.removed)
			}
		}
	}
	if got := inOrder(t, &e, before+url); got != before+want && !tooMany(t, &e, got) {
		t.Errorf("%+v\nof %s is %s, in order %s", *r, url, want, got)
	}
}

// checkServer checks the engines whose input is a path and query. One of them takes the
// first edit of a step that matches, and one all edits.
func checkServer(t *testing.T, r *rule.Rule, url, want string) {
	t.Helper()
	e := ofServer(r)
	if got := inOrder(t, &e, url); got != want && !tooMany(t, &e, got) {
		t.Errorf("%+v\nof %s is %s, in order %s", *r, url, want, got)
	}
	got := url
	for _, step := range e.all() {
		for _, e := range step {
			var is bool
			if got, is = replaceWhole(t, e, got); is {
				break
			}
		}
	}
	if got != want && !tooMany(t, &e, got) {
		t.Errorf("%+v\nof %s is %s, first match %s", *r, url, want, got)
	}
	if got == want && tooMany(t, &e, got) {
		t.Errorf("%+v\nof %s is %s, but it gives up", *r, url, want)
	}
}

// ofServer returns the expressions of a rule for a server. They make Places steps, if one may not
// do.
func ofServer(r *rule.Rule) expressions {
	e, _ := express("", r)
	for i := range e.step {
		e.step[i].pattern = inServer(e.step[i].pattern)
	}
	e.left = inServer(e.left)
	if e.steps = 1; e.left != "" && !e.atOnce {
		e.steps = Places
	}
	return e
}

func inOrder(t *testing.T, e *expressions, url string) string {
	t.Helper()
	for _, e := range e.inOrder() {
		url, _ = replaceWhole(t, e, url)
	}
	return url
}

// tooMany reports whether more places of the parameter are left than there are groups.
func tooMany(t *testing.T, e *expressions, url string) bool {
	t.Helper()
	return e.left != "" && matches(t, e.left, url)
}

// Signs are bytes with a special meaning in some engine or format.
const signs = `/?&;=._%~$\'()[]{}+-*^|!,:@` + "`"

func randomText(r *rand.Rand, most int) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		switch r.IntN(3) {
		case 0:
			b.WriteByte(signs[r.IntN(len(signs))])
		case 1:
			b.WriteByte("/a1?"[r.IntN(4)])
		default:
			b.WriteString([]string{"a", "B", "1", "10", "ab", "%7E", "/", ";", "&n", "%41", "%C3%A9", "%4", "%"}[r.IntN(13)])
		}
	}
	return b.String()
}

var someNames = []string{"n", "m", "mn", "nn", "n1", "x[]", "%6E", "$1", `\1`, "n?", "N"}

func randomQuery(r *rand.Rand, most int) string {
	var b strings.Builder
	for i := range r.IntN(most + 1) {
		if i > 0 {
			b.WriteByte("&&&;"[r.IntN(4)])
		}
		switch r.IntN(6) {
		case 0:
		case 1:
			b.WriteString(someNames[r.IntN(4)])
		case 2:
			b.WriteString(strings.Map(inPiece, randomText(r, 3)))
		default:
			b.WriteString(someNames[r.IntN(r.IntN(len(someNames))+1)] + "=" + strings.Map(inPiece, randomText(r, 2)))
		}
	}
	return b.String()
}

func inPiece(c rune) rune {
	if c == '&' || c == ';' {
		return -1
	}
	return c
}

func randomURL(r *rand.Rand) string {
	url := "/" + randomText(r, 4)
	for range r.IntN(3) {
		url += "/" + []string{"1234", "0a1b2c3d", "0A1B2C3D", "0A1b2c3d", "abcdefab", "123"}[r.IntN(6)] + []string{"/", "/a", "//", "/a/", ""}[r.IntN(5)]
	}
	for range r.IntN(5) { // parameters of segments
		url += []string{";n=1", ";m", ";n", "/", "//", ";", "a/", ";v1234"}[r.IntN(8)]
	}
	switch r.IntN(5) {
	case 0:
	case 1:
		url += "?" + randomQuery(r, 1)
	default:
		url += "?" + randomQuery(r, 8)
	}
	return url
}

// someValue matches a segment that a rule may cut out of a path.
var someValue = regexp.MustCompile("/(1234|0a1b2c3d|0A1B2C3D)/[^/?]")

// randomRule returns a rule that may edit a URL.
func randomRule(r *rand.Rand, url string) rule.Rule {
	for {
		var made rule.Rule
		switch r.IntN(7) {
		case 0:
			made.Edit = rule.Syntax{Form: []rule.Form{rule.Slashes, rule.EmptyQuery, rule.EmptyValue}[r.IntN(3)]}
		case 1:
			made.Edit = rule.Rewrite{Template: randomTemplate(r, url)}
		case 2:
			made.Edit = randomSegment(r, url)
		case 3, 6:
			from := r.IntN(len(url) + 1)
			to := from + r.IntN(min(len(url)-from, 6)+1)
			made.Edit = rule.Substring{From: url[from:to], To: randomText(r, 3), AtStart: r.IntN(6) == 0, AtEnd: r.IntN(6) == 0}
		case 4:
			made.Edit = rule.Set{Param: randomName(r), Value: strings.Map(inPiece, randomText(r, 2))}
		case 5:
			made.Edit = randomDrop(r)
		}
		if r.IntN(2) == 0 {
			made.Scope = randomScope(r, url)
		}
		if r.IntN(3) == 0 {
			made.Except = randomExcept(r, url)
		}
		made = withOwn(r, made)
		if made.Validate() != nil {
			continue
		}
		if _, reason := express("", &made); reason == "" {
			return made
		}
	}
}

// randomTemplate returns a template that may fit a URL, or no template.
func randomTemplate(r *rand.Rand, url string) rule.Template {
	path, query, has := strings.Cut(url, "?")
	var keys []rule.Key
	for i, segment := range strings.Split(path, "/")[1:] {
		keys = append(keys, rule.Key{Name: fmt.Sprint("/", i), Value: segment})
	}
	if has {
		name, value, _ := strings.Cut(query, "=")
		keys = append(keys, rule.Key{Name: name, Value: value})
	}
	for i := range keys {
		if r.IntN(3) > 0 {
			keys[i].Value, keys[i].Any = "", true
		}
	}
	if r.IntN(3) == 0 {
		keys = append(keys, rule.Key{Name: "new", Absent: true})
	}
	for i := range keys {
		k := &keys[i]
		switch k.Edit = rule.KeyEdit(r.IntN(4)); {
		case k.Edit == rule.SetKey:
			k.To = randomText(r, 1)
		case k.Edit == rule.CopyKey:
			k.To = keys[r.IntN(len(keys))].Name
		case k.Absent:
			k.Edit, k.To = rule.SetKey, "1"
		}
	}
	t, err := rule.NewTemplate(keys)
	if err != nil {
		return rule.Template{}
	}
	return t
}

// randomExcept returns exceptions that may hold for a URL.
func randomExcept(r *rand.Rand, url string) rule.Except {
	var scopes []rule.Scope
	var urls []string
	for range r.IntN(3) {
		if s := randomScope(r, url); r.IntN(2) == 0 {
			scopes = append(scopes, s)
		} else {
			urls = append(urls, url[:1+r.IntN(len(url))])
		}
	}
	if r.IntN(4) == 0 {
		urls = append(urls, url)
	}
	e, err := rule.NewExcept(scopes, urls)
	if err != nil {
		return rule.Except{}
	}
	return e
}

// withOwn returns the rule with an exception by the value of its own parameter, if it may have one.
func withOwn(r *rand.Rand, made rule.Rule) rule.Rule {
	if !made.HasOneName() || r.IntN(3) > 0 {
		return made
	}
	where := rule.WhereOwn(made.Params().Param, strings.Map(inPiece, randomText(r, 1)))
	if value := where[0].Value; value != "" && r.IntN(2) == 0 {
		where = rule.WhereOwnBegins(made.Params().Param, value)
	}
	if e, err := made.Except.With(rule.Scope{Where: where}); err == nil {
		made.Except = e
	}
	return made
}

// randomDrop makes a drop of several names, of a value or of a pattern.
func randomDrop(r *rand.Rand) rule.Drop {
	d := rule.Drop{InPath: r.IntN(3) == 0}
	switch r.IntN(6) {
	case 0:
		others := []string{someNames[r.IntN(len(someNames))]}
		for r.IntN(3) == 0 {
			others = append(others, someNames[r.IntN(len(someNames))])
		}
		slices.Sort(others)
		d.Other = strings.Join(slices.Compact(others), ";")
	case 1:
		d.Value, d.HasValue = strings.Map(inPiece, randomText(r, 2)), true
	case 2:
		d.Pattern = rule.Pattern{Prefix: "v"[:r.IntN(2)], Class: rule.Digits + rule.Class(r.IntN(2))}
		return d
	}
	d.Param = randomName(r)
	return d
}

func randomName(r *rand.Rand) string { return someNames[r.IntN(r.IntN(len(someNames))+1)] }

// randomSegment returns a rule of a value in the path of a URL, if it has one.
func randomSegment(r *rand.Rand, url string) rule.Segment {
	e := rule.Segment{Class: rule.Digits + rule.Class(r.IntN(2)), After: "/"}
	if at := someValue.FindStringIndex(url); at != nil {
		e.After = url[:at[0]+1]
		e.Class = map[byte]rule.Class{'1': rule.Digits, '0': rule.Hex}[url[at[0]+1]]
	}
	e.To = e.After[:1+strings.LastIndexByte(e.After[:max(1, len(e.After)-r.IntN(2))], '/')]
	return e
}

func randomScope(r *rand.Rand, url string) rule.Scope {
	path, query, _ := strings.Cut(url, "?")
	s := rule.Scope{}
	if r.IntN(2) == 0 {
		s.Path, s.HasPath = path, true
		if segments := strings.Split(path, "/"); len(segments) > 2 && r.IntN(2) == 0 {
			segments[1+r.IntN(len(segments)-2)] = "*"
			s.Path = strings.Join(segments, "/")
		}
	}
	if r.IntN(3) == 0 {
		s.Prefix = url[:r.IntN(len(url)+1)]
	}
	if r.IntN(2) == 0 {
		c := &s.Where[0]
		c.Param = someNames[r.IntN(4)]
		if piece, _, _ := strings.Cut(query, "&"); r.IntN(2) == 0 {
			c.Param, c.Value, c.HasValue = strings.Cut(piece, "=")
		} else if c.Valued = r.IntN(2) == 0; r.IntN(2) == 0 {
			s.Where[1] = rule.Condition{Param: someNames[4+r.IntN(4)], Valued: r.IntN(2) == 0}
		}
	}
	return s
}

// One application of each expression is one application of the rule.
func TestOnceRandom(t *testing.T) {
	linears.all, linears.edits, linears.gaveUp = 0, 0, 0
	n := 1500
	if *long {
		n = 3000
	}
	r := rand.New(rand.NewPCG(1, 2))
	edited, kinds, excepted := 0, map[string]int{}, 0
	for range n {
		url := randomURL(r)
		rule := randomRule(r, url)
		if once(&rule, url) != url {
			edited++
			kinds[fmt.Sprint(rule.Kind(), rule.Syntax().Form, rule.Params().InPath)]++
		}
		if rule.Excepts([]byte(url)) {
			excepted++
		}
		checkOnce(t, &rule, url)
		if t.Failed() {
			return
		}
	}
	if edited < n/5 || len(kinds) != 9 || excepted < n/50 {
		t.Errorf("only %d of %d URLs are edited, by kind %v; %d are excepted", edited, n, kinds, excepted)
	}
	if linears.all < n/3 || linears.edits < n/15 || linears.gaveUp > linears.edits/10 {
		t.Errorf("expressions without looks: %+v", linears)
	}
	for kind, edited := range kinds {
		if edited < n/300 {
			t.Errorf("only %d URLs are edited by %s", edited, kind)
		}
	}
}

// Rules whose result contains the replaced text, and rules that take slashes away, over a
// small world: results already present, and the first slash, stay.
func TestOnceGrowing(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	sides, urls := oracle.Strings("a/-", 3), oracle.Strings("a/-", 4)
	grown, slashed := 0, 0
	for range 4000 {
		r := rule.Rule{Edit: rule.Substring{From: sides[rng.IntN(13)], To: sides[rng.IntN(len(sides))], AtStart: rng.IntN(3) == 0, AtEnd: rng.IntN(3) == 0}}
		if r.Validate() != nil {
			continue
		}
		url := "/" + urls[rng.IntN(len(urls))]
		if strings.Contains(r.Sides().To, r.Sides().From) && once(&r, url) == url {
			grown++
		}
		if strings.HasPrefix(r.Sides().From, "/") && !strings.HasPrefix(r.Sides().To, "/") {
			slashed++
		}
		checkOnce(t, &r, url)
	}
	if grown < 100 || slashed < 100 {
		t.Errorf("%d rules would grow, %d take a slash", grown, slashed)
	}
}

// Rules that begin and end with escapes and with pieces of escapes, over URLs made of the
// same pieces: an escape is one character, and a word continues through some escapes.
func TestOnceEscapes(t *testing.T) {
	pieces := []string{"%", "4", "%4", "41", "1", "%41", "%2F", "%C3", "a", "/", "-"}
	rng := rand.New(rand.NewPCG(7, 7))
	text := func(most int) (s string) {
		for range rng.IntN(most + 1) {
			s += pieces[rng.IntN(len(pieces))]
		}
		return s
	}
	edited, passed := 0, 0
	for range 6000 {
		e := rule.Substring{From: text(2), To: text(3), AtStart: rng.IntN(8) == 0, AtEnd: rng.IntN(8) == 0}
		if rng.IntN(3) == 0 {
			e.To = text(1) + e.From + text(1)
		}
		r := rule.Rule{Edit: e}
		if r.Sides().From == "" || r.Validate() != nil {
			continue
		}
		url := "/" + text(3) + r.Sides().From + text(3)
		if once(&r, url) != url {
			edited++
		} else {
			passed++
		}
		checkOnce(t, &r, url)
		if t.Failed() {
			return
		}
	}
	if edited < 1000 || passed < 1000 {
		t.Errorf("%d URLs are edited, %d are not", edited, passed)
	}
}

// All queries of up to six pieces, each dropped or kept, or empty.
func TestDropAllQueries(t *testing.T) {
	drop := rule.Rule{Edit: rule.Drop{Param: "n"}}
	set := rule.Rule{Edit: rule.Set{Param: "n", Value: "7"}}
	const most = 6
	for pieces := range most + 1 {
		kinds := []string{"n=1", "n", "", "k"}
		for code := range 1 << (2 * pieces) {
			var q []string
			for i := range pieces {
				q = append(q, kinds[code>>(2*i)&3])
			}
			if pieces > 4 && code%7 != 0 { // a part of the many
				continue
			}
			url := "/p;n=0&n?" + strings.Join(q, "&")
			checkOnce(t, &drop, url)
			checkOnce(t, &set, url)
		}
	}
}

// A parameter in as many places as there are groups is edited. With one place more, the
// edit gives up.
func TestPlaces(t *testing.T) {
	for _, rule := range []rule.Rule{{Edit: rule.Drop{Param: "n"}}, {Edit: rule.Set{Param: "n", Value: "7"}}} {
		for places := 1; places <= Places+2; places++ {
			url := "/p?" + strings.Repeat("k&n=1&", places) + "k"
			checkOnce(t, &rule, url)
			e := ofServer(&rule)
			got := inOrder(t, &e, url)
			if want := places > Places; tooMany(t, &e, got) != want {
				t.Errorf("%d places: given up is %v", places, !want)
			}
		}
	}
}

// The time of expressions does not explode: quadratic time for 120 pieces is short, and
// exponential time would never end.
func TestNoExplosion(t *testing.T) {
	for _, query := range []string{
		strings.Repeat("k&", 120), strings.Repeat("n&", 120), strings.Repeat("n&k&", 60),
		strings.Repeat("n&n&k&", 40), strings.Repeat("&", 240), strings.Repeat("n=", 120),
		strings.Repeat("n&", 119) + "k", "k&" + strings.Repeat("n&", 119) + "n",
	} {
		for _, rule := range []rule.Rule{
			{Edit: rule.Drop{Param: "n"}}, {Edit: rule.Set{Param: "n", Value: "7"}},
			{Edit: rule.Drop{Param: "n"}, Scope: rule.Scope{Where: rule.With("m")}},
			{Edit: rule.Substring{From: "&k&n", To: ""}}, {Edit: rule.Substring{From: "n&n&x"}},
			{Edit: rule.Syntax{Form: rule.EmptyValue}}, {Edit: rule.Syntax{Form: rule.Slashes}}, {Edit: rule.Drop{Param: "n", InPath: true}},
		} {
			checkOnce(t, &rule, "/p?"+query)
			checkOnce(t, &rule, "/"+strings.NewReplacer("&", ";", "k", "/").Replace(query)+"?")
		}
	}
}

// The path of a scope is compared with the path that is left, over all small paths.
func TestOnceInPath(t *testing.T) {
	at := func(path string) rule.Scope { return rule.Scope{Path: path, HasPath: true} }
	pieces := []string{"/", ";n", ";n=1", ";m", "a"}
	edited := 0
	for _, r := range []rule.Rule{
		{Scope: at("/a")}, {Scope: at("/*/a")}, {Scope: at("/a/*/")}, {Scope: at("/a;m/a")}, {Scope: at("/")}, {Scope: at("/;m")},
		{Edit: rule.Drop{HasValue: true, Value: "1"}, Scope: at("/a/*/")}, {Edit: rule.Drop{Other: "nn"}, Scope: at("/a;m")},
		{Edit: rule.Drop{Other: "na;nn"}, Scope: at("/a;m")},
	} {
		d := r.Params()
		d.InPath, d.Param = true, "n"
		r.Edit = d
		step := 4 // all pieces meet all others
		if *long {
			step = 1
		}
		for n := 0; n < 5*5*5*5*5; n += step {
			url := "/"
			for code := n; code > 0; code /= 5 {
				url += pieces[code%5]
			}
			if once(&r, url) != url {
				edited++
			}
			checkOnce(t, &r, url)
		}
	}
	if edited < 120 {
		t.Errorf("only %d URLs are edited", edited)
	}
}

func FuzzOnce(f *testing.F) {
	f.Add("/a/b?n=1&m=2", "a/b", "$1\\", "n", "m", byte(0))
	f.Add("/a?n&&n=1;n", "?n", "", "n", "k", byte(1))
	f.Add("/a?n=1;m=2&n", "", "x", "n", "m=2", byte(2|1<<4))
	f.Add("/%41%4%2F41", "41", "%41", "", "", byte(0))
	f.Add(`/$%7E"(?`, `$%7E`, `\`, "n", "", byte(1<<2))
	f.Add("/a?n=1;m=2&k", "m", "", "k", "", byte(3))
	f.Add("/a?n=1;n=2&n", "", "1", "n", "", byte(3))
	f.Fuzz(func(t *testing.T, url, from, to, param, scope string, flags byte) {
		if len(url) > 300 || len(from)+len(to)+len(param)+len(scope) > 300 || !strings.HasPrefix(url, "/") {
			return
		}
		var r rule.Rule
		switch flags & 3 {
		case 0:
			r.Edit = rule.Substring{From: from, To: to, AtStart: flags&4 > 0, AtEnd: flags&8 > 0}
		case 1:
			r.Edit = rule.Drop{Param: param}
		case 2:
			r.Edit = rule.Set{Param: param, Value: to}
		case 3: // a drop of two names, or of one value
			r.Edit = rule.Drop{Param: param, Other: from, Value: to, HasValue: from == ""}
		}
		if flags&16 > 0 {
			c := &r.Scope.Where[0]
			c.Param, c.Value, c.HasValue = strings.Cut(scope, "=")
		}
		if flags&32 > 0 {
			r.Scope.Path, _, _ = strings.Cut(scope, "=")
			r.Scope.HasPath = true
		}
		if flags&64 > 0 {
			r.Scope.Prefix = scope
		}
		mined := rule.Rule{Edit: rule.Substring{From: url}} // only bytes of mined strings
		if r.Validate() != nil || mined.Validate() != nil {
			return
		}
		checkOnce(t, &r, url)
	})
}

func TestLiteral(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"aZ09", "aZ09"},
		{`$\"%7E`, `\x24\x5C\x22\x257E`},
		{"/a_b?c=", `\x2Fa\x5Fb\x3Fc\x3D`},
	} {
		if got := literal(c.in); got != c.want {
			t.Errorf("literal(%q) = %s, want %s", c.in, got, c.want)
		}
	}
}

func ExampleFormats() {
	for _, f := range Formats() {
		fmt.Println(f.Name)
	}
	// Output:
	// nginx
	// apache
	// htaccess
	// caddy
	// haproxy
	// varnish
	// cloudflare
	// cloudfront
	// nutch
	// stormcrawler
	// heritrix
	// dud
	// clearurls
	// clean-param
	// no-vary-search
	// algolia
}
