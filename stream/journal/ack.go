package journal

import (
	"errors"
	"os"
)

// ack is the content of journal.ack: how much of which journal is acknowledged,
// and that the name of which copy is durable.
type ack struct {
	id     uint64
	length int64
	copies uint32
}

func (a ack) encode() []byte {
	b := append(make([]byte, 0, ackSize), ackMagic...)
	b = little.AppendUint64(b, a.id)
	b = little.AppendUint64(b, uint64(a.length))
	b = little.AppendUint32(b, a.copies)
	return little.AppendUint32(b, checksum(b))
}

// ack is what there is to say of the journal now.
func (j *Journal) ack() ack { return ack{id: j.head.id, length: j.tip.at, copies: j.head.copies} }

// readAck opens journal.ack and tells whether there is one. One that cannot be
// read says nothing, which is no error: it is no more than a witness.
func (j *Journal) readAck() (a ack, found bool, err error) {
	j.ackFile, err = j.o.FS.OpenFile(j.path(ackName), os.O_RDWR)
	if errors.Is(err, os.ErrNotExist) {
		j.ackFile = nil
		return ack{}, false, nil
	}
	if err != nil {
		return ack{}, false, err
	}
	b := make([]byte, ackSize)
	if err := readFull(j.ackFile, b, 0); err != nil || string(b[:8]) != ackMagic || little.Uint32(b[28:]) != checksum(b[:28]) {
		return ack{}, true, nil
	}
	return ack{id: little.Uint64(b[8:]), length: int64(little.Uint64(b[16:])), copies: little.Uint32(b[24:])}, true, nil
}

// writeAck says that all up to the tip is acknowledged. It is called when that
// is durable, and not before. An error loses a witness and nothing else: the
// next start copies the file before it writes.
func (j *Journal) writeAck() {
	if j.ackFile == nil {
		f, err := j.o.FS.OpenFile(j.path(ackName), os.O_RDWR|os.O_CREATE)
		if err != nil {
			return
		}
		j.ackFile = f
	}
	_, _ = j.ackFile.WriteAt(j.ack().encode(), 0)
}
