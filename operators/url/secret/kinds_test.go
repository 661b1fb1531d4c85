package secret

import (
	"strings"
	"testing"
)

// secretKinds are secrets and personal data of different kinds, each in a URL as applications write
// it.
var secretKinds = strings.Fields(`
/login?user=ann&pass=hunter2            /login?log=ann&pwd=correct+horse         /x?pw=tr0ub4dor
/signup?user_pass=abcdef                /x?userPassword=abcdef                   /x?user[password]=geheim
/x?passwort=geheim                      /x?contrasena=secreto                    /x?mot_de_passe=secret
/x?senha=segredo                        /x?client_secret=abcdefgh                /x?secret=topsecret
/x?mysql_pwd=root1                      /x?new_password=changeme                 /x?passwd1=changeme
/v1?api_key=1234567890                  /v1?apikey=abc123                        /v1?apiKey=Zk3d9
/v1?x-api-key=live99                    /v1?access_token=t0k3n                   /v1?auth=dXNlcjE6cHc
/v1?authorization=Bearer+a1b2           /oauth?id_token=abc.def9                 /oauth?refresh_token=r3fr
/cb?code_verifier=abc1                  /x?csrf_token=f00ba7                     /x?signature=3f9a
/x?hmac=0a1b                            /x?otp=123456                            /x?totp=004211
/x?pin=4711                             /x?tan=882211                            /x?mfa_code=991122
/x?sms_code=5521                        /x?verification_code=42A7                /x?invite_code=Q7B2
/x?activation-key=9c2f                  /x?reset_token=12ab                      /x?ticket=ST-99-a1
/x?license_key=AB12                     /x?coupon_code=SAVE7Q                    /x?recovery_code=q1w2
/x?ssn=123456789                        /x?social_security_number=123-45-6789    /p/123-45-6789/file
/x?cvv=123                              /x?cvc2=987                              /x?card_number=4000123
/x?passport_no=C01X00T47                /x?tax_id=12-3456789                     /x?iban=DE00123
/x?account_number=00123456              /x?imei=490154203237518                  /x?insurance_number=A123456789
/x?dob=1980-05-01                       /x?birthdate=01.05.1980                  /x?date_of_birth=19800501
/x?geburtsdatum=1.5.1980                /x?user[birthday]=05/01/1980             /x?fecha_nacimiento=1980-05-01
/x?street=12+Main+St                    /x?address=1600+Pennsylvania+Ave         /x?billing_address=Hauptstr.+5
/x?strasse=Am+Markt+3                   /x?addressLine1=5+High+St.               /dev/00:1A:2B:3C:4D:5E
/dev/00-1a-2b-3c-4d-5e/log              /dev?mac=001a.2b3c.4d5e                  /who?ip=203.0.113.77
/who/198.51.100.23/                     /who?a=2001:db8:0:1:2:3:4:5              /who?a=fe80::1a2b:3c4d
/key/XK7P-9QMD-2R4T                     /key?k=AB1CD-2EF3G-H4IJ5-6KLM7           /recover?c=ab12c-de34f
/i/k7vq2m0c9p                           /i/Xa93kQz2                              /i?r=b7f3a9c1
/s/9f3c2b7d81                           /s/q8j4k6l2m3w7                          /s/aGk3LmQzR2
/s?c=R2D7K9X4                           /join/7hG2kP9s                           /d/x9-k2v7q4m1z8
/s/ZqXkVbWj                             /u/ann@example.org                       /u?to=ann%40mail.example
/call?tel=0301234567                    /call/+493012345678                      /x?user_phone=555-0100-22
/pay/4111111111111111                   /pay?c=4111-1111-1111-1111               /acc/GB82WEST12345698765432
/t/9f3c2b7d81e04a6f                     /t/550e8400-e29b-41d4-a716-446655440000  /t?k=AKIAIOSFODNN7EXAMPLE
/t/eyJhbGciOiJIUzI1NiJ9.e30             /t?x=PHPSESSIDk7vq2m0c9p4r1t8u3w5x6y    /t/sk_live_4eC39HqLyjWDarjtT1zd
`)

// Every kind is recognized, in a rule as in a URL, and is not in what a veil leaves.
func TestKinds(t *testing.T) {
	found := 0
	for _, url := range secretKinds {
		switch masked := (Veil{}).Mask(url); {
		case !InURL(url) || !hidden(url):
			t.Errorf("%s is not recognized", url)
		case masked == url || hidden(masked):
			t.Errorf("%s is masked as %s", url, masked)
		default:
			found++
		}
	}
	t.Logf("%d of %d kinds are recognized", found, len(secretKinds))
	if len(secretKinds) < 81 {
		t.Errorf("only %d kinds", len(secretKinds))
	}
}

// Texts like secrets that are none.
func TestKindsOfOthers(t *testing.T) {
	for _, url := range strings.Fields(`
/x?compass=north /x?bypass=1 /x?keyboard=us1 /x?author=john2 /x?authors=9 /x?pinned=1 /x?pin=yes /x?auth=basic /x?token=name
/x?tag=2015 /x?spin=20 /x?tan=brown /x?birth=yes /x?address=home /x?street=yes /x?hash=tag /x?dob=?&x=1 /x?mobile=1 /x?pass=
/x?page=20&sort=name2 /x?key=title /x?code=de /x?sid=12 /x?id=4711 /x?date=1980-05-01 /archive/2015-03-14/ /2015/03/14/
/release-1.2.3.4/ /v/1.2.3.4 /v/10.4.0.1 /12:30:45 /2015-03-14-10-20-30 /img_20150314_0001.jpg /DSC01234.JPG /IMG-20150314-WA0001.jpg
/w800h600q80/ /h264-x265 /iphone5s32gb /1080p60fps /utf8string /mp3player2 /win32setup64 /internationalization /JavaScript
/YouTubePlayer /getElementById /McDonalds2015 /photo2copy3 /thumb150x150 /300x250x2 /ipv4to6 /covid19info /page2of10 /web20summit
/php5-curl7-mod1 /2001-2002-2003 /AAAA-BBBB-CCCC /part-1-of-12 /rfc2616 /iso8859-15 /x86-64-linux /debian-12.5.0-amd64 /a1b2c3/
/q4-2015-q1-2016 /S1E02-S2E03 /20150314t152653z /libstdc++6 /python3-dev /en-US /0800-1730 /10.0.0.1:8080/
`) {
		if InURL(url) {
			t.Errorf("%s looks like a secret", url)
		}
	}
}

// Random text, codes and addresses of computers are public where several clients asked for
// them. Keys, passwords and personal data are not.
func TestCertain(t *testing.T) {
	for _, c := range []struct {
		url  string
		want bool
	}{
		{"/up/k7vq2m0c9p.jpg", false}, {"/up/9f3c2b7d81e04a6f.jpg", false}, {"/up/550e8400-e29b-41d4-a716-446655440000", false},
		{"/key/XK7P-9QMD-2R4T", false}, {"/who/198.51.100.23/", false}, {"/123-45-6789", false},
		{"/x?pw=tr0ub4dor", true}, {"/x?token=k7vq2m0c9p", true}, {"/x?k=AKIAIOSFODNN7EXAMPLE", true}, {"/pay/4111111111111111", true},
		{"/u/ann@example.org", true}, {"/dev/00:1A:2B:3C:4D:5E", true}, {"/x?dob=1980-05-01", true}, {"/story?id=12", false},
	} {
		if got := Certain(c.url); got != c.want {
			t.Errorf("%s: %v, want %v", c.url, got, c.want)
		}
	}
}
