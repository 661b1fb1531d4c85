package book

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"dustbuster/operators/judge/trial"

	"github.com/klauspost/compress/flate"
)

// packed is the memory of a site that waits. A pair takes 430 bytes as JSON, 45 to 140 deflated, and more than 400 in maps.
type packed struct {
	text  []byte // a packing, deflated
	pairs int
}

// packing has the pairs in the order of their last arrival, and the outcomes last told.
type packing struct {
	Pairs []PairAct         `json:"pairs"`
	Told  []trial.Judgement `json:"told"`
}

// PairBytes is the memory of a pair that is not packed, about: see TestMemoryOfPairs.
const PairBytes = 460

// Bytes returns the memory of the pairs, about.
func (m *Memory) Bytes() int64 {
	if m.packed != nil {
		return int64(len(m.packed.text))
	}
	return PairBytes * int64(len(m.results))
}

// mostPacked is the number of pairs that are packed and unpacked within 100 ms. Few sites have more.
const mostPacked = 4096

// Pack keeps the results in less memory, until one is asked for, unless they are many. O(pairs).
func (m *Memory) Pack() {
	if len(m.results) == 0 || len(m.results) > mostPacked {
		return
	}
	p := packing{Pairs: m.all()}
	for i := range p.Pairs {
		p.Told = append(p.Told, m.told[p.Pairs[i].Key])
	}
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // numbers, booleans and texts
	}
	m.packed = &packed{Deflate(text), len(p.Pairs)}
	m.results, m.told, m.Fetches, m.queue, m.queueMixed = nil, nil, nil, nil, nil
}

// unpack makes the maps again, if the memory is packed.
func (m *Memory) unpack() {
	if m.packed == nil {
		return
	}
	p := m.unpacked()
	m.packed, m.mixed, m.Seconds, m.Unsteady = nil, 0, 0, 0
	for i := range p.Pairs {
		m.Put(p.Pairs[i].Key, Result{p.Pairs[i].Looks, p.Pairs[i].At})
		m.told[p.Pairs[i].Key] = p.Told[i]
	}
}

func (m *Memory) unpacked() (p packing) {
	if err := json.NewDecoder(flate.NewReader(bytes.NewReader(m.packed.text))).Decode(&p); err != nil {
		panic(err) // Pack made it
	}
	return p
}

// all returns the remembered pairs in the order of their last arrival.
func (m *Memory) all() (pairs []PairAct) {
	if m.packed != nil {
		return m.unpacked().Pairs
	}
	m.compact()
	for _, s := range m.queue {
		r := m.results[s.key]
		pairs = append(pairs, PairAct{Key: s.key, Looks: r.Looks, At: r.At})
	}
	return pairs
}

// Deflate compresses a text (RFC 1951).
func Deflate(text []byte) []byte {
	var b bytes.Buffer
	if err := flate.StatelessDeflate(&b, text, true, nil); err != nil {
		panic(err) // a buffer takes all
	}
	return bytes.Clone(b.Bytes()) // which is kept, without the room of the buffer
}

// Inflate returns the text that was deflated. A text of more than most bytes is an error.
func Inflate(deflated []byte, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(deflated)), most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("the text has more than %d bytes", most)
	}
	return text, err
}
