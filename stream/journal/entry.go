package journal

// Entry is one entry of a checkpoint. The journal does not look into entries: kind, name and
// value have a meaning for the caller alone.
type Entry struct {
	Kind  byte
	Name  string
	Value []byte
}
