package miner

import (
	"dustbuster/operators/rule"
	"dustbuster/operators/secret"
)

// Hidden reports for each rule whether a veil hides the rule. The name of a git object in a
// rule is as public as in the URLs of the window that name the object's repository. O(bytes
// of the rules), and O(bytes of all URLs) if some rule holds such a name.
func (m *Machine) Hidden(rules []rule.Likely, veil secret.Veil) []bool {
	hidden := make([]bool, len(rules))
	var objects map[string]bool // of the window's repositories; nil: not computed yet
	public := func(run string) bool {
		if !secret.IsObject(run) {
			return false
		}
		if objects == nil {
			objects = m.objects()
		}
		return objects[run]
	}
	for i := range rules {
		hidden[i] = veil.HidesBut(rules[i].Rule.Text(), public)
	}
	return hidden
}

// objects returns the names of git objects in the URLs that name a repository.
func (m *Machine) objects() map[string]bool {
	m.settle()
	all := map[string]bool{}
	for id := range m.urls.All() {
		for name := range secret.Objects(string(m.urls.Text(id))) {
			all[name] = true
		}
	}
	return all
}
