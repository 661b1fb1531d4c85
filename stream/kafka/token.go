package kafka

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/segmentio/kafka-go/sasl"
)

// bearer is the mechanism OAUTHBEARER (RFC 7628), which kafka-go lacks. The file of the token is
// read for each connection, so a renewed token needs no signal. Brokers close a connection whose
// token has expired, and the request on it is sent again over a new one.
type bearer struct{ file string }

// Name returns the mechanism's name on the wire.
func (bearer) Name() string { return oauthBearer }

// Start returns the message with the token. No error holds a byte of the token.
func (m bearer) Start(context.Context) (sasl.StateMachine, []byte, error) {
	token, err := m.token()
	if err != nil {
		return nil, nil, err
	}
	return m, []byte("n,,\x01auth=Bearer " + token + "\x01\x01"), nil
}

// Next ends the exchange. A broker that refuses the token answers with the reason in JSON, and
// fails the login after the client's last message.
func (bearer) Next(_ context.Context, reason []byte) (done bool, response []byte, err error) {
	if len(reason) == 0 {
		return true, nil, nil
	}
	return false, []byte{1}, nil
}

// errToken marks a file without a token that can be sent.
var errToken = errors.New("no token")

// maxToken bounds a token's file. Brokers take at most half a mebibyte before the login.
const maxToken = 256 << 10

// token reads the file. White space around the token is left out.
func (m bearer) token() (string, error) {
	f, err := os.Open(m.file)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errToken, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxToken+1))
	if err != nil {
		return "", fmt.Errorf("%w: %w", errToken, err)
	}
	token := strings.TrimSpace(string(text))
	switch {
	case len(text) > maxToken:
		return "", fmt.Errorf("%w: %s is longer than %d bytes", errToken, m.file, maxToken)
	case token == "":
		return "", fmt.Errorf("%w: %s is empty", errToken, m.file)
	case strings.Trim(token, tokenBytes) != "":
		return "", fmt.Errorf("%w: %s has a byte that no token has", errToken, m.file)
	}
	return token, nil
}

// tokenBytes are the bytes of a token (RFC 6750, b64token).
const tokenBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/="
