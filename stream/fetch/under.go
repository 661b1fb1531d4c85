package fetch

import (
	"context"
	"errors"
	"regexp"
	"strings"

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
	if err := f.obey(ctx, p, q.Pass); err != nil {
		return told, err
	}
	err = f.inTurn(ctx, p, q.Pass, func(t *turn) error {
		got, err := t.ask(ctx, asked, nil, f.digested(p, func(body []byte) []byte { return names.ReplaceAllLiteral(body, []byte(sign)) }))
		if e, ok := errors.AsType[*Error](err); ok && e.Reason == Network && ctx.Err() == nil {
			return nil
		}
		if err == nil {
			told = Told{Status: got.Status, Location: names.ReplaceAllLiteralString(got.location, sign), Content: got.Content}
		}
		return err
	})
	return told, err
}

// namesOf matches the texts by which a page may name its host, in letters of any case.
func namesOf(host string) *regexp.Regexp {
	plain := urlnorm.WithoutPort(host)
	longestFirst := []string{regexp.QuoteMeta(host), regexp.QuoteMeta(plain), regexp.QuoteMeta(urlnorm.Domain(plain))}
	return regexp.MustCompile("(?i)" + strings.Join(longestFirst, "|"))
}
