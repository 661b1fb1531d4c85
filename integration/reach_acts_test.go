package integration

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/planted"
)

// Sites on which a GET does something that few ask for. Each has a parameter that changes nothing,
// ref, on pages that many read. The same parameter stands at the URLs that act, so the rule without
// it leads there.

// readers adds pages that many clients read, with and without ref.
func (s *reached) readers(pages int) {
	for i := range pages {
		url := fmt.Sprintf("/story/%d", i)
		s.asked(url, s.some(4)...)
		for range 2 {
			s.asked(url+"?ref="+s.text(digits, 5), s.some(2)...)
		}
	}
}

// withRef adds requests of some clients for a URL as it is, and with ref.
func (s *reached) withRef(url string, clients ...int) {
	s.asked(url, clients...)
	for range 2 {
		s.asked(refOn(url, s.text(digits, 5)), clients...)
	}
}

// refOn returns a URL with ref.
func refOn(url, value string) string {
	if strings.Contains(url, "?") {
		return url + "&ref=" + value
	}
	return url + "?ref=" + value
}

var lessRef = without([]usual{{name: "ref"}})

// town is a site on which each URL shows a page of its own, without regard to ref.
func town(seed uint64) *reached {
	s := newReached(seed)
	s.page = lessRef
	s.answer = htmlPages(func(url string) string {
		page := s.page(url)
		return document("", "<p>"+prose(page, 120+int(number(page)%600)))
	})
	return s
}

// acting returns a function that reports which URLs are some, with or without ref.
func acting(urls []string) func(url string) bool {
	is := map[string]bool{}
	for _, url := range urls {
		is[url] = true
	}
	return func(url string) bool { return is[url] || is[lessRef(url)] }
}

// tries complains unless the rule without ref was tried and found valid: a guard that refuses
// everything proves nothing.
func (v *trialOf) tries() {
	v.t.Helper()
	if form, _ := v.canon.Canon(nil, []byte("/story/1?ref=1")); string(form) != "/story/1" || len(v.with("ref=")) < 20 {
		v.t.Errorf("ref was not tried\n%s", v)
	}
}

// Routes of real software that act, each asked for by two administrators, are left alone, whether
// or not their words are known.
func TestReachActingRoutes(t *testing.T) {
	t.Parallel()
	for i, kind := range []struct {
		name, query string
		args        []string
		whose       func(s *reached) []int // the two
	}{
		{"the same two", "", nil, func(*reached) []int { return []int{7, 9} }},
		{"the same two, no words", "", noWords, func(*reached) []int { return []int{7, 9} }},
		{"the same two, with a query", "?x=1", noWords, func(*reached) []int { return []int{7, 9} }},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			s := town(uint64(i))
			s.readers(2 * len(planted.Routes))
			var routes []string
			for _, route := range planted.Routes {
				routes = append(routes, route+kind.query)
				s.withRef(route+kind.query, kind.whose(s)...)
			}
			v := s.validate(t, kind.args...)
			v.tries()
			v.never("a route that acts", acting(routes))
		})
	}
}

// noWords has no URL look like an action, so that only the clients count.
var noWords = []string{"--never-fetch", "nothing-of-all-this"}

// dispatchers are programs whose one address does many things, told by a parameter: the path, the
// parameter, what many look at, and what two do.
var dispatchers = strings.Split(strings.TrimSpace(`
/doku.php do show,index,search draftdel
/admin.php cmd list,view hide
/service action status,info start
/forum.php act topic,boards lockit
/gallery op browse,zoom rotate
/tracker task view,history finish
/mail.php func read,search spamit
/calendar mode week,month remind
/quiz.php step intro,result count
/player event info,lyrics skip
/device set status,log relay
/lamp switch state,info night
/room toggle info,plan heat
/board state open,done archive
/api/call method get,find ping
/index.php r site/index,site/about site/flush
/panel view users,groups users-merge
/shop.php page list,item reorder
/wiki.cgi command read,diff keep
/plugin.php f load,show drop
/app.dll MfcISAPICommand Show,List Move
/main q node,search node/publishall
/tool job 3,4 17
/printer cmd 10,11 42
/scene op 1,2 8
/mod.php name News,Forum News:Hide
/x.pl a v,w z
/board.php do sh%6Fw,list h%69de
/run what status,%C3%BCbersicht %C3%BCbernehmen
/queue;act peek,size drain
`), "\n")

