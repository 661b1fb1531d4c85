package secret

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

//go:embed testdata/words.txt
var wordFile string

// words come from a dozen languages, without accents.
var words = func() []string {
	plain, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), strings.NewReplacer("ß", "ss", "ı", "i", "ł", "l").Replace(wordFile))
	if err != nil {
		panic(err)
	}
	return strings.Fields(plain)
}()

// alphabets of random text.
const (
	lowers = "abcdefghijklmnopqrstuvwxyz"
	digits = "0123456789"
	hexes  = digits + "abcdef"
	base36 = digits + lowers
	uppers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + digits
	base62 = uppers + lowers
	base64 = base62 + "-_"
)

// hidden reports whether a text looks like a secret.
func hidden(text string) bool { return Veil{}.Hides(text) }

// world makes texts of known kinds.
type world struct{ *rand.Rand }

func newWorld(seed uint64) world { return world{rand.New(rand.NewPCG(seed, 1))} }

// text returns random text.
func (w world) text(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[w.IntN(len(alphabet))]
	}
	return string(b)
}

func (w world) word() string { return words[w.IntN(len(words))] }

// joined returns words without a separator, of at least n bytes. A share of the words is
// followed by a number.
func (w world) joined(n int, numbered float64) string {
	var b strings.Builder
	camel := w.IntN(2) == 0
	for b.Len() < n {
		word := w.word()
		if camel {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		b.WriteString(word)
		if w.Float64() < numbered {
			b.WriteString([]string{"2", "3", "10", "100", "1999", "2015", "2024"}[w.IntN(7)])
		}
	}
	return b.String()
}

// stamp returns a time within a name.
func (w world) stamp() string {
	day := fmt.Sprintf("%04d%02d%02d", 1995+w.IntN(35), 1+w.IntN(12), 1+w.IntN(28))
	clock := fmt.Sprintf("%02d%02d%02d", w.IntN(24), w.IntN(60), w.IntN(60))
	return []string{day + "T" + clock + "Z", "IMG" + day + clock, day + clock + "utc", day + "to" + day, "photo" + day + "copy2"}[w.IntN(5)]
}

// slug returns a title as in the URL of a page.
func (w world) slug() string {
	parts := []string{fmt.Sprint(2000 + w.IntN(30))}
	for range 5 + w.IntN(4) {
		parts = append(parts, w.word())
	}
	parts = append(parts, fmt.Sprint(w.IntN(100)), w.word(), fmt.Sprint("v", w.IntN(10)))
	return strings.Join(parts, "-")
}

// card returns the number of a payment card with a prefix.
func (w world) card(prefix string, n int) string {
	number := prefix + w.text(digits, n-1-len(prefix))
	for check := range 10 {
		plain := []byte(number + fmt.Sprint(check))
		for i := range plain {
			plain[i] -= '0'
		}
		if luhn(plain) {
			return number + fmt.Sprint(check)
		}
	}
	panic("no check digit fits")
}

// account returns an IBAN of a country.
func (w world) account(country string) string {
	rest := w.text(digits, accounts[country]-4)
	for check := 2; check < 99; check++ {
		if iban := fmt.Sprintf("%s%02d%s", country, check, rest); remainder([]byte(iban)) == 1 {
			return iban
		}
	}
	panic("no check digits fit")
}

// inFours inserts a separator after each four bytes.
func inFours(s, separator string) string {
	var parts []string
	for ; len(s) > 4; s = s[4:] {
		parts = append(parts, s[:4])
	}
	return strings.Join(append(parts, s), separator)
}

// escaped writes each byte that is neither letter nor digit as an escape, the given number
// of times over.
func escaped(s string, times int) string {
	for range times {
		var b strings.Builder
		for i := range len(s) {
			if kind(s[i]) == other {
				fmt.Fprintf(&b, "%%%02X", s[i])
			} else {
				b.WriteByte(s[i])
			}
		}
		s = b.String()
	}
	return s
}

// planted returns secrets of each kind, by kind.
func (w world) planted() map[string][]string {
	all := map[string][]string{
		"card":    {w.card("4", 16), w.card("5"+fmt.Sprint(1+w.IntN(5)), 16), w.card("34", 15), w.card("37", 15), w.card("6011", 16), w.card("36", 14), w.card("3530", 16), w.card("62", 16), w.card("2221", 16), w.card("4", 13), w.card("4", 19)},
		"address": {w.word() + "@" + w.word() + ".example", w.word() + "." + w.word() + "+5@mail." + w.word() + ".co.uk", w.word() + "@" + w.word() + ".xn--p1ai"},
		"phone":   {"+" + fmt.Sprint(1+w.IntN(9)) + w.text(digits, 10), "+49 (0)30 " + w.text(digits, 7), "tel:+1-212-" + w.text(digits, 3) + "-" + w.text(digits, 4)},
		"key":     {"-----BEGIN RSA PRIVATE KEY-----", "-----BEGIN+PRIVATE+KEY-----"},
		"uuid":    {strings.Join([]string{w.text(hexes, 8), "4" + w.text(hexes, 3), w.text("abcd", 4), w.text(hexes, 4), w.text(hexes, 12)}, "-")},
		"token":   {w.text(base64, 43), w.text(hexes, 32), w.text(base62, 40)},
	}
	for _, card := range all["card"] {
		all["card in groups"] = append(all["card in groups"], inFours(card, " "), inFours(card, "-"))
	}
	for country := range accounts {
		all["account"] = append(all["account"], w.account(country), strings.ToLower(w.account(country)))
		all["account in groups"] = append(all["account in groups"], inFours(w.account(country), " "))
	}
	for _, f := range forms {
		all["prefix"] = append(all["prefix"], f.prefix+w.text(map[body]string{word: base62, dashes: base62, dotted: base62, upper: uppers}[f.body], f.least))
	}
	return all
}

// within returns URLs with a text at different places. The text is a secret at each place.
func within(s string) []string {
	return []string{"/a/" + escaped(s, 1) + "/b", "/x?q=" + escaped(s, 1) + "&y=1", "/x?q=" + escaped(s, 2), "/x?back=" + escaped("/y?q="+escaped(s, 1)+"&z=2", 1), "/x?" + escaped(s, 3) + "=1"}
}
