package rule

import (
	"encoding/binary"
	"math"
	"math/bits"
	"reflect"
	"unsafe"
)

// Packed is the likely rules of a site in a compact form: some 60 bytes a rule, where a Likely takes 500.
// A Packed is immutable. The zero Packed has no rules.
//
// The text is the number of rules, and for each rule the members that differ from those of the rule before:
// the distance to the member, 1 for the next one, and its value. A 0 ends the rule. The text is not kept
// beyond the process.
type Packed struct{ text string }

// List is the likely rules of a site.
type List struct {
	Site  string
	Rules Packed
}

// leaf is a member of a Likely that is neither a struct nor an array.
type leaf struct {
	offset uintptr
	kind   reflect.Kind
}

var leaves = leavesOf(nil, reflect.TypeFor[Likely](), 0)

func leavesOf(all []leaf, t reflect.Type, offset uintptr) []leaf {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			all = leavesOf(all, t.Field(i).Type, offset+t.Field(i).Offset)
		}
	case reflect.Array:
		for i := range t.Len() {
			all = leavesOf(all, t.Elem(), offset+uintptr(i)*t.Elem().Size())
		}
	case reflect.String, reflect.Bool, reflect.Uint8, reflect.Int, reflect.Int64, reflect.Float64:
		all = append(all, leaf{offset, t.Kind()})
	default:
		panic("a likely rule has a member of type " + t.String())
	}
	return all
}

func (m *leaf) in(l *Likely) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(l), m.offset) }

// number returns the value of a member that is no string. Most values are small.
func (m *leaf) number(l *Likely) uint64 {
	p := m.in(l)
	switch m.kind {
	case reflect.Float64:
		return bits.ReverseBytes64(math.Float64bits(*(*float64)(p)))
	case reflect.Int:
		return zigzag(int64(*(*int)(p)))
	case reflect.Int64:
		return zigzag(*(*int64)(p))
	}
	return uint64(*(*uint8)(p)) // of a bool, too
}

func (m *leaf) setNumber(l *Likely, n uint64) {
	p := m.in(l)
	switch m.kind {
	case reflect.Float64:
		*(*float64)(p) = math.Float64frombits(bits.ReverseBytes64(n))
	case reflect.Int:
		*(*int)(p) = int(unzigzag(n))
	case reflect.Int64:
		*(*int64)(p) = unzigzag(n)
	default:
		*(*uint8)(p) = uint8(n)
	}
}

func zigzag(n int64) uint64   { return uint64(n<<1) ^ uint64(n>>63) }
func unzigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }

// Pack packs rules. O(bytes).
func Pack(rules []Likely) Packed {
	if len(rules) == 0 {
		return Packed{}
	}
	var b []byte
	b = binary.AppendUvarint(b, uint64(len(rules)))
	last := &Likely{}
	for i := range rules {
		l, distance := &rules[i], uint64(0)
		for k := range leaves {
			m := &leaves[k]
			distance++
			if m.kind == reflect.String {
				if text := *(*string)(m.in(l)); text != *(*string)(m.in(last)) {
					b = binary.AppendUvarint(binary.AppendUvarint(b, distance), uint64(len(text)))
					b, distance = append(b, text...), 0
				}
			} else if n := m.number(l); n != m.number(last) {
				b, distance = binary.AppendUvarint(binary.AppendUvarint(b, distance), n), 0
			}
		}
		b, last = append(b, 0), l
	}
	return Packed{string(b)}
}

// Len returns the number of rules.
func (p Packed) Len() int {
	n, _ := p.uvarint()
	return int(n)
}

// Unpack returns the rules, which share their texts with p. O(bytes).
func (p Packed) Unpack() []Likely {
	n, p := p.uvarint()
	if n == 0 {
		return nil
	}
	rules := make([]Likely, n)
	last := &Likely{}
	for i := range rules {
		l := &rules[i]
		*l = *last
		for at := -1; ; {
			var distance, value uint64
			if distance, p = p.uvarint(); distance == 0 {
				break
			}
			at += int(distance)
			m := &leaves[at]
			if value, p = p.uvarint(); m.kind == reflect.String {
				*(*string)(m.in(l)) = p.text[:value]
				p.text = p.text[value:]
			} else {
				m.setNumber(l, value)
			}
		}
		last = l
	}
	return rules
}

// uvarint returns the first number of the text, and the rest.
func (p Packed) uvarint() (n uint64, rest Packed) {
	for shift := 0; len(p.text) > 0; shift += 7 {
		c := p.text[0]
		if p.text = p.text[1:]; c < 0x80 {
			return n | uint64(c)<<shift, p
		}
		n |= uint64(c&0x7f) << shift
	}
	return n, p
}

// Bytes returns the memory of the text.
func (p Packed) Bytes() int64 { return int64(len(p.text)) }
