package fetch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"dustbuster/operators/url/urlnorm"
)

// Told is what an origin answers under a host. The host is replaced by one sign in Location and in the text
// that Digest gets, so two answers that differ only in the host are equal.
type Told struct {
	Status   int    // 0: the origin gave no answer
	Location string // "": no redirect
	Content  any    // the result of Digest; nil unless the status is 2xx
}

// sign stands for a host. No text of a page is likely to hold it.
const sign = "\x1a"

// Under requests a mined string of a site from its origin under a host that the caller has made up; "" is
// the site's own. It obeys the robots.txt, the delays and the budget of the site. Under follows no redirect
// and uses no cache. A failed connection is an answer of status 0, since many servers hang up when they do
// not know a host. The error is an *Error; without an origin its Reason is NoOrigin.
func (f *Fetcher) Under(ctx context.Context, q Request, host string) (told Told, err error) {
	p, err := f.place(&q)
	if err != nil {
		return told, err
	}
	if f.origin(q.Site) == nil || f.o.Archive != nil {
		return told, p.refuse(NoOrigin, nil)
	}
	if why := f.never.why(p.path, true); why != "" {
		return told, p.refuse(why, nil)
	}
	asked := p
	asked.called = host
	names := namesOf(asked.header())
	err = f.inTurn(ctx, p, q.Pass, func(t *turn) error {
		if err := t.obey(ctx, p); err != nil {
			return err
		}
		got, err := t.ask(ctx, asked, nil, f.digested(p, func(body []byte) []byte { return withoutHosts(body, names...) }))
		if e, ok := errors.AsType[*Error](err); ok && e.Reason == Network && ctx.Err() == nil {
			return nil
		}
		if err == nil {
			told = Told{Status: got.Status, Location: string(withoutHosts([]byte(got.location), names...)), Content: got.Content}
		}
		return err
	})
	return told, err
}

// namesOf returns the texts by which a page may name its host, the longest first.
func namesOf(host string) []string {
	plain := urlnorm.WithoutPort(host)
	names := []string{host, plain, urlnorm.Domain(plain)}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return slices.Compact(names)
}

// withoutHosts returns a text with one sign in the place of each name, in letters of any case.
func withoutHosts(text []byte, names ...string) []byte {
	for _, name := range names {
		text = withoutHost(text, []byte(name))
	}
	return text
}

// withoutHost finds a name in lower case, which is ASCII. O(bytes).
func withoutHost(text, name []byte) []byte {
	var out []byte
	lower := lowerASCII(text)
	for {
		at := bytes.Index(lower, name)
		if at < 0 || len(name) == 0 {
			return append(out, text...)
		}
		out = append(append(out, text[:at]...), sign...)
		text, lower = text[at+len(name):], lower[at+len(name):]
	}
}

// lowerASCII returns a text of the same length with small letters.
func lowerASCII(text []byte) []byte {
	lower := slices.Clone(text)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c | 0x20
		}
	}
	return lower
}
