package secret

import "strings"

// hasHardware reports whether a text holds the address of a network card (IEEE 802): six
// groups of two hexadecimal digits with colons or dashes between, or three groups of four
// with dots. With dashes, a letter tells it from dates.
func hasHardware(text string) bool {
	for i := 0; i+14 <= len(text); i++ {
		if i > 0 && kind(text[i-1]) != other || !isHex(text[i]) {
			continue
		}
		if isGrouped(text[i:], 2, 6, ':') || isGrouped(text[i:], 4, 3, '.') && hasLetter(text[i:i+14]) ||
			isGrouped(text[i:], 2, 6, '-') && hasLetter(text[i:i+17]) {
			return true
		}
	}
	return false
}

// isGrouped reports whether a text begins with groups of hexadecimal digits and no further
// group follows.
func isGrouped(text string, size, groups int, separator byte) bool {
	length := groups*(size+1) - 1
	if len(text) < length {
		return false
	}
	for i := range length {
		if (i+1)%(size+1) == 0 {
			if text[i] != separator {
				return false
			}
		} else if !isHex(text[i]) {
			return false
		}
	}
	return len(text) == length || kind(text[length]) == other && text[length] != separator
}

func isHex(c byte) bool { return kind(c) == digit || 'a' <= c|0x20 && c|0x20 <= 'f' }

func hasLetter(text string) bool {
	for i := range len(text) {
		if kind(text[i]) == letter {
			return true
		}
	}
	return false
}

// isClient reports whether a piece may be the address of a client: an IPv6 address, or an IPv4
// address as a path segment. The value of a parameter is more often the address of a server,
// unless the name says otherwise (names.txt).
func isClient(name, text string) bool {
	return isIPv6(text) || name == "" && isIPv4(text)
}

func isHost(text string) bool { return isIPv4(text) || isIPv6(text) }

// isIPv4 reports whether a text is an IPv4 address, and not likely to be a version such as
// 1.2.3.4.
func isIPv4(text string) bool {
	parts, large, n, digits := 0, 0, 0, 0
	for i := 0; i <= len(text); i++ {
		switch {
		case i < len(text) && kind(text[i]) == digit:
			n = 10*n + int(text[i]-'0')
			if digits++; digits > 3 {
				return false
			}
		case i < len(text) && text[i] != '.', digits == 0, n > 255:
			return false
		default:
			if n >= 32 {
				large++
			}
			parts, n, digits = parts+1, 0, 0
		}
	}
	return parts == 4 && large > 1
}

func isIPv6(text string) bool {
	groups := strings.Count(text, ":")
	if len(text) < 6 || groups > 7 || groups < 7 && strings.Count(text, "::") != 1 || countDigits(text) == 0 {
		return false
	}
	for group := range strings.SplitSeq(text, ":") {
		if len(group) > 4 || strings.Trim(group, "0123456789abcdefABCDEF") != "" {
			return false
		}
	}
	return groups > 2
}
