package admin

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// Bounds of a token, in characters. 32 hexadecimal digits are 128 bits.
const (
	leastToken = 32
	mostToken  = 4096
)

// tokenText matches the bearer tokens allowed by RFC 6750.
var tokenText = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`)

// token is the token required of requests. Only hashes are kept.
type token struct {
	sum [sha256.Size]byte // of the token: the length does not show in the time of a comparison
	key [sha256.Size]byte // key of the cookies made from the token

	held    context.Context // ends when another token replaces this token
	replace context.CancelFunc
}

func newToken(text string) *token {
	t := &token{sum: sha256.Sum256([]byte(text)), key: sha256.Sum256([]byte("dustbuster cookie\x00" + text))}
	t.held, t.replace = context.WithCancel(context.Background())
	return t
}

// is reports whether a text is the token, in a time that reveals nothing about the token.
func (t *token) is(text string) bool {
	sum := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(sum[:], t.sum[:]) == 1
}

// The value of a cookie is the end of its validity and a code computed from the token. So a
// cookie does not reveal the token, expires, and outlives a restart.
const timeBytes = 8

// cookie returns a value that is valid until a time.
func (t *token) cookie(until time.Time) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(until.Unix()))
	return base64.RawURLEncoding.EncodeToString(t.code(b))
}

// code appends the code of a time to the time.
func (t *token) code(b []byte) []byte {
	mac := hmac.New(sha256.New, t.key[:])
	mac.Write(b)
	return mac.Sum(b)
}

// gave reports whether a cookie's value is from this token and still good.
func (t *token) gave(value string, now time.Time) bool {
	b, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil || len(b) != timeBytes+sha256.Size || !hmac.Equal(b, t.code(b[:timeBytes:timeBytes])) {
		return false
	}
	return now.Unix() < int64(binary.BigEndian.Uint64(b))
}

// ReadToken reads the token from a file, which must hold nothing else, and must not be open
// to every user. Errors never contain the token.
func ReadToken(path string) (string, error) {
	text, err := readPrivate(path)
	if err != nil {
		return "", err
	}
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		err = errors.New("the file is empty")
	case len(text) < leastToken:
		err = fmt.Errorf("the token has %d characters, want %d or more", len(text), leastToken)
	case len(text) > mostToken:
		err = fmt.Errorf("the token has more than %d characters", mostToken)
	case !tokenText.MatchString(text):
		err = errors.New("the token may have letters, digits and -._~+/ only, and = at its end")
	default:
		return text, nil
	}
	return "", fmt.Errorf("%s: %w\nmake a token: openssl rand -hex 32 > %s", path, err, path)
}

// readPrivate reads the beginning of a file. A file open to every user is an error.
func readPrivate(path string) (string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a named pipe is refused, not waited for
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("%w\nmake a token: (umask 077; openssl rand -hex 32 > %s)", err, path)
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is no regular file", path)
	case info.Mode().Perm()&0o007 != 0:
		return "", fmt.Errorf("every user may access %s, since its mode is %04o: chmod o= %s", path, info.Mode().Perm(), path)
	}
	text, err := io.ReadAll(io.LimitReader(f, mostToken+3)) // room for a newline of two bytes, and one byte too many
	return string(text), err
}
