package fetch

import "testing"

func TestActions(t *testing.T) {
	a := newActions(DefaultActions())
	for _, target := range []string{
		"/logout", "/LogOut", "/a/log-out", "/log_out.php", "/x?do=logout", "/x?logout", "/x?action=delete&id=3", "/cart/add/5", "/addToCart", "/x?op=removeItem",
		"/log%6Fut", "/%64elete", "/x?u=%2Funsubscribe", "/sign-out", "/a;delete=1", "/user.delete", "/deleteUser", "/userDelete",
	} {
		if !a.in(target) {
			t.Errorf("%s is taken for harmless", target)
		}
	}
	for _, target := range []string{"/", "/address", "/additive?deleted=1", "/catalogout", "/blog/outlook", "/logo/ut", "/log?a=1&sign=out2", "/undeleted", "/%6", "/%zzadd1"} {
		if a.in(target) {
			t.Errorf("%s is taken for an action", target)
		}
	}
	if newActions([]string{}).in("/logout") || !newActions([]string{"wp-login.php"}).in("/x/wp-login.php?y") {
		t.Error("the list is not the one given")
	}
}
