package kafka

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each login reads the file, and the message is that of RFC 7628.
func TestToken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	m, err := SASL{Mechanism: "oauthbearer", TokenFile: file}.mechanism()
	if err != nil || m.Name() != "OAUTHBEARER" {
		t.Fatal(m, err)
	}
	for _, c := range []struct{ text, want string }{
		{"abc.def.", "abc.def."},
		{" \r\nA-z0_9.~+/==\n\n", "A-z0_9.~+/=="},
		{strings.Repeat("a", maxToken), strings.Repeat("a", maxToken)},
		{"", "!is empty"},
		{"\n", "!is empty"},
		{"secret\x01host=a", "!a byte that no token has"},
		{"secret secret", "!a byte that no token has"},
		{"secrét", "!a byte that no token has"},
		{strings.Repeat("secret", maxToken/5), "!longer than"},
		{strings.Repeat("\n", maxToken) + "abc", "!longer than"},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		session, message, err := m.Start(t.Context())
		if reason, bad := strings.CutPrefix(c.want, "!"); bad {
			if !errors.Is(err, errToken) || !strings.Contains(err.Error(), reason) || strings.Contains(err.Error(), "secr") {
				t.Errorf("%.20q: got %v, want %q", c.text, err, reason)
			}
			continue
		}
		if err != nil || string(message) != "n,,\x01auth=Bearer "+c.want+"\x01\x01" {
			t.Errorf("%.20q: sent %.40q, %v", c.text, message, err)
			continue
		}
		if done, answer, err := session.Next(t.Context(), nil); !done || answer != nil || err != nil {
			t.Errorf("after a token that is taken: %v, %q, %v", done, answer, err)
		}
		if done, answer, err := session.Next(t.Context(), []byte(`{"status":"invalid_token"}`)); done || string(answer) != "\x01" || err != nil {
			t.Errorf("after a token that is refused: %v, %q, %v", done, answer, err)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.Start(t.Context()); !errors.Is(err, os.ErrNotExist) || !errors.Is(err, errToken) {
		t.Errorf("without the file: %v", err)
	}
	for _, s := range []SASL{{TokenFile: file}, {Mechanism: "OAUTHBEARER"}, {Mechanism: "plain", User: "a", Password: "b", TokenFile: file}} {
		if m, err := s.mechanism(); err == nil {
			t.Errorf("%+v: %v", s, m)
		}
	}
}
