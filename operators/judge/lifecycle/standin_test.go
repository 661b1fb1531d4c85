package lifecycle_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/window/evidence"
)

// privateSite is a site whose log has URLs that belong to one client each, and whose server is a function.
type privateSite struct {
	t       *testing.T
	mined   *miner.Machine
	private []string // texts that nobody may be asked for, or shown
	asked   []string
	answer  func(url string) (d trial.Document, text string, size int64)
}

const lettersAndDigits = "abcdefghijklmnopqrstuvwxyz0123456789"

func random(rng *rand.Rand, alphabet string, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = alphabet[rng.IntN(len(alphabet))]
	}
	return string(out)
}

// newPrivateSite makes a site of pages that several clients asked for, each also under URLs with pieces made by
// address, which one client asked for.
func newPrivateSite(t *testing.T, pages int, address func(rng *rand.Rand, page string) (url string, private []string)) *privateSite {
	s := &privateSite{t: t, mined: miner.New("", madeup.MinerOptions())}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range pages {
		page := fmt.Sprintf("/page/%d", i)
		s.log(page, pageSize(i), 1<<(i%16)|1<<((i+5)%16)|1<<((i+9)%16))
		for range 2 {
			url, private := address(rng, page)
			s.log(url, pageSize(i), 1<<rng.IntN(16))
			s.private = append(s.private, private...)
		}
	}
	s.answer = s.plain
	return s
}

func pageSize(i int) int64 { return int64(3000 + 53*i) }

func (s *privateSite) log(url string, size int64, clients uint16) {
	s.mined.Fold(&evidence.Observation{URL: []byte(url), Min: size, Max: size, Clients: clients})
}

// plain answers each URL with its page.
func (s *privateSite) plain(url string) (trial.Document, string, int64) {
	if _, rest, ok := strings.Cut(url, "/page/"); ok {
		digits := strings.IndexFunc(rest+"?", func(r rune) bool { return r < '0' || r > '9' })
		i, err := strconv.Atoi(rest[:digits])
		must(s.t, err)
		return trial.Document{Status: 200}, fmt.Sprint("page ", i), pageSize(i)
	}
	return trial.Document{Status: 404}, "", 0
}

func (s *privateSite) machine(change ...func(*book.Options)) *lifecycle.Machine {
	o := madeup.Options()
	for _, set := range change {
		set(&o)
	}
	m := New("site", o)
	m.Load(forms.WindowOf(s.mined), forms.Candidates(s.mined.AllRules()))
	return m
}

// live runs a machine until it has nothing to fetch, and checks that nothing private is asked for or kept.
func (s *privateSite) live(m *lifecycle.Machine, now int64) int64 {
	for range 10_000 {
		look, ok := m.Next(now)
		if wake := m.Answers.Status().LevelAt; !ok && now < wake {
			now = wake
			continue
		}
		if !ok {
			s.check(m, now)
			return now
		}
		u, ofU, sizeU := s.answer(look.Asked())
		v, ofV, sizeV := s.answer(look.V)
		s.asked = append(s.asked, look.Asked(), look.V)
		seen := m.Dialogue.Measure(look, u, v, func() trial.Compared { return madeup.Compared(madeup.Shown(ofU, sizeU), madeup.Shown(ofV, sizeV)) })
		m.Dialogue.Outcome(look, seen, 1, now)
		now++
	}
	s.t.Fatal("the machine does not end")
	return now
}

func (s *privateSite) check(m *lifecycle.Machine, now int64) {
	s.t.Helper()
	var kept []string
	for _, a := range m.Acts() {
		kept = append(kept, string(a.Encode()))
	}
	kept = append(kept, fmt.Sprintf("%+v", m.Published()), fmt.Sprintf("%+v", m.Dialogue.Rejudged()), fmt.Sprintf("%+v", m.Answers.Detail(lifecycle.Query{Most: 100}, now)))
	for _, text := range s.private {
		if slices.ContainsFunc(s.asked, func(url string) bool { return strings.Contains(url, text) }) {
			s.t.Fatalf("asked for %q", text)
		}
		if i := slices.IndexFunc(kept, func(k string) bool { return strings.Contains(k, text) }); i >= 0 {
			s.t.Fatalf("%q is kept: %s", text, kept[i])
		}
	}
}

func (s *privateSite) valid(m *lifecycle.Machine) string { return madeup.Words(rulesOf(m)) }

func session(rng *rand.Rand, page string) (string, []string) {
	sid := random(rng, lettersAndDigits, 26)
	return page + "?PHPSESSID=" + sid, []string{sid}
}

