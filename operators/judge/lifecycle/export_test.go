package lifecycle

import "dustbuster/operators/judge/lifecycle/forms"

// What tests from outside need and no caller asks for.

// WhyWords are the words of each reason.
var WhyWords = whyWords

// StateOf returns the name of the state that was the last to have something to do, or "".
func StateOf(m *Machine) string { return m.state }

// GuardOf returns what says which URLs may be fetched.
func GuardOf(m *Machine) *forms.Guard { return m.guard }
