package weblog

// variable is a piece of a format string: literal text, or a variable.
type variable struct {
	name    string // as written in the format string; empty for literal text
	literal string
	field   field
	rank    uint8 // among variables that fill the same slot, the greatest rank wins
	shape   shape
	letter  byte
	width   uint8
	size    SizeCount
	role    role
	at      int // byte offset in the format string
}

// role marks variables that the compiler joins with their neighbours, or separates from
// them.
type role uint8

const (
	rolePlain role = iota
	rolePort
	roleIsArgs
	roleClientPort
	rolePath // begins with a '/'
)

func text(f field, rank uint8) variable { return variable{field: f, rank: rank} }

func path(f field, rank uint8) variable { return variable{field: f, rank: rank, role: rolePath} }

// The shapes shared by both servers' tables.
var (
	skipped      = variable{}
	skippedList  = variable{shape: shapeList}
	clientList   = variable{field: fieldForwarded, rank: 1, shape: shapeList}
	clientFirst  = variable{field: fieldClient, rank: 3, shape: shapeList} // many servers write X-Forwarded-For here
	userName     = variable{field: fieldUser}
	statusCode   = variable{field: fieldStatus, rank: 2, shape: shapeStatus}
	protocol     = variable{shape: shapeProtocol}
	port         = variable{role: rolePort}
	codeLoose    = variable{field: fieldStatus, rank: 2, shape: shapeCode}
	padded       = variable{shape: shapePadded}
	clientPort   = variable{role: roleClientPort}
	timeCommon   = variable{field: fieldTime, rank: 2, shape: shapeTime, width: uint8(len("02/Jan/2006:15:04:05 -0700"))}
	timeISO      = variable{field: fieldTime, rank: 2, shape: shapeTime, width: uint8(len("2006-01-02T15:04:05-07:00"))}
	timeEpoch    = variable{field: fieldTime, rank: 2, shape: shapeDecimal}
	sizeBody     = variable{field: fieldSize, rank: 2, shape: shapeNumber, size: SizeBody}
	sizeFramed   = variable{field: fieldSize, rank: 2, shape: shapeNumber, size: SizeBodyFramed}
	sizeTotal    = variable{field: fieldSize, rank: 1, shape: shapeNumber, size: SizeTotal}
	sizeReceived = variable{shape: shapeNumber}
)
