package kafka

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	kafkago "github.com/segmentio/kafka-go"
)

// explain returns advice for a broker that could not be reached. certain means another
// broker would fail in the same way.
func explain(err error, o Options) (hint string, certain bool) {
	text := err.Error()
	switch {
	case errors.Is(err, errToken):
		return "check kafka.sasl_token_file", true
	case errors.Is(err, kafkago.SASLAuthenticationFailed) && o.SASL.TokenFile != "":
		return "the broker refuses the token in " + o.SASL.TokenFile + ": it may have expired, or be for another broker (kafka.sasl_token_file)", true
	case errors.Is(err, kafkago.SASLAuthenticationFailed):
		return "user or password are wrong (kafka.sasl_user, kafka.sasl_password)", true
	case errors.Is(err, kafkago.UnsupportedSASLMechanism):
		return "the broker does not offer the mechanism " + o.SASL.Mechanism + " (kafka.sasl)", true
	case errors.Is(err, kafkago.IllegalSASLState):
		return "this port of the broker takes no authentication: leave kafka.sasl empty, or use its SASL port", true
	case is[tls.RecordHeaderError](err):
		return "this port of the broker does not speak TLS: turn kafka.tls off, or use its TLS port", true
	case is[x509.UnknownAuthorityError](err):
		return "the certificate's authority is not known: give it as kafka.tls_ca", true
	case is[x509.HostnameError](err):
		return "the certificate is for another name: set kafka.tls_server_name, or name the broker as its certificate does", true
	case is[x509.CertificateInvalidError](err):
		return "the broker's certificate is not valid", true
	case is[tls.AlertError](err), strings.Contains(text, "remote error: tls"):
		return "the broker refuses our side of TLS: it may want a client's certificate (kafka.tls_cert, kafka.tls_key)", true
	case errors.Is(err, errHandshake):
		return "this port of the broker may not speak TLS: turn kafka.tls off, or use its TLS port", false
	case is[*net.DNSError](err):
		return "check the broker's name", false
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens there: check address and port, and that the broker runs", false
	case errors.Is(err, os.ErrDeadlineExceeded), strings.Contains(text, "deadline exceeded"), isTimeout(err):
		return "no answer in time: check address and port, and firewalls between; a port for TLS or SASL does not answer clients without it", false
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return closed(o), false
	}
	return "is this a Kafka broker?", false
}

// closed returns the likely reasons for a broker to hang up.
func closed(o Options) string {
	const tls, sasl = "it may speak TLS on this port (kafka.tls)", "it may want authentication (kafka.sasl)"
	may := "it may be starting, or be no Kafka broker"
	switch plain, anyone := o.TLS == nil, o.SASL.Mechanism == ""; {
	case plain && anyone:
		may = tls + ", or " + sasl
	case plain:
		may = tls
	case anyone:
		may = sasl
	}
	return "the broker hung up: " + may
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func isTimeout(err error) bool {
	n, ok := errors.AsType[net.Error](err)
	return ok && n.Timeout()
}

// cause removes the wrapping that kafka-go puts around the cause.
func cause(err error) error {
	for _, prefix := range []string{"failed to dial: ", "failed to open connection to ", "could not successfully authenticate to "} {
		if strings.HasPrefix(err.Error(), prefix) {
			if inner := errors.Unwrap(err); inner != nil {
				return cause(inner)
			}
		}
	}
	return err
}
