package journal

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestRandom runs random histories of checkpoints, compactions, errors, kills and power
// cuts, each at a random step.
func TestRandom(t *testing.T) {
	histories := 400
	if *long {
		histories = 100_000
	}
	var starts, kills, cuts, failures int
	for seed := range uint64(histories) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		p := &process{t: t, fs: newMemFS(seed), small: seed%2 == 0}
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			p.t = t
			for range 25 {
				p.fs.fault = randomFault(rnd, p.fs.step)
				dead, err := survive(func() error { return p.act(rnd) })
				switch {
				case dead:
					kills++
					p.fs.kill()
					p.j = nil
				case err != nil:
					failures++
					if errors.Is(err, ErrDamaged) || errors.Is(err, ErrMissing) {
						t.Fatal(err)
					}
				}
				if rnd.IntN(8) == 0 {
					cuts++
					p.fs.powerCut()
					p.j = nil
				}
			}
			p.fs.fault = nil
			p.fs.powerCut()
			starts++
			must(t, p.start())
		})
	}
	t.Logf("%d histories: %d kills, %d power cuts, %d errors", histories, kills, cuts, failures)
}

// act performs one random action of a process.
func (p *process) act(rnd *rand.Rand) error {
	switch {
	case p.j == nil:
		return p.start()
	case rnd.IntN(8) == 0:
		j := p.j
		p.j = nil
		return j.Close()
	case rnd.IntN(5) == 0:
		return p.compact()
	}
	return p.save(rnd.IntN(20))
}

// randomFault returns no fault, a fault at one of the next steps, or many faults.
func randomFault(rnd *rand.Rand, now int) func(int, string) fault {
	at, what := now+1+rnd.IntN(20), []fault{fail, before, after}[rnd.IntN(3)]
	switch rnd.IntN(4) {
	case 0:
		return nil
	case 1:
		odds := rnd.Float64() / 2
		return func(int, string) fault {
			if rnd.Float64() < odds {
				return fail
			}
			return none
		}
	}
	return func(step int, _ string) fault {
		if step == at {
			return what
		}
		return none
	}
}

// The named steps of a first start, a checkpoint, a compaction, and the repair after an
// error. TestSteps makes each step fail, kills the process before and after the step,
// and cuts the power there.
var steps = []string{
	"create journal.ack", "create journal.new", "lock lock", "mkdir state", "open journal", "open journal.ack",
	"remove journal.new", "rename journal.new", "sync journal", "sync journal.ack", "sync journal.new", "syncdir state",
	"truncate journal", "write journal", "write journal.ack", "write journal.new",
}

// script runs a history that contains all the steps. Function do runs each action.
func (p *process) script(do func(func() error)) {
	once := func(prefix string) func(int, string) fault {
		armed := true
		return func(_ int, name string) fault {
			if armed && strings.HasPrefix(name, prefix) {
				armed = false
				return fail
			}
			return none
		}
	}
	save := func() error { return p.save(10) }
	do(p.start)
	do(save)
	do(save)
	do(p.compact)
	do(save)
	for _, name := range []string{"write journal", "sync journal", "write journal.new"} {
		inner := p.fs.fault
		extra := once(name)
		p.fs.fault = func(step int, name string) fault {
			if inner != nil {
				if f := inner(step, name); f != none {
					return f
				}
			}
			return extra(step, name)
		}
		if name == "write journal.new" {
			do(p.compact)
		} else {
			do(save)
		}
		p.fs.fault = inner
		do(save)
	}
	do(func() error { j := p.j; p.j = nil; return j.Close() })
	do(p.start)
	do(save)
}

func TestSteps(t *testing.T) {
	clean := &process{t: t, fs: newMemFS(1), small: true}
	clean.fs.note = true
	clean.script(func(f func() error) { _ = f() })
	seen := map[string]bool{}
	for _, name := range clean.fs.seen {
		seen[name] = true
	}
	if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, steps) {
		t.Fatalf("steps of the script: %q", got)
	}
	lives := 0
	for at := 1; at <= clean.fs.step; at++ {
		for _, what := range []fault{fail, before, after} {
			for seed := range uint64(rounds(15)) {
				power := seed > 0 // otherwise the page cache survives
				oneFault(t, at, what, seed, power)
				lives++
			}
		}
	}
	t.Logf("%d steps, %d lives", clean.fs.step, lives)
}

// oneFault runs the script with a fault at one step.
func oneFault(t *testing.T, at int, what fault, seed uint64, power bool) {
	p := &process{t: t, fs: newMemFS(seed), small: true}
	p.fs.fault = func(step int, _ string) fault {
		if step == at {
			return what
		}
		return none
	}
	p.script(func(do func() error) {
		for try := 0; ; try++ {
			if try == 5 {
				t.Fatalf("step %d, fault %d, seed %d: does not recover", at, what, seed)
			}
			dead, err := survive(func() error {
				if p.j == nil {
					if err := p.start(); err != nil {
						return err
					}
				}
				return do()
			})
			if !dead && err == nil {
				return
			}
			if errors.Is(err, ErrDamaged) || errors.Is(err, ErrMissing) {
				t.Fatalf("step %d, fault %d, seed %d: %v", at, what, seed, err)
			}
			if !dead && p.j != nil && seed%2 == 0 {
				continue // the process continues after the error
			}
			p.j = nil
			p.fs.kill()
			if power {
				p.fs.powerCut()
			}
		}
	})
	p.fs.fault = nil
	p.fs.powerCut()
	if err := p.start(); err != nil {
		t.Fatalf("step %d, fault %d, seed %d: %v", at, what, seed, err)
	}
}
