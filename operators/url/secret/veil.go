package secret

// A Veil hides secrets from the readers of the program's output. All texts that quote URLs,
// and all rules, pass through a Veil before the program writes them. The zero Veil hides.
type Veil struct {
	Lifted bool // hides nothing: the operator asked for unmasked output
}

// Mask returns a text in which three asterisks replace each path segment, and each name and
// value of a parameter, that looks like a secret. O(bytes).
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

// Hides reports whether a text looks like a secret and must not be written. What cannot be
// shown in part, such as a rule, is left out. O(bytes).
func (v Veil) Hides(text string) bool { return v.HidesBut(text, nothing) }

// HidesValid is Hides for the text of a rule that a trial found valid. It was tried only
// because the names of git objects in it are public: see PublicIn. O(bytes).
func (v Veil) HidesValid(text string) bool { return v.HidesBut(text, IsObject) }
