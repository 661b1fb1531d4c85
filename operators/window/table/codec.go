package table

import (
	"encoding/json"
	"fmt"
)

// writtenCuts is the written form of the cuts of a site's window.
type writtenCuts struct {
	Version int   `json:"v"`
	Cuts    []Cut `json:"cuts"`
}

const cutsVersion = 2

// EncodeCuts returns the written form of the cuts of a window, one JSON object.
func EncodeCuts(cuts []Cut) []byte {
	b, err := json.Marshal(writtenCuts{cutsVersion, cuts})
	if err != nil {
		panic(err) // numbers have a form
	}
	return b
}

// DecodeCuts is the inverse of EncodeCuts.
func DecodeCuts(b []byte) ([]Cut, error) {
	var w writtenCuts
	if err := json.Unmarshal(b, &w); err != nil {
		return nil, fmt.Errorf("read cuts: %w", err)
	}
	if w.Version != cutsVersion {
		return nil, fmt.Errorf("read cuts: version %d, want %d", w.Version, cutsVersion)
	}
	return w.Cuts, nil
}