// dispatcher is a line of the list.
type dispatcher struct {
	path, name string
	looks      []string
	act        string
}

// url returns the URL of an item, seen or done.
func (d *dispatcher) url(item int, value string) string {
	if strings.HasSuffix(d.path, ";act") {
		return fmt.Sprintf("%s=%s?id=%d", d.path, value, item)
	}
	return fmt.Sprintf("%s?id=%d&%s=%s", d.path, item, d.name, value)
}

func parseDispatcher(line string) (d dispatcher) {
	f := strings.Fields(line)
	if len(f) == 3 { // the parameter stands in the path
		f = slices.Insert(f, 1, "act")
	}
	return dispatcher{f[0], f[1], strings.Split(f[2], ","), f[3]}
}

// Of programs that many look at through the parameter by which two act, nearly none is made to act.
func TestReachDispatchers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		words []string
	}{{"words", nil}, {"no words", noWords}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := town(30)
			s.readers(40)
			acts := map[string]string{} // the program, by URL
			for _, line := range dispatchers {
				d := parseDispatcher(line)
				for item := range 24 {
					s.withRef(d.url(item, d.looks[item%len(d.looks)]), s.some(2)...)
				}
				for item := range 10 {
					url := d.url(item, d.act)
					acts[url] = d.path
					s.withRef(url, 7, 9)
				}
			}
			v := s.validate(t, c.words...)
			v.tries()
			done := map[string]string{}
			for _, url := range v.requests {
				if program, acts := acts[lessRef(url)]; acts {
					done[program] = url
				}
			}
			t.Logf("%d programs, %d requests", len(dispatchers), len(v.requests))
			if 20*len(done) > len(dispatchers) {
				t.Errorf("%d of %d programs act: %q", len(done), len(dispatchers), done)
			}
		})
	}
}

// A parameter may keep a URL from doing something. Without the parameter nobody, or one client,
// asked for that URL, and so no trial does.
func TestReachGuards(t *testing.T) {
	t.Parallel()
	for i, kind := range []struct {
		guard, shown, order string // a parameter, and formats of a page and of what places an order
		orders              int    // that one client placed
	}{
		{"dry=1", "/shoe/%d", "/order/%d", 0},
		{"confirm=no", "/shoe/%d", "/order/%d", 1},
		{"preview=1", "/shoe?id=%d", "/order?id=%d", 0},
		{"simulate=true", "/shoe?id=%d&size=4", "/order?id=%d&size=4", 0},
		{"test", "/shoes/a%da.html", "/orders/a%da.html", 0},
		{"step=2", "/shoes/a%da", "/orders/a%da", 0},
		{"dryrun=yes", "/shoes/a%da", "/orders/a%da", 3},
	} {
		t.Run(fmt.Sprintf("%s, %d of %s", kind.guard, kind.orders, kind.order), func(t *testing.T) {
			t.Parallel()
			s := newReached(uint64(100 + i))
			guarded := func(url string) string {
				if strings.Contains(url, "?") {
					return url + "&" + kind.guard
				}
				return url + "?" + kind.guard
			}
			s.page = func(url string) string { return strings.TrimRight(strings.TrimSuffix(url, kind.guard), "?&") }
			s.answer = htmlPages(func(url string) string { return goods(s.page(url)) }) // an order looks as before
			for item := range 50 {
				shown, order := fmt.Sprintf(kind.shown, item), fmt.Sprintf(kind.order, item)
				for _, show := range []string{shown, strings.Replace(shown, "/shoe", "/hat", 1), strings.Replace(shown, "/shoe", "/coat", 1)} {
					s.asked(show, s.some(3)...)
					s.asked(guarded(show), s.some(3)...)
				}
				s.asked(guarded(order), s.some(3)...)
				if item < kind.orders {
					s.asked(order, 5)
				}
			}
			v := s.validate(t, noWords...)
			if len(v.with("/shoe", "/hat", "/coat")) < 20 {
				t.Errorf("nothing was tried\n%s", v)
			}
			v.never("an order", func(url string) bool { return strings.HasPrefix(url, "/order") && !strings.Contains(url, kind.guard) })
		})
	}
}

