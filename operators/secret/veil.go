package secret

// A Veil hides what looks like a secret from whoever reads what the program writes. Texts
// that quote URLs, and rules, leave the program by way of a Veil and by no other way. The
// zero Veil hides.
type Veil struct {
	Lifted bool // hides nothing: somebody wants to see all
}

// Mask returns a text with three asterisks in the place of each path segment, and of each
// name and value of a parameter, that looks like a secret. O(bytes).
func (v Veil) Mask(text string) string {
	if v.Lifted {
		return text
	}
	return mask(text)
}

// HidesBut is Hides for a text in which some runs of letters and digits are known to be
// public. O(bytes).
func (v Veil) HidesBut(text string, public func(run string) bool) bool {
	return !v.Lifted && looks(text, public)
}

// Hides reports whether a text looks like a secret that must not be told. What cannot be
// shown in part, such as a rule, is left out. O(bytes).
func (v Veil) Hides(text string) bool { return v.HidesBut(text, nothing) }
