package labels

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"dustbuster/operators/url/urlnorm"
)

// addressOf reads a URL, or a path. why says why it is none.
func addressOf(text string) (a Address, why string) {
	switch {
	case text == "":
		return a, "the row has no URL"
	case len(text) > mostURL:
		return a, "the URL is too long"
	case !utf8.ValidString(text):
		return a, "the URL is not in UTF-8"
	case strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//"):
		return Address{"", page(text)}, ""
	}
	u, ok := urlnorm.ParseAddress(text)
	if !ok {
		return a, fmt.Sprintf("%q is not the URL of a page", clip(text))
	}
	return Address{u.Host, page(u.Path)}, ""
}

// page returns a path with its query, without a fragment.
func page(path string) string {
	path, _, _ = strings.Cut(path, "#")
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return path
}

// resolve returns the URL that a reference on the page names (RFC 3986, section 5.2).
func (a Address) resolve(text string) (to Address, why string) {
	scheme, _, _ := strings.Cut(text, ":")
	switch {
	case strings.HasPrefix(text, "//"):
		return addressOf("https:" + text)
	case strings.HasPrefix(text, "/"), !strings.ContainsAny(scheme, "/?#") && len(scheme) < len(text):
		to, why = addressOf(text)
		if to.Host == "" {
			to.Host = a.Host
		}
		return to, why
	case !utf8.ValidString(text) || len(text) > mostURL:
		_, why = addressOf(text)
		return to, why
	}
	own, _, _ := strings.Cut(a.Path, "?")
	switch text[0] {
	case '#':
		return a, ""
	case '?':
		return Address{a.Host, own + page(text)[1:]}, ""
	}
	ref, _, _ := strings.Cut(text, "#")
	ref, query, asks := strings.Cut(ref, "?")
	folder := own[:strings.LastIndexByte(own, '/')+1]
	made := folder + ref
	if last := "/" + ref; strings.Contains(last, "/.") {
		if made = path.Clean(made); made != "/" && (strings.HasSuffix(last, "/") || strings.HasSuffix(last, "/.") || strings.HasSuffix(last, "/..")) {
			made += "/"
		}
	}
	if asks {
		made += "?" + query
	}
	return Address{a.Host, made}, ""
}

// decoded returns a text in UTF-8 without a mark of its order of bytes. Spreadsheets write UTF-16 with one.
func decoded(text []byte) ([]byte, error) {
	var order binary.ByteOrder
	switch {
	case len(text) < 2:
		return text, nil
	case text[0] == 0xff && text[1] == 0xfe:
		order, text = binary.LittleEndian, text[2:]
	case text[0] == 0xfe && text[1] == 0xff:
		order, text = binary.BigEndian, text[2:]
	case text[1] == 0:
		order = binary.LittleEndian
	case text[0] == 0:
		order = binary.BigEndian
	default:
		return bytes.TrimPrefix(text, []byte("\ufeff")), nil
	}
	if len(text)%2 != 0 {
		return nil, errors.New("it ends within a character of UTF-16")
	}
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = order.Uint16(text[2*i:])
	}
	return bytes.TrimPrefix([]byte(string(utf16.Decode(units))), []byte("\ufeff")), nil
}

// clip returns the beginning of a long text.
func clip(text string) string {
	if len(text) > 60 {
		return text[:60] + "..."
	}
	return text
}