func TestStandInsProve(t *testing.T) {
	for _, c := range []struct {
		name    string
		address func(rng *rand.Rand, page string) (string, []string)
		want    string // of the words of the valid rules; "": none
	}{
		{"in the query", session, "PHPSESSID"},
		{"behind a semicolon", func(rng *rand.Rand, page string) (string, []string) {
			sid := random(rng, "0123456789ABCDEF", 32)
			return page + ";jsessionid=" + sid, []string{sid}
		}, "jsessionid"},
		{"a segment", func(rng *rand.Rand, page string) (string, []string) {
			sid := random(rng, "0123456789abcdef", 32)
			return "/s/" + sid + page, []string{sid}
		}, "segment"},
		{"with a shared beginning", func(rng *rand.Rand, page string) (string, []string) {
			id := random(rng, lettersAndDigits, 40)
			return page + "?gclid=Cj0KCQ" + id, []string{id}
		}, "gclid"},
		{"two at once", func(rng *rand.Rand, page string) (string, []string) {
			a, b := random(rng, lettersAndDigits, 26), random(rng, lettersAndDigits, 22)
			return page + "?sid=" + a + "&fbclid=" + b, []string{a, b}
		}, "fbclid"},
		{"sixteen digits", func(rng *rand.Rand, page string) (string, []string) {
			id := "1" + random(rng, "0123456789", 17)
			return page + "?click=" + id, []string{id}
		}, "click"},
		{"an order number of ten digits", func(rng *rand.Rand, page string) (string, []string) {
			id := "5" + random(rng, "0123456789", 9)
			return page + "?order=" + id, []string{id}
		}, ""},
		{"a token", func(rng *rand.Rand, page string) (string, []string) {
			id := random(rng, lettersAndDigits, 26)
			return page + "?authtoken=" + id, []string{id}
		}, ""},
		{"an e-mail address", func(rng *rand.Rand, page string) (string, []string) {
			id := random(rng, lettersAndDigits, 26) + "@example.org"
			return page + "?m=" + id, []string{id}
		}, ""},
		{"a segment of links that work once", func(rng *rand.Rand, page string) (string, []string) {
			sid := random(rng, "0123456789abcdef", 32)
			return "/reset/" + sid + page, []string{sid}
		}, ""},
		{"short", func(rng *rand.Rand, page string) (string, []string) {
			sid := "k" + random(rng, "0123456789", 1) + random(rng, lettersAndDigits, 6)
			return page + "?s=" + sid, []string{sid}
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newPrivateSite(t, 120, c.address)
			m := s.machine()
			s.live(m, 1_800_000_000)
			if valid := s.valid(m); (c.want == "") != (valid == "[]" || valid == "") || !strings.Contains(valid, c.want) {
				t.Errorf("valid: %s; asked %d", valid, len(s.asked))
			}
			for _, e := range validOf(m) {
				if e.Verdict.StandIns != e.Verdict.Samples || e.Verdict.Asked < e.Verdict.Samples {
					t.Errorf("%+v", e.Verdict)
				}
			}
			if off := s.machine(func(o *book.Options) { o.Off.StandIns = true }); off != nil {
				s.asked = nil
				if s.live(off, 1_800_000_000); len(s.asked) > 0 || len(validOf(off)) > 0 {
					t.Errorf("without stand-ins, asked for %v; valid %s", s.asked, s.valid(off))
				}
			}
		})
	}
}

// A session that names the store on one page is dropped everywhere else. Stand-ins prove it there, and values of sessions
// never come again: so the page is the exception, and no value or beginning of one.
func TestStandInsExplain(t *testing.T) {
	s := newPrivateSite(t, 120, session)
	const store = "/stores?PHPSESSID="
	for i := range 18 {
		s.log(fmt.Sprint(store, i), pageSize(3*i), 1<<(i%16)|1<<((i+5)%16)|1<<((i+9)%16))
	}
	s.log("/stores", pageSize(0), 0xffff)
	s.answer = func(url string) (trial.Document, string, int64) {
		if !strings.HasPrefix(url, "/stores") {
			return s.plain(url)
		}
		i, _ := strconv.Atoi(strings.TrimPrefix(url, store)) // a session shows store 0
		return trial.Document{Status: 200}, fmt.Sprint("store ", i), pageSize(3 * i)
	}
	m := s.machine()
	s.live(m, 1_800_000_000)
	if got, want := s.valid(m), `"except":{"scopes":[{"path":"/stores"}]}`; !strings.Contains(got, want) {
		t.Errorf("the rules are %s", got)
	}
	slices.Sort(s.asked)
	asked := slices.Compact(s.asked)
	asked = slices.DeleteFunc(asked, func(url string) bool { return !strings.HasPrefix(url, store) })
	if len(asked) > 5 {
		t.Errorf("asked for %q", asked)
	}
}

