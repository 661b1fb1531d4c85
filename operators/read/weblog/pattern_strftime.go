package weblog

import (
	"fmt"
	"strings"
)

// timePieces returns the pieces of Apache's %t and %{argument}t. Without an argument the
// time is in the common form in brackets. sec, msec and usec are whole times. msec_frac
// and usec_frac are fractions. All other arguments are strftime formats.
func timePieces(argument string) ([]variable, error) {
	argument = strings.TrimPrefix(strings.TrimPrefix(argument, "begin:"), "end:")
	switch argument {
	case "", "begin", "end":
		return []variable{{literal: "["}, timeCommon, {literal: "]"}}, nil
	case "%d/%b/%Y:%H:%M:%S %z":
		return []variable{timeCommon}, nil
	case "%Y-%m-%dT%H:%M:%S%z", "%FT%T%z", "%Y-%m-%d %H:%M:%S%z", "%F %T%z":
		v := timeISO
		v.width-- // strftime writes the zone without a colon
		return []variable{v}, nil
	case "sec", "msec", "usec":
		return []variable{timeEpoch}, nil
	case "msec_frac":
		return []variable{digitsOf(3)}, nil
	case "usec_frac":
		return []variable{digitsOf(6)}, nil
	}
	return splitStrftime(argument)
}

func digitsOf(n uint8) variable { return variable{shape: shapeFixed, width: n} }

// strftimeWhole expands the letters that stand for several letters.
var strftimeWhole = strings.NewReplacer("%%", "%%", "%T", "%H:%M:%S", "%R", "%H:%M", "%F", "%Y-%m-%d",
	"%D", "%m/%d/%y", "%h", "%b", "%c", "%a %b %e %H:%M:%S %Y", "%n", "\n", "%t", "\t")

// splitStrftime splits a strftime string into pieces of fixed width.
func splitStrftime(s string) ([]variable, error) {
	s = strftimeWhole.Replace(s)
	var pieces []variable
	for i := 0; i < len(s); i++ {
		if s[i] != '%' || i+1 == len(s) {
			pieces = addLiteral(pieces, s[i:i+1], i)
			continue
		}
		i++
		v, err := strftimePiece(s[i])
		if err != nil {
			return nil, err
		}
		pieces = addPiece(pieces, v, "", i)
	}
	return pieces, nil
}

// strftimeKnown are the letters that are read or skipped.
var strftimeKnown = strings.Fields("%Y %b %z %d %e %m %y %H %M %S %a %A %B %Z %j %u %w %U %V %W %s %T %R %F %D %h %c %n %t")

func strftimePiece(letter byte) (variable, error) {
	part := variable{field: fieldPart, shape: shapeFixed, letter: letter}
	switch letter {
	case 'Y':
		part.width = 4
	case 'b':
		part.width = 3
	case 'z':
		part.width = 5
	case 'd', 'e', 'm', 'y', 'H', 'M', 'S':
		part.width = 2
	case 'B':
		part.shape = shapeText
		part.letter = 'b'
	case 'a', 'A', 'Z', 'j', 'u', 'w', 'U', 'V', 'W':
		return variable{shape: shapeText}, nil
	case 'p':
		return part, fmt.Errorf("12-hour time letter %q is not read: use %%H in", "%p")
	case 's':
		return timeEpoch, nil
	case '%':
		return variable{literal: "%"}, nil
	default:
		return part, fmt.Errorf("unknown time letter %q%s in", "%"+string(letter), didYouMean("%"+string(letter), strftimeKnown))
	}
	return part, nil
}
