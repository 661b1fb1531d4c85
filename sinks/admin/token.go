package admin

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// Bounds of a token, in characters. 32 hexadecimal digits are 128 bits.
const (
	leastToken = 32
	mostToken  = 4096
)

// tokenText matches the bearer tokens allowed by RFC 6750.
var tokenText = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`)

// pass is what lets a client in.
type pass struct {
	roles Role
	held  context.Context // ends when the pass does
}

// anyone is the pass of all clients where no token is set.
var anyone = pass{Operate, context.Background()}

// token is a token that lets clients in. Only its hash is kept.
type token struct {
	pass
	sum     [sha256.Size]byte // of the token: the length does not show in the time of a comparison
	replace context.CancelFunc
}

// tokens are the tokens of all roles, all different.
type tokens []*token

// add adds a role's token. A token that two roles share has both.
func (all *tokens) add(text string, role Role) {
	sum := sha256.Sum256([]byte(text))
	if t := all.find(sum); t != nil {
		t.roles |= role
		return
	}
	held, replace := context.WithCancel(context.Background())
	*all = append(*all, &token{pass{role, held}, sum, replace})
}

// shown returns the token that a client has shown; nil if the text is no token.
func (all tokens) shown(text string) *token {
	return all.find(sha256.Sum256([]byte(text)))
}

// find returns the token of a hash, or nil, in a time that reveals nothing about the tokens.
func (all tokens) find(sum [sha256.Size]byte) (found *token) {
	for _, t := range all {
		if subtle.ConstantTimeCompare(sum[:], t.sum[:]) == 1 {
			found = t
		}
	}
	return found
}

// keep takes over the tokens of old that have not changed, and returns the others.
func (all tokens) keep(old tokens) (gone tokens) {
	for _, t := range old {
		at := slices.IndexFunc(all, func(o *token) bool { return o.sum == t.sum && o.roles == t.roles })
		if at < 0 {
			gone = append(gone, t)
			continue
		}
		all[at] = t
	}
	return gone
}

func (all tokens) roles() (roles Role) {
	for _, t := range all {
		roles |= t.roles
	}
	return roles
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
	case info.Mode().Perm()&0o007 != 0 && runtime.GOOS != "windows": // whose modes do not show who may access a file
		return "", fmt.Errorf("every user may access %s, since its mode is %04o: chmod o= %s", path, info.Mode().Perm(), path)
	}
	text, err := io.ReadAll(io.LimitReader(f, mostToken+3)) // room for a newline of two bytes, and one byte too many
	return string(text), err
}
