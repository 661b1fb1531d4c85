package kafka

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/segmentio/kafka-go/sasl"
	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/segmentio/kafka-go/sasl/scram"
)

// Options describe the way to a cluster.
type Options struct {
	Brokers []string                    // host:port; the port defaults to 9092. One reachable broker is enough
	TLS     *tls.Config                 // nil: plain text. An empty ServerName stands for each broker's own
	Renew   func() (*tls.Config, error) // TLS for each new connection, since certificates are replaced before they end; nil: TLS
	SASL    SASL                        // empty: no authentication
	Timeout time.Duration               // for how long a request may see no byte of its answer; 10 s if 0
	OnError func(error)                 // called from any goroutine with errors of writes that are retried; may be nil
}

// SASL is a user's name and password or the file of a token, and the mechanism that presents them.
type SASL struct {
	Mechanism string // PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or OAUTHBEARER; empty: no authentication
	User      string
	Password  string
	TokenFile string // with OAUTHBEARER, instead of User and Password; read for each connection
}

const oauthBearer = "OAUTHBEARER"

// mechanisms are the known ways to authenticate.
var mechanisms = []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", oauthBearer}

const (
	defaultPort    = "9092"
	defaultTimeout = 10 * time.Second
	clientID       = "dustbuster" // the name in the brokers' logs and quotas
)

// complete fills in defaults and makes all checks that need no network.
func (o Options) complete() (Options, error) {
	if len(o.Brokers) == 0 {
		return o, errors.New("open kafka: no brokers given: name at least one as host:port")
	}
	o.Brokers = slices.Clone(o.Brokers)
	for i, b := range o.Brokers {
		var err error
		if o.Brokers[i], err = withPort(b); err != nil {
			return o, fmt.Errorf("open kafka: broker %q: %w", b, err)
		}
	}
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	if o.OnError == nil {
		o.OnError = func(error) {}
	}
	return o, nil
}

func withPort(broker string) (string, error) {
	if broker == "" || strings.ContainsAny(broker, " ,/") {
		return "", errors.New("want host:port, without scheme, blanks or commas")
	}
	host, port, err := net.SplitHostPort(broker)
	switch {
	case err != nil && strings.Contains(err.Error(), "missing port"):
		return net.JoinHostPort(strings.Trim(broker, "[]"), defaultPort), nil
	case err != nil:
		return "", err
	case host == "" || port == "":
		return "", errors.New("want host:port")
	}
	return broker, nil
}

// mechanism returns nil where there is nothing to authenticate with.
func (s SASL) mechanism() (m sasl.Mechanism, err error) {
	if s == (SASL{}) {
		return nil, nil
	}
	name := strings.ToUpper(s.Mechanism)
	if err := s.check(name); err != nil {
		return nil, fmt.Errorf("open kafka: %w", err)
	}
	switch name {
	case oauthBearer:
		return bearer{s.TokenFile}, nil
	case "PLAIN":
		return plain.Mechanism{Username: s.User, Password: s.Password}, nil
	case "SCRAM-SHA-256":
		m, err = scram.Mechanism(scram.SHA256, s.User, s.Password)
	default:
		m, err = scram.Mechanism(scram.SHA512, s.User, s.Password)
	}
	if err != nil {
		return nil, fmt.Errorf("open kafka: user or password cannot be used with %s: %w", s.Mechanism, err)
	}
	return m, nil
}

// check returns an error for an unknown mechanism, or one without what it presents.
func (s SASL) check(name string) error {
	known := strings.Join(mechanisms, ", ")
	switch {
	case name == "":
		return fmt.Errorf("a user, password or token without a mechanism: set one of %s", known)
	case !slices.Contains(mechanisms, name):
		return fmt.Errorf("unknown SASL mechanism %q: want one of %s", s.Mechanism, known)
	case (name == oauthBearer) != (s.TokenFile != ""):
		return errors.New("SASL OAUTHBEARER, and no other mechanism, needs the file of a token")
	case name != oauthBearer && (s.User == "" || s.Password == ""):
		return fmt.Errorf("SASL %s needs a user and a password", s.Mechanism)
	}
	return nil
}

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
