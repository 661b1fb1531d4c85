package secret

// isCard reports whether a text begins with the number of a payment card: 13 to 19 digits,
// in one run or in groups of four (American Express: 4-6-5, Diners Club: 4-6-4), in a range
// of numbers that issuers use, whose last digit is the check digit of ISO/IEC 7812
// (Luhn's). The ranges are those of ISO/IEC 7812-1 as the networks publish them.
func isCard(text string) bool {
	var digits [19]byte
	n, groups := 0, [5]int{}
	group := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case kind(c) == digit:
			if n == len(digits) {
				return false
			}
			digits[n] = c - '0'
			n++
			groups[group]++
			continue
		case kind(c) == letter:
			return false
		case isGap(c) && i+1 < len(text) && kind(text[i+1]) == digit && group+1 < len(groups):
			group++
			continue
		}
		break
	}
	if n < 13 || group > 0 && !grouped(groups[:group+1]) {
		return false
	}
	return issued(digits[:n]) && luhn(digits[:n])
}

// isGap reports whether a byte stands between groups of digits.
func isGap(c byte) bool { return c == ' ' || c == '+' || c == '-' }

// grouped reports whether groups of digits are as on a card.
func grouped(groups []int) bool {
	if len(groups) == 3 {
		return groups[0] == 4 && groups[1] == 6 && (groups[2] == 4 || groups[2] == 5)
	}
	for _, n := range groups[:len(groups)-1] {
		if n != 4 {
			return false
		}
	}
	return groups[len(groups)-1] <= 4
}

// issuers are ranges of the first four digits, with the numbers' lengths.
var issuers = []struct{ from, to, least, most int }{
	{2200, 2204, 16, 19}, // Mir
	{2221, 2720, 16, 16}, // Mastercard
	{3000, 3059, 14, 19}, // Diners Club
	{3095, 3095, 14, 19},
	{3400, 3499, 15, 15}, // American Express
	{3528, 3589, 16, 19}, // JCB
	{3600, 3699, 14, 19}, // Diners Club
	{3700, 3799, 15, 15}, // American Express
	{3800, 3999, 14, 19}, // Diners Club
	{4000, 4999, 13, 13}, // Visa
	{4000, 4999, 16, 16},
	{4000, 4999, 19, 19},
	{5018, 5018, 16, 19}, // Maestro
	{5020, 5020, 16, 19},
	{5038, 5038, 16, 19},
	{5100, 5599, 16, 16}, // Mastercard
	{5893, 5893, 16, 19}, // Maestro
	{6011, 6011, 16, 19}, // Discover
	{6200, 6299, 16, 19}, // UnionPay
	{6304, 6304, 16, 19}, // Maestro
	{6440, 6599, 16, 19}, // Discover
	{6759, 6763, 16, 19}, // Maestro
}

func issued(digits []byte) bool {
	first := 0
	for _, d := range digits[:4] {
		first = 10*first + int(d)
	}
	for _, r := range issuers {
		if r.from <= first && first <= r.to && r.least <= len(digits) && len(digits) <= r.most {
			return true
		}
	}
	return false
}

func luhn(digits []byte) bool {
	sum := 0
	for i, d := range digits {
		n := int(d)
		if (len(digits)-i)%2 == 0 {
			n *= 2
		}
		sum += n/10 + n%10
	}
	return sum%10 == 0
}

// accounts are the lengths of the IBANs of each country, from the registry of ISO 13616.
var accounts = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27, "BR": 29, "BY": 28,
	"CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
	"FK": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HN": 28, "HR": 21, "HU": 28,
	"IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
	"LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MN": 20, "MR": 27, "MT": 31, "MU": 30, "NI": 28,
	"NL": 18, "NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "RU": 33, "SA": 24,
	"SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26,
	"UA": 29, "VA": 22, "VG": 24, "XK": 20, "YE": 30,
}

// isAccount reports whether a text begins with an IBAN: a country, two check digits that are
// right (ISO 13616, modulo 97), and as many letters and digits as it has, in one run or in
// groups of four.
func isAccount(text string) bool {
	if len(text) < 15 || kind(text[1]) != letter || kind(text[2]) != digit || kind(text[3]) != digit {
		return false
	}
	length := accounts[string([]byte{text[0] &^ 0x20, text[1] &^ 0x20})]
	var all [34]byte
	n, gaps := 0, false
	for i := 0; i < len(text) && n < length; i++ {
		switch c := text[i]; {
		case kind(c) != other:
			all[n] = c
			n++
		case isGap(c) && n == 4 && i == 4:
			gaps = true
		case !isGap(c) || !gaps || n%4 != 0 || text[i-1] == c:
			return false
		}
		if n == length {
			return (i+1 == len(text) || kind(text[i+1]) == other) && remainder(all[:n]) == 1
		}
	}
	return false
}

// remainder returns the remainder modulo 97 of an IBAN whose first four characters are
// moved to the end.
func remainder(account []byte) int {
	r := 0
	for i := range account {
		c := account[(i+4)%len(account)]
		if kind(c) == digit {
			r = (10*r + int(c-'0')) % 97
		} else {
			r = (100*r + int(c|0x20-'a') + 10) % 97
		}
	}
	return r
}