// What few clients do is left alone, whatever the address of it looks like.
func TestReachFewClients(t *testing.T) {
	t.Parallel()
	for i, kind := range []struct {
		name  string
		urls  func(s *reached, names []string) []string
		whose func(s *reached) []int // the clients of one URL
	}{
		{"names, one client each", func(_ *reached, names []string) (urls []string) {
			for _, name := range names {
				urls = append(urls, "/unsubscribe/"+name, "/leave/"+name, "/lists/"+name+"/quit", "/goodbye/"+name+".html")
			}
			return urls
		}, func(s *reached) []int { return s.some(1) }},
		{"numbers, two clients", func(_ *reached, names []string) (urls []string) {
			for i := range names {
				urls = append(urls, fmt.Sprintf("/vote/up/%d", i), fmt.Sprintf("/thumb/%d", i), fmt.Sprintf("/star?id=%d", i), fmt.Sprintf("/item/%d/hide", i))
			}
			return urls
		}, func(*reached) []int { return []int{7, 9} }},
		{"carts, two clients", func(*reached, []string) []string {
			return []string{"/cart;action=empty", "/cart;do=flush", "/cart;drain", "/?logout", "/?bye", "/?do=bye", "/?out=1", "/basket/drain", "/basket?drain", "/en/basket/drain/"}
		}, func(*reached) []int { return []int{7, 9} }},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			s := town(uint64(200 + i))
			s.readers(300)
			s.asked("/", s.some(9)...)
			s.asked("/cart", s.some(9)...)
			s.asked("/basket", s.some(9)...)
			urls := kind.urls(s, s.words(40))
			for _, url := range urls {
				s.withRef(url, kind.whose(s)...)
			}
			v := s.validate(t, noWords...)
			v.tries()
			v.never("what few clients do", acting(urls))
		})
	}
}

// doors are URLs that act, for those who make up clients.
func doors() (urls []string) {
	for _, door := range []string{"front", "back", "garage", "cellar", "attic", "gate", "barn", "shed", "side", "roof"} {
		urls = append(urls, "/door/"+door+"/open")
	}
	return urls
}

// One machine that looks like several clients makes nothing public. Four machines in four networks
// do: what that means stands in SECURITY.md.
func TestReachForgedClients(t *testing.T) {
	t.Parallel()
	for i, kind := range []struct {
		name   string
		forged func(n int) (client, behind string) // of the four
		behind bool                                // all lines name a forwarded address
		opens  bool
	}{
		{"four networks", func(n int) (string, string) { return fmt.Sprintf("198.18.%d.7", 10*n), "" }, false, true},
		{"four neighbours", func(n int) (string, string) { return fmt.Sprintf("198.18.5.%d", 7+n), "" }, false, false},
		{"one network of IPv6", func(n int) (string, string) { return fmt.Sprintf("2001:2:0:%x::%x", 7+n, 90*n), "" }, false, false},
		{"one address, forwarded for four", func(n int) (string, string) { return "198.18.5.7", fmt.Sprintf("198.18.%d.7", 10*n) }, true, false},
		{"behind a balancer, forwarded for four", func(n int) (string, string) { return "10.0.0.5", fmt.Sprintf("198.18.%d.7, 198.18.5.7", 10*n) }, true, false},
		{"one address with its ports", func(n int) (string, string) { return fmt.Sprintf("[2001:2::7]:%d", 4000+n), "" }, false, false},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			s := town(uint64(300 + i))
			s.readers(60)
			urls := doors()
			forged := len(s.log)
			for n := range 4 {
				for _, url := range urls {
					s.withRef(url, n)
				}
				for k := forged; k < len(s.log); k++ {
					s.log[k].client, s.log[k].behind = kind.forged(n)
				}
				forged = len(s.log)
			}
			for k := range s.log {
				if a := &s.log[k]; kind.behind && a.behind == "" {
					if a.behind = "-"; strings.HasPrefix(kind.name, "behind") {
						a.client, a.behind = "10.0.0.5", a.client
					}
				}
			}
			v := s.validate(t)
			v.tries()
			if asked := v.count(acting(urls)) > 0; asked != kind.opens {
				t.Errorf("doors were asked for: %v\n%s", asked, v)
			}
		})
	}
}
