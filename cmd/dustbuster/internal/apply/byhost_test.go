package apply

import "testing"

// A hostile name of a site stays a file of the directory.
func TestHostFile(t *testing.T) {
	for _, c := range []struct{ site, want string }{
		{"", "unnamed"},
		{"www.example.org", "org,example,www"},
		{"www.example.org:8080", "org,example,www%3A8080"},
		{"192.0.2.1", "192.0.2.1"},
		{"192.0.2.1:80", "192.0.2.1%3A80"},
		{"../../etc/passwd", "%2Fetc%2Fpasswd,,%2F,,"},
		{"..", ",,"},
		{"a/b", "a%2Fb"},
		{"A%2f\x00\n", "%41%252f%00%0A"},
		{"[2001:db8::1]:8080", "%5B2001%3Adb8%3A%3A1%5D%3A8080"},
	} {
		if got := hostFile(c.site); got != c.want {
			t.Errorf("%q is %q, want %q", c.site, got, c.want)
		}
	}
}
