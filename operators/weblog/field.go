package weblog

// field is what a piece of a line means to a Hit.
type field uint8

const (
	fieldSkip field = iota // known and not needed
	fieldHost
	fieldRequest
	fieldWholeRequest // the same, of a server that cuts long ones: without its protocol it is not whole
	fieldMethod
	fieldTarget // with its query, as the client sent it
	fieldPath   // without its query
	fieldQuery
	fieldStatus
	fieldSize
	fieldAgent
	fieldClient
	fieldPeer // a client as address:port, perhaps with words before
	fieldUser // of no use, but where another field is taken for it the line is of another format
	fieldEncoding
	fieldGzipRatio // nginx: "-" if nginx did not compress
	fieldTime
	fieldDigest       // of the content, as archives write it
	fieldPart         // one piece of a time, see dateParts
	fieldHostOrClient // a host, or the client where it is an address and nothing else is the client
)

// slot is what two fields of one line compete for: only the best is taken.
type slot uint8

const (
	slotNone slot = iota
	slotHost
	slotMethod
	slotRequest
	slotTarget
	slotPath
	slotQuery
	slotStatus
	slotSize
	slotAgent
	slotClient
	slotClass
	slotTime
	slotDigest
	slots
)

var slotOf = [...]slot{
	fieldHost: slotHost, fieldHostOrClient: slotNone, fieldMethod: slotMethod, fieldRequest: slotRequest,
	fieldTarget: slotTarget, fieldPath: slotPath, fieldQuery: slotQuery,
	fieldWholeRequest: slotRequest, fieldPeer: slotClient,
	fieldStatus: slotStatus, fieldSize: slotSize, fieldAgent: slotAgent,
	fieldClient: slotClient, fieldEncoding: slotClass, fieldGzipRatio: slotClass,
	fieldTime: slotTime, fieldPart: slotNone, fieldDigest: slotDigest, fieldUser: slotNone,
}

// store puts the bytes of a field, already unescaped, where they belong. It
// reports false if they are not what the field holds.
func (p *Parser) store(h *Hit, f field, letter byte, b []byte) (ok bool) {
	switch f {
	case fieldHost:
		h.Host = present(b)
	case fieldRequest:
		p.record.raw.request = b
	case fieldWholeRequest:
		p.record.raw.request = b
		return wholeRequest(b)
	case fieldMethod:
		p.record.raw.method = present(b)
	case fieldTarget:
		p.record.raw.target = b
	case fieldPath:
		p.record.raw.path = b
	case fieldQuery:
		p.record.raw.query = b
	case fieldAgent:
		h.Agent = present(b)
	case fieldClient:
		h.Client = present(b)
	case fieldPeer:
		h.Client = present(peerAddress(b))
	case fieldUser:
		return oneUser(b)
	case fieldHostOrClient:
		p.record.host = present(b)
	case fieldDigest:
		h.Digest = payloadDigest(b)
	case fieldEncoding:
		h.Class = classOf(b)
	case fieldGzipRatio:
		h.Class = ClassGzip
		if absent(b) {
			h.Class = ClassIdentity
		}
	default:
		return p.storeNumber(h, f, letter, b)
	}
	return true
}

func (p *Parser) storeNumber(h *Hit, f field, letter byte, b []byte) (ok bool) {
	switch f {
	case fieldStatus:
		var n int64
		n, ok = number(b)
		h.Status = int(n)
		return ok && n <= 999 || string(b) == noStatus
	case fieldSize:
		h.Size, ok = number(b)
		return ok || b[0] == '+' // logged before all was sent (HAProxy with logasap): unknown
	case fieldTime:
		h.Time, ok = p.clock.read(b)
		return ok
	case fieldPart:
		return p.record.parts.store(letter, b)
	}
	return true
}
