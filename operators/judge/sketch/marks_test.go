package sketch

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// apart returns the words and marks of a list that one of two pages has more often than the other.
func apart(a, b string, of ...string) (found []string) {
	onlyA, onlyB, ok := Apart(page(a), page(b), MaxBag)
	if !ok {
		return []string{"unknown"}
	}
	for side, hashes := range [][]uint32{onlyA, onlyB} {
		for _, h := range hashes {
			name := "?"
			for _, word := range of {
				if slices.Contains(BagOf([]byte(word)), h) {
					name = word
				}
			}
			found = append(found, fmt.Sprintf("%c%s", "ab"[side], name))
		}
	}
	slices.Sort(found)
	return found
}

// What a reader sees beside the words tells pages of equal words apart.
func TestMarks(t *testing.T) {
	for _, c := range []struct{ name, a, b, want string }{
		{"a tick", "ok ✓", "ok ✗", "a✓ b✗"},
		{"stars", "★★", "★★★", "a★★ b★★★"},
		{"a currency", "€5", "$5", "a€ b$"},
		{"a dash", "at -5", "at 5", "a-"},
		{"a minus", "at −5", "at 5", "a−"},
		{"an operator", "a*b", "a/b", "a* b/"},
		{"a face", "so 😀", "so 😡", "a😀 b😡"},
		{"commas are no signs", "a, b", "a. b;)", ""},
		{"struck", "<s>89</s> 79", "89 <s>79</s>", "a89 b79"},
		{"raised and lowered", "2<sup>3</sup>", "2<sub>3</sub>", "asup bsub"},
		{"a fraction", "½ cup", "¼ cup", "a½ b¼"},
		{"a square", "m²", "m³", "a² b³"},
		{"a Roman number", "Class Ⅳ", "Class Ⅵ", "aⅣ bⅥ"},
		{"an icon of a font", "x &#xe001;", "x &#xe002;", "a\ue001 b\ue002"},
		{"brackets", "at (5)", "at 5", "a("},
		{"quotes", "“5” x", "5 x", "a“ a”"},
		{"straight quotes", "&quot;x 5", "x 5", "a\""},
		{"an apostrophe", "don’t x", "don't x", ""},
		{"signs change places", "✓ milk ✗ buy", "✗ milk ✓ buy", "a? a? a? b? b? b?"},
		{"signs after words change places", "milk ✓, buy ✗", "milk ✗, buy ✓", "a? a? a? b? b? b?"},
		{"signs of lines change places", "<pre>-a = 5\n+b = 5</pre>", "<pre>+a = 5\n-b = 5</pre>", "a? a? a? b? b? b?"},
		{"signs in pieces of their own", "<b>✓</b> milk <b>✗</b> buy", "<b>✗</b> milk <b>✓</b> buy", ""},
		{"a part of a title", "milk - buy", "milk one - buy", "bone"},
		{"parts of a title change places", "milk - buy", "buy - milk", ""},
		{"another view in a title", "milk - buy", "milk (5) | buy", "a- b( b5 b|"},
		{"a path with a name of the URL", "a > red > b", "a > blue > b", "ared bblue"},
		{"struck and added change places", "<ins>a</ins> <del>b</del>", "<del>a</del> <ins>b</ins>", "a? a? b? b?"},
		{"raised and lowered change places", "<sup>a</sup> <sub>b</sub>", "<sub>a</sub> <sup>b</sup>", "a? a? b? b?"},
		{"another word set apart", "x <sup>5</sup>", "x <sup>6</sup>", "a5 a5 b6 b6"},
		{"pictures change places", "milk <img src=red.png> buy <img src=blue.png>", "milk <img src=blue.png> buy <img src=red.png>", "a? a? b? b?"},
		{"pictures elsewhere", "milk <img src=red.png> buy", "milk buy <img src=red.png>", ""},
		{"marked", "<mark>a</mark> b", "a <mark>b</mark>", "aa bb"},
		{"quoted and underlined", "<q>a</q> <u>b</u>", "a b", "aa ab aq au"},
		{"a formula", "<msqrt>5</msqrt>", "5", "a5 amsqrt"},
		{"bold", "<b>a</b> b", "a <strong>b</strong>", ""},
		{"hidden", "<b hidden>buy</b> x", "<b>buy</b> x", "abuy ahidden"},
		{"not displayed", "<b style='display: none'>buy</b> x", "<b style='display:block'>buy</b> x", "abuy ahidden"},
		{"hidden in two ways", "<b style='color:red;visibility:hidden'>buy</b> x", "<b hidden>buy</b> x", ""},
		{"an empty element is hidden", "<b hidden></b> x", "<b></b> x", ""},
		{"a hidden input", "<input hidden> x", "<input style='display:none'> x", ""},
		{"another property", "<b style='pointer-events:none;overflow:hidden'>x</b>", "<b style='border:none'>x</b>", ""},
		{"numbers of lists", "x <ol start=5><li value=5>", "x <ol start=6><li value=6>", "a5 a5 b6 b6"},
		{"a time", "x <time datetime=5>", "x <time datetime=6>", "a5 b6"},
		{"pressed", "<button aria-pressed=red>x</button>", "<button aria-pressed=blue>x</button>", "ared bblue"},
		{"other names of ARIA", "<p aria-controls=red aria-labelledby=red aria-expanded=red>x", "<p aria-controls=blue aria-expanded=blue>x", ""},
		{"a pie", "x <svg><circle stroke-dasharray='5 9'>", "x <svg><circle stroke-dasharray='6 9'>", "a? b?"},
		{"a late picture", "x <img data-lazy-src=/m/red.jpg>", "x <img data-lazy-src=/m/blue.jpg>", "ared bblue"},
		{"a late background", "x <b data-bg='/m/red.JPG?5#1'>y</b>", "x <b data-bg='/m/blue.JPG?5'>y</b>", "ared bblue"},
		{"a film of a parameter", "x <param name=movie value=/s/red.swf>", "x <param name=movie value=/s/blue.swf>", "ared bblue"},
		{"a frame of a set", "x <frame src=/f/red>", "x <frame src=/f/blue>", "ared bblue"},
		{"no file", "x <b data-a=red.html data-b='red. x'>y</b>", "x <b data-a=blue.html data-b='blue. x'>y</b>", ""},
		{"a download by query", "x <a href='/get?file=a/red.pdf&amp;s=5'>", "x <a href='/get?file=a/blue.pdf&amp;s=6'>", "ared bblue"},
		{"mail", "x <a href='mailto:red?subject=5'>", "x <a href='mailto:blue?subject=6'>", "ared bblue"},
		{"a telephone", "x <a href=tel:5>", "x <a href=TEL:6>", "a5 b6"},
		{"a magnet", "x <a href='magnet:?xt=red&amp;tr=5'>", "x <a href='magnet:?xt=blue&amp;tr=6'>", "ared bblue"},
		{"a link of another site", "x <a href=https://www.red/5>", "x <a href=//blue?6>", "ared bblue"},
		{"links of one site", "x <a href=https://www.red/5><a href=//red>", "x <a href=http://m.red/6#7>", ""},
		{"an element of scripts", "x <x-price value=red id=5></x-price>", "x <x-price value=blue id=6></x-price>", "ared bblue"},
		{"a file of an element of scripts", "x <amp-img src=/5/red></amp-img>", "x <amp-img src=/6/blue></amp-img>", "ared bblue"},
		{"a frame with its text", "x <iframe srcdoc='<p title=5>red'></iframe>", "x <iframe srcdoc='<p title=6>blue'></iframe>", "ared bblue"},
		{"a shadow root", "x <template shadowrootmode=open>red</template>", "x <template shadowrootmode=open>blue</template>", "ared bblue"},
		{"a template", "x <template><template shadowrootmode=open>red</template>a</template> b", "x <template>blue</template> b", ""},
		{"sent on", "x <meta http-equiv=Refresh content='0; url=/5/red'>", "x <meta http-equiv=refresh content=\"0;URL='/6/blue'\">", "ared bblue"},
		{"linked data", "one two six x <script type=application/ld+json>{\"p\":\"red one\"}</script>", "one two six x <script type=application/ld+json>{\"p\":\"blue two\"}</script>", "ared bblue"},
		{"linked data with more members", "x y z a b c d e <script type=application/ld+json>{\"p\":\"red\"}</script>", "x y z a b c d e <script type=application/ld+json>{\"p\":\"blue\",\"q\":5}</script>", ""},
		{"linked data of one page", "x y z a b <script type=application/ld+json>{\"p\":\"red\"}</script>", "x y z a b", ""},
		{"a script after linked data", "x y <script type=application/ld+json>{}</script><script>red</script>", "x y <script type=application/ld+json>{}</script><script>blue</script>", ""},
		{"case", "Polish and one", "polish and One", "aone apolish bone bpolish"},
		{"case beside another word", "Polish one", "polish two", "aone apolish bpolish btwo"},
		{"case of a word that comes", "polish one", "polish Polish", "aone bpolish"},
		{"case beside a counter", "Polish goods 5", "polish goods 6", "a5 apolish b6 bpolish"},
		{"one case beside a counter", "Polish goods 5", "Polish goods 6", "a5 b6"},
		{"struck by style", "<b style='text-decoration: line-through'>89</b> 79", "89 <b style='text-decoration-line:line-through'>79</b>", "a89 b79"},
		{"added", "<ins>89</ins> 79", "89 79", "a89 ains"},
		{"a picture", "x <img src=/m/red.jpg>", "x <img src=/m/blue.jpg>", "ared bblue"},
		{"a folder", "x <img src=//cdn1.example/a/red.jpg>", "x <img src=/b/red.jpg>", ""},
		{"a query", "x <img src='/i.php?name=red'>", "x <img src='/i.php?name=blue'>", "ared bblue"},
		{"an alternative text", "x <img src=a.jpg alt=red>", "x <img src=a.jpg alt=blue>", "ared bblue"},
		{"sizes", "x <img srcset='/red.webp 2x'>", "x <img srcset='/blue.webp 2x'>", "ared bblue"},
		{"a poster", "x <video poster=red.jpg>", "x <video poster=blue.jpg>", "ared bblue"},
		{"a frame", "x <iframe src=/embed/red></iframe>", "x <iframe src=/embed/blue></iframe>", "ared bblue"},
		{"a background", "x <p style=\"background:url( '/red.png' )\">", "x <p style=\"background:url(/blue.png)\">", "ared bblue"},
		{"an icon", "x <i class='fa red'></i>", "x <i class='fa blue'></i>", "ared bblue"},
		{"an icon of another element", "x <td class='fa red'></td>", "x <td class='fa blue'> &nbsp;</td>", "ared bblue"},
		{"an icon of a link", "x <a href=/ class=red></a>", "x <a href=/ class=blue></a>", "ared bblue"},
		{"an icon before a text", "<li class='fa fa-red green'>x", "<li class='fa fa-blue buy'>x", "ared bblue"},
		{"a named icon before a text", "<b class=my-icon-red>x</b>", "<b class='a my-icon-blue'>x</b>", "ared bblue"},
		{"a class", "<b class='red iconic' id=red>x</b>", "<b class='blue safari' id=blue>x</b>", ""},
		{"an id", "x <b id=red data-id=red></b>", "x <b id=blue data-id=blue></b>", ""},
		{"a long form", "<abbr title=red>x</abbr>", "<abbr title=blue>x</abbr>", "ared bblue"},
		{"a title of an icon", "x <b title=red></b>", "x <b title=blue></b>", "ared bblue"},
		{"a title of a text", "<a href=/ title=red>x</a> <b title=red>x</b>", "<a href=/ title=blue>x</a> <b title=blue>x</b>", ""},
		{"a bar", "x <b style='color:red; width: 5%'></b>", "x <b style='color:blue;width:6%'></b>", "a5 b6"},
		{"another style", "<p style='margin:5%;max-width:5%;line-height:5%;width:5px;color:red'>x", "<p style='margin:6%;max-width:6%;line-height:6%;width:6px'>x", ""},
		{"a label", "<p class=red aria-label='red'>x</p>", "<p aria-label='blue'>x</p>", "ared bblue"},
		{"a label of a button", "<button aria-label=red>x</button>", "<button aria-label=blue>x</button>", "ared bblue"},
		{"a picture in the page", "x <img src=data:image/png;base64,iVBO/x>", "x <img src=data:image/png;base64,jVBO/x>", "a? b?"},
		{"a download", "x <a href=/f/red.PDF>", "x <a href=/f/blue.PDF>", "ared bblue"},
		{"a named download", "x <a href=/get download=red>", "x <a href=/get download=blue>", "ared bblue"},
		{"a link", "x <a href=/red.html?x=red>", "x <a href=/blue>", ""},
		{"a drawing", "x <svg><rect height=5></svg>", "x <svg><rect height=6></svg>", "a? b?"},
		{"a turned drawing", "x <svg><path d='M0 0' transform=rotate(5)>", "x <svg><path d='M0 0' transform=rotate(6)>", "a? b?"},
		{"turned drawings", "x <svg><g transform=rotate(5)>", "x <svg><g transform=rotate(6)>", "a? b?"},
		{"a turned text", "<p style='transform:rotate(5deg)' transform=5>x", "<p style='transform:rotate(6deg)' transform=6>x", ""},
		{"a picture in a drawing", "x <svg><image href=/m/red.png>", "x <svg><image xlink:href=/m/blue.png>", "ared bblue"},
		{"a symbol", "x <svg><use href=#i-red>", "x <svg><use xlink:href=#i-blue>", "ared bblue"},
		{"a symbol of a file", "x <svg><use href=/red.svg>", "x <svg><use href=/blue.svg>", "ared bblue"},
		{"a file of symbols", "x <svg><use href=/s.8a7b.svg?5#i-red>", "x <svg><use href=//cdn.example/s.9c0d.svg?6#i-red>", ""},
		{"subtitles", "x <video><track src=/v/red.vtt>", "x <video><track src=/v/blue.vtt>", "ared bblue"},
		{"text of a drawing", "x <svg><text>5</text></svg>", "x <svg><text>6</text></svg>", "a5 b6"},
		{"ticked", "x <input type=checkbox checked> milk", "x <input type=checkbox> milk", "achecked amilk"},
		{"another one ticked", "<input type=radio checked>a <input type=radio>b", "<input type=radio>a <input type=radio checked>b", "aa bb"},
		{"chosen", "<option selected>red<option>blue", "<option>red<option selected>blue", "ared bblue"},
		{"sold out", "<button disabled>buy</button> x", "<button>buy</button> x", "abuy adisabled"},
		{"a value", "x <input value=red>", "x <input value=blue>", "ared bblue"},
		{"values not shown", "x <input type=hidden value=red><input type=PASSWORD value=red><input type=radio value=red>", "x <input type=hidden value=blue><input type=password><input type=radio>", ""},
		{"a gauge", "x <meter value=0.5>", "x <progress value=0.6>", "a5 b6"},
		{"a script's state", "one <script>window.__S__={a:'red green'}</script>", "one <script>window.__S__={a:'red blue'}</script>", "agreen bblue"},
		{"data of a script", "one <script type=application/json>{\"a\":\"red green\"}</script>", "one <script type=application/json>{\"a\":\"red blue\"}</script>", "agreen bblue"},
		{"a state that is shown", "red green blue one two <script>window.__S__='red green blue one two 1'</script>", "red green blue one two <script>window.__S__='red green blue one two 2'</script>", ""},
		{"another script", "one <script>var a='red green'</script>", "one <script>var a='red blue'</script>", ""},
	} {
		got := strings.Join(apart(c.a, c.b, "✓", "✗", "★★", "★★★", "€", "$", "-", "−", "*", "/", "😀", "😡", "89", "79", "sup", "sub", "polish", "one", "two", "red", "blue", "green",
			"checked", "milk", "a", "b", "buy", "disabled", "5", "6", "ins", "½", "¼", "²", "³", "Ⅳ", "Ⅵ", "\ue001", "\ue002", "(", "“", "”", "\"", "|", "u", "q", "msqrt", "hidden"), " ")
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The marks of a page are bounded. Of a page with more nothing but the words is known, and of a page with more words
// nothing but the marks.
func TestMarksAreBounded(t *testing.T) {
	many := strings.Repeat("<img src=a.png alt=red>", MaxBag)
	if p := page("one" + many); p.Marks != nil {
		t.Errorf("%d marks", len(p.Marks))
	}
	if got := fmt.Sprint(apart("one"+many, "two", "one", "two")); got != "[aone btwo]" {
		t.Errorf("too many marks: %s", got)
	}
	words := strings.Repeat("word ", MaxBag+1)
	if got := fmt.Sprint(apart(words+"✓", words+"✗", "✓", "✗")); got != "[a✓ b✗]" {
		t.Errorf("too many words: %s", got)
	}
	if got := fmt.Sprint(apart(words, words)); got != "[unknown]" {
		t.Errorf("too many words, and no marks: %s", got)
	}
	if p := page("one"); p.Marks == nil || len(p.Marks) != 0 {
		t.Error("a page without marks")
	}
}

// Signs, case and marks change no sketch, and no text.
func TestMarksAreNoWords(t *testing.T) {
	a, b := page("Red ✓ <s>2</s> <img alt=x>"), page("red 2")
	if a.MinHash != b.MinHash || a.Words != 2 || !SameText(a, b) || Exact(a, b) != 1 {
		t.Errorf("%d words, resemblance %v", a.Words, Exact(a, b))
	}
}

// Single words in each other's place are told. Longer texts in another order are not.
func TestSwapped(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"lift yes pool no", "lift no pool yes", 2},
		{"one two", "one two", 0},
		{"a b c d e f g h i j k l", "g h i j k l a b c d e f", 0},
	} {
		u, v := Swapped(listOf(c.a), listOf(c.b))
		if len(u) != c.want || len(v) != c.want {
			t.Errorf("%q and %q: %d and %d words, want %d", c.a, c.b, len(u), len(v), c.want)
		}
	}
}