// What the server answers decides.
func TestStandInsMeetServers(t *testing.T) {
	isPrivate := func(url string) bool { return strings.Contains(url, "PHPSESSID") }
	for _, c := range []struct {
		name   string
		answer func(s *privateSite, url string) (trial.Document, string, int64)
		most   int // stand-ins asked for
	}{
		{"refuses", func(s *privateSite, url string) (trial.Document, string, int64) {
			if isPrivate(url) {
				return trial.Document{Status: 403}, "", 0
			}
			return s.plain(url)
		}, 2},
		{"redirects to a new session", func(s *privateSite, url string) (trial.Document, string, int64) {
			d, text, size := s.plain(url)
			if isPrivate(url) {
				d.Redirected, d.Target = true, url+"new"
			}
			return d, text, size
		}, 3},
		{"shows its owner a sentence more", func(s *privateSite, url string) (trial.Document, string, int64) {
			d, text, size := s.plain(url)
			return d, text, size - 60
		}, 60},
		{"shows its owner a word more", func(s *privateSite, url string) (trial.Document, string, int64) {
			d, text, size := s.plain(url)
			return d, text, size - 6
		}, 200},
		{"asks for a login", func(s *privateSite, url string) (trial.Document, string, int64) {
			if isPrivate(url) {
				return trial.Document{Status: 200}, "log in", 3000
			}
			return s.plain(url)
		}, 200},
		{"shows something else of that size", func(s *privateSite, url string) (trial.Document, string, int64) {
			d, text, size := s.plain(url)
			if isPrivate(url) {
				text += " of another"
			}
			return d, text, size
		}, 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newPrivateSite(t, 120, session)
			s.answer = func(url string) (trial.Document, string, int64) { return c.answer(s, url) }
			m := s.machine()
			now := s.live(m, 1_800_000_000)
			if valid := validOf(m); len(valid) > 0 {
				t.Errorf("valid: %s", s.valid(m))
			}
			count := func() int {
				different := map[string]bool{}
				for _, url := range s.asked {
					if isPrivate(url) {
						different[url] = true
					}
				}
				return len(different)
			}
			if n := count(); n == 0 || n > c.most {
				t.Errorf("%d stand-ins were asked for, at most %d", n, c.most)
			}
			if c.most <= 3 { // not within a week
				s.live(m, now+2*book.Day)
				m.Load(forms.WindowOf(s.mined), forms.Candidates(s.mined.AllRules()))
				s.live(m, now+4*book.Day)
				if n := count(); n > c.most {
					t.Errorf("%d stand-ins within a week", n)
				}
			}
		})
	}
}

// The log must say by itself that a rule joins equal pages: a rule of which it says something else gets no
// stand-in.
func TestStandInsNeedTheLog(t *testing.T) {
	s := newPrivateSite(t, 120, session)
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 40 { // pages that show whose they are
		url, private := session(rng, fmt.Sprintf("/page/%d", i))
		s.log(url, pageSize(i)+700, 1)
		s.private = append(s.private, private...)
	}
	m := s.machine()
	s.live(m, 1_800_000_000)
	if len(s.asked) > 0 || len(validOf(m)) > 0 {
		t.Errorf("asked for %v", s.asked)
	}
}

// At most 200 stand-ins are asked for in a day. The rest of a proof waits.
func TestStandInsOfADay(t *testing.T) {
	s := newPrivateSite(t, 120, func(rng *rand.Rand, page string) (string, []string) {
		name := []string{"PHPSESSID", "sid", "gclid", "fbclid", "yclid", "dclid", "ttclid"}[rng.IntN(7)]
		id := random(rng, lettersAndDigits, 30)
		return page + "?" + name + "=" + id, []string{id}
	})
	m := s.machine()
	now := s.live(m, 1_800_000_000)
	count := func() int {
		different := map[string]bool{}
		for _, url := range s.asked {
			if strings.Contains(url, "?") {
				different[url] = true
			}
		}
		return len(different)
	}
	first := count()
	if first < 100 || first > 200 {
		t.Fatalf("%d stand-ins on the first day", first)
	}
	s.asked = nil
	m.Load(forms.WindowOf(s.mined), forms.Candidates(s.mined.AllRules()))
	s.live(m, now+book.Day+book.Hour)
	t.Logf("%d stand-ins on the first day, %d on the next; valid %s", first, count(), s.valid(m))
	if n := count(); n > 200 {
		t.Errorf("%d stand-ins on the next day", n)
	}
}

// An invented session is not met again in another round, nor is it one that the log has.
func TestStandInsOfRounds(t *testing.T) {
	s := newPrivateSite(t, 120, session)
	m := s.machine(func(o *book.Options) { o.RecheckEvery = book.Day })
	now := s.live(m, 1_800_000_000)
	first := map[string]bool{}
	for _, url := range s.asked {
		first[url] = true
	}
	s.asked = nil
	if !m.Operator.Recheck("", now) {
		t.Fatalf("nothing is published: %s", s.valid(m))
	}
	s.live(m, now+1)
	again := 0
	for _, url := range s.asked {
		if strings.Contains(url, "PHPSESSID") {
			again++
			if first[url] {
				t.Errorf("%s was asked for before", url)
			}
		}
	}
	if again == 0 {
		t.Error("the recheck asked for no stand-in")
	}
}

// A dry run names stand-ins as a trial would ask for them.
func TestStandInsArePlanned(t *testing.T) {
	s := newPrivateSite(t, 120, session)
	m := s.machine()
	planned := 0
	for _, p := range m.Plan(5, 1_800_000_000) {
		for _, look := range p.First {
			planned++
			s.asked = append(s.asked, look.Asked(), look.V)
		}
	}
	if s.check(m, 1); planned == 0 {
		t.Error("nothing is planned")
	}
}
