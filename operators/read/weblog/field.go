package weblog

import "dustbuster/operators/read/digest"

// field is the meaning of a piece of a line.
type field uint8

const (
	fieldSkip field = iota // known and not used
	fieldHost
	fieldRequest
	fieldWholeRequest // the same, from a server that cuts long requests: a request without its protocol is not whole
	fieldMethod
	fieldTarget  // with its query, as sent by the client
	fieldPath    // without its query, decoded by the server
	fieldAddress // a path, perhaps with its query, perhaps decoded
	fieldQuery
	fieldStatus
	fieldSize
	fieldAgent
	fieldClient
	fieldPeer // a client as address:port, perhaps after words
	fieldUser // not used; but if another field stands in this place, the line is in another format
	fieldEncoding
	fieldGzipRatio // nginx: "-" if nginx did not compress
	fieldTime
	fieldDigest       // of the content, in the notation of archives
	fieldPart         // one piece of a time, see dateParts
	fieldForwarded    // a list of addresses that proxies forward: X-Forwarded-For, or the header that client.Proxies names
	fieldHostOrClient // a host, or the client if the value is an address and no other field has the client
	fieldShipped      // a key that only shippers write
	fields
)

// slotOf maps a field to the one that stands for its place in the Hit. Of two in one place,
// only the better is stored. fieldSkip: there is no place.
var slotOf = [fields]field{
	fieldHost: fieldHost, fieldMethod: fieldMethod,
	fieldRequest: fieldRequest, fieldWholeRequest: fieldRequest,
	fieldTarget: fieldTarget, fieldPath: fieldPath, fieldAddress: fieldPath, fieldQuery: fieldQuery,
	fieldStatus: fieldStatus, fieldSize: fieldSize, fieldAgent: fieldAgent,
	fieldClient: fieldClient, fieldPeer: fieldClient, fieldForwarded: fieldForwarded,
	fieldEncoding: fieldEncoding, fieldGzipRatio: fieldEncoding,
	fieldTime: fieldTime, fieldDigest: fieldDigest,
}

// store stores the bytes of a field, already unescaped. It returns false if the bytes are
// not valid for the field.
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
	case fieldPath, fieldAddress:
		p.record.raw.path, p.record.raw.form = b, pathDecoded
		if f == fieldAddress {
			p.record.raw.form = pathUnknown
		}
	case fieldQuery:
		p.record.raw.query = b
	case fieldAgent:
		h.Agent = present(b)
	case fieldClient:
		h.Client = present(b)
	case fieldForwarded:
		p.record.forwarded = present(b)
	case fieldPeer:
		h.Client = present(peerAddress(b))
	case fieldUser:
		return oneUser(b) || p.dashMore(h)
	case fieldHostOrClient:
		p.record.host = present(b)
	case fieldShipped:
		p.record.shipped = true
	case fieldDigest:
		h.Digest = digest.OfPayload(b)
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
		return ok || b[0] == '+' // logged before the end of the response (HAProxy with logasap): unknown
	case fieldTime:
		h.Time, ok = p.clock.read(b)
		return ok
	case fieldPart:
		return p.record.parts.store(letter, b)
	}
	return true
}