// A short page that asks whether its reader is human is a wall.
func TestWall(t *testing.T) {
	for _, c := range []struct {
		body string
		want bool
	}{
		{"<h1>One more step</h1> Please verify that you are human", true},
		{"<div class=cf-turnstile></div>", true},
		{"Bitte bestätigen Sie: Ich bin kein Roboter", true},
		{"Checking your browser before you go on", true},
		{"Подтвердите, что вы не робот", true},
		{"<script src=/recaptcha/api.js></script>A page", false},
		{"<SCRIPT>captcha()</SCRIPT> A page <script>captcha()", false},
		{"A page about people", false},
		{"<div class=g-recaptcha></div>" + strings.Repeat("word ", mostWallWords), true},
		{"<div class=g-recaptcha></div>" + strings.Repeat("word ", mostWallWords+1), false},
	} {
		if page(c.body).Wall != c.want {
			t.Errorf("%.60q: %v", c.body, !c.want)
		}
	}
}

// Attributes that are new with each request take the place of no word.
func TestMarksLoseNoWord(t *testing.T) {
	body := func(price string, request int) string {
		var b strings.Builder
		for i := range 150 {
			fmt.Fprintf(&b, "<x-item token=%x>", uint64(request*1000+i)*0x9e3779b97f4a7c15)
		}
		return b.String() + "<p>for " + price
	}
	word, _, _ := Apart(page("for 1037"), page("for 5091"), 12)
	for request := range 20 {
		got, _, ok := Apart(page(body("1037", 2*request)), page(body("5091", 2*request+1)), 12)
		if !ok || len(word) != 1 || !slices.Contains(got, word[0]) || len(got) != 12 {
			t.Errorf("request %d: %x, want %x among them", request, got, word)
		}
	}
}

// Each tag is looked at once, whatever follows.
func TestTagsBeforeSpaces(t *testing.T) {
	body := strings.Repeat("<i a=1>", 100_000) + strings.Repeat(" ", 1<<20)
	if at := time.Now(); page(body) == nil || time.Since(at) > 5*time.Second { // 40 s if each tag looks at all spaces
		t.Errorf("%v for %d bytes", time.Since(at), len(body))
	}
}
