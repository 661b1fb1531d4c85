package miner

import (
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/public"
)

// Hidden reports for each rule whether a veil hides it. The name of a git object in a rule is as
// public as in the URLs of the window that name the object's repository, and random text as in
// the URLs for which several clients asked. O(bytes of the rules), and O(bytes of all URLs) if
// some rule holds such a name or text.
func (m *Machine) Hidden(rules []rule.Likely, veil secret.Veil) []bool {
	hidden, shows := make([]bool, len(rules)), m.Public()
	for i := range rules {
		hidden[i] = veil.HidesBut(rules[i].Rule.Text(), shows)
	}
	return hidden
}

// Public returns a function that reports which runs of letters and digits are public in rules of
// the site: see secret.PublicIn. The function is valid until the next Fold.
func (m *Machine) Public() func(run string) bool {
	return secret.PublicIn(func(yield func([]byte, bool) bool) {
		m.settle()
		told := m.ManyClients()
		for id := range m.urls.All() {
			if !yield(m.urls.Text(id), told && public.Several(m.table.Clients(id))) {
				return
			}
		}
	})
}
