package wrap

import "encoding/binary"

// journal is the journal's export format: one line for each field of an entry, then an
// empty line. A value that is not plain text is written as a line with the name alone,
// the length in 8 bytes, the bytes, and a newline. Only MESSAGE is used, so no entry is
// held. (systemd.io, "Journal Export Formats")
var journal = Wrapper{
	Name:        "journal",
	Description: "the systemd journal's export (journalctl -o export), the field MESSAGE of each entry",
	Example:     `MESSAGE=192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /a?b=1 HTTP/1.1" 200 5120 "-" "Mozilla/5.0"`,
	unwrap:      (*Unwrapper).journal,
	joins:       true,
}

const messageField = "MESSAGE"

func (u *Unwrapper) journal(line []byte) ([]byte, Got) {
	if u.field.open {
		return u.field.next(line)
	}
	n := fieldName(line)
	switch {
	case len(line) == 0:
		return nil, Nothing
	case n == 0:
		return nil, Foreign
	case n == len(line):
		u.field.begin(string(line) == messageField)
		return nil, Nothing
	case line[n] != '=':
		return nil, Foreign
	case string(line[:n]) == messageField:
		return line[n+1:], Inner
	}
	return nil, Nothing
}

// fieldName returns the length of the field name at the start of a line: capitals, digits
// and underscores, at most 64.
func fieldName(line []byte) int {
	n := 0
	for n < len(line) && (line[n] == '_' || 'A' <= line[n] && line[n] <= 'Z' || '0' <= line[n] && line[n] <= '9') {
		n++
	}
	if n > 64 {
		return 0
	}
	return n
}

// binaryField reads a value that is given by its length. The value arrives in lines
// because its bytes may contain newlines.
type binaryField struct {
	open   bool
	wanted bool   // the field is MESSAGE
	over   bool   // the value is longer than MaxLine
	head   []byte // the bytes of the length so far
	left   uint64 // bytes still to come, including the newline after the value
	value  []byte
}

const (
	headLen   = 8
	maxBinary = 1 << 30 // the journal keeps up to 768 MiB in a field; eight bytes of text would be a far greater length
)

func (f *binaryField) begin(wanted bool) {
	f.open, f.wanted, f.over = true, wanted, false
	f.head, f.value = f.head[:0], f.value[:0]
}

var newline = []byte("\n")

// next takes a line of the value without its newline. A value that does not end at its length,
// because a line of it was left out, is given up, and the following lines are read as fields.
func (f *binaryField) next(line []byte) ([]byte, Got) {
	switch {
	case !f.take(line) || !f.take(newline):
		f.open = false
		return nil, Foreign
	case len(f.head) < headLen || f.left > 0:
		return nil, Nothing
	}
	f.open = false
	switch {
	case !f.wanted:
		return nil, Nothing
	case f.over:
		return nil, Foreign
	}
	return f.value[:len(f.value)-1], Inner
}

// take reads bytes of the length and the value. It returns false if more bytes arrive than the
// length announces.
func (f *binaryField) take(b []byte) bool {
	if n := min(headLen-len(f.head), len(b)); n > 0 {
		f.head, b = append(f.head, b[:n]...), b[n:]
		if len(f.head) < headLen {
			return true
		}
		if f.left = binary.LittleEndian.Uint64(f.head); f.left > maxBinary {
			return false
		}
		f.left++
	}
	if uint64(len(b)) > f.left {
		return false
	}
	f.left -= uint64(len(b))
	if f.over = f.over || len(f.value)+len(b) > MaxLine+1; f.wanted && !f.over {
		f.value = append(f.value, b...)
	}
	return true
}
