package action

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

func standardList(t testing.TB, more ...string) *List {
	t.Helper()
	l, err := New(append([]string{Standard}, more...))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Names of actions in each language, as applications write them in URLs.
func TestLanguages(t *testing.T) {
	l := standardList(t)
	for _, c := range []struct{ language, targets string }{
		{"English", "/logout /LogOut /a/log-out /log_out.php /x?do=logout /x?logout /x?action=delete&id=3 /cart/add/5 /addToCart /x?op=removeItem" +
			" /sign-out /a;delete=1 /user.delete /deleteUser /userDelete /XMLDelete /activate/7 /users/5/verify /confirm?id=3 /transfer /place /place_bid /place-order"},
		{"compact", "/addtocart /deleteall /ADDTOCART.php?id=3 /x?do=removeitem /cartadd /userdel.php /placeorder /confirmemail /resetpassword /emptycart /cart?clearcart /transferfunds"},
		{"applications", "/wp-admin/ /wp-admin/post.php /wpadmin /wp-admin/admin-ajax.php /adminajax /cron/9f3 /wp-cron.php /cron.php /x/cron"},
		{"parameters", "/x?token=1 /x?a=1&access_token=b /x;accessToken=2 /x?csrf_token=z /x?_wpnonce=12 /course?sesskey=a /x?csrfmiddlewaretoken=a /go?u=%2Fy%3Ftoken%3D5"},
		{"editors", "/posts/5/publish /posts/5/unpublish /job/x/disable /jobs/job/kill?id=3 /manager/text/stop?path=/a /safeRestart /cgi-bin/reboot /actuator/shutdown /group/p/toggle_star /users/5/impersonate"},
		{"forms that lock", "/doku.php?id=a&do=edit /doku.php?do=edit&rev=5 /start?do=draftdel /start?do=recover /FrontPage?action=edit /index.php?title=A&action=edit&section=2 /A?veaction=edit /bin/edit/Main/WebHome /x?op=edit&id=3 /x?DO=EDIT /x?cmd=edit /index.php?task=edit /action/edit/5"},
		{"logins", "/oauth2/callback?code=4%2F0Ab /cas/login?ticket=ST-1 /saml/acs?SAMLResponse=PD9 /sql.php?db=a&sql_query=DROP+TABLE+x /a?x=1;CODE=5&state=7 /sign-in/callback?code=5 /oauth?code=5 /x?session_state=1&code=5"},
		{"Czech", "/clanek/smazat/5 /odhlásit /odhlasit-se /přidat-do-košíku /potvrdit"},
		{"Vietnamese", "/đăng-xuất /dang-xuat /xóa /xoa/5 /xac-nhan"},
		{"Korean", "/글/삭제/5 /로그아웃 /구매"},
		{"Arabic", "/مقال/حذف/5 /تسجيل-الخروج"},
		{"Indonesian", "/artikel/hapus/5 /keluar /beli-sekarang /batalkan"},
		{"Greek", "/διαγραφή/5 /αποσύνδεση /aposyndesi"},
		{"Hungarian", "/cikk/törlés/5 /torles /kijelentkezés /kosárba"},
		{"Swedish", "/radera/5 /logga-ut /köp-nu /bekräfta"},
		{"Romanian", "/șterge/5 /sterge /deconectare /confirmă"},
		{"Ukrainian", "/видалити/5 /вийти /підтвердити"},
		{"Danish", "/slet/5 /log-ud /bekræft"},
		{"Norwegian", "/slett/5 /logg-ut /bekreft"},
		{"Finnish", "/poista/5 /kirjaudu-ulos /vahvista"},
		{"Spanish", "/articulo/eliminar/5 /borrar?id=3 /cerrar-sesion /cerrarSesion /cerrar-sesión /carrito/añadir /carrito/anadir /comprar /confirmar /activar /darse-de-baja"},
		{"German", "/löschen /loeschen/3 /LÖSCHEN /x?aktion=löschen /abmelden /in-den-warenkorb /jetzt-kaufen /kaufen?id=3 /bestätigen /bestaetigen /newsletter/abbestellen"},
		{"Japanese", "/削除 /記事/削除/5 /ユーザー削除 /ログアウト /ﾛｸﾞｱｳﾄ /カートに入れる /x?操作=確認 /購入 /退会 /sakujo.php /taikai"},
		{"French", "/supprimer/5 /déconnexion /deconnexion /se-deconnecter /ajouter-au-panier /acheter /confirmer /désabonnement /x?action=effacer"},
		{"Russian", "/удалить /статья/удалить/5 /УДАЛИТЬ /выход /выйти /отписаться /купить?id=5 /подтвердить /udalit/5 /vyhod /v-korzinu"},
		{"Portuguese", "/excluir/3 /apagar /remover?id=5 /sair /terminar-sessão /terminar_sessao /comprar /adicionar-ao-carrinho /confirmar"},
		{"Italian", "/elimina/5 /cancella /rimuovi?x /esci /disconnetti /acquista /aggiungi-al-carrello /conferma /attiva /vota?id=3"},
		{"Dutch", "/verwijderen/5 /verwijder /uitloggen /afmelden /kopen /winkelwagen/toevoegen /bevestigen /stem?id=3"},
		{"Turkish", "/sil/5 /SİL /çıkış /ÇIKIŞ /cikis /satın-al /satin_al /sepete-ekle /onayla /oy-ver"},
		{"Polish", "/usuń/5 /usun /USUŃ /wyloguj /kup /dodaj-do-koszyka /potwierdź /zatwierdz /głosuj /zapłać"},
		{"Persian", "/حذف /کاربر/حذف/5 /خروج /خرید /تأیید /تایید /فعال\u200cسازی /hazf"},
		{"Chinese", "/删除 /文章删除/5 /刪除 /注销 /退出登录 /加入购物车 /x?操作=确认 /购买 /投票 /shanchu /tuichu"},
	} {
		for _, target := range strings.Fields(c.targets) {
			if !l.In(target) {
				t.Errorf("%s: %s is taken for harmless", c.language, target)
			}
			if escaped := escape(target); !l.In(escaped) {
				t.Errorf("%s: %s (%s) is taken for harmless", c.language, escaped, target)
			}
		}
	}
}

// escape percent-encodes bytes outside ASCII, as logs do.
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] < 0x80 {
			b.WriteByte(s[i])
		} else {
			b.WriteString(url.PathEscape(s[i : i+1]))
		}
	}
	return b.String()
}

// Pages whose words only resemble the listed words.
func TestHarmless(t *testing.T) {
	l := standardList(t)
	for _, target := range []string{
		"/", "/address", "/additive?deleted=1", "/catalogout", "/blog/outlook", "/logo/ut", "/log?a=1&sign=out2", "/undeleted", "/%6", "/%zzadd1",
		"/placement/", "/placements?id=3", "/category/", "/categories/5", "/cronology", "/chronicle", "/marketplace/", "/workplace-safety", "/placeholder.png", "/replace",
		"/acronym", "/crontab-guru", "/wp-content/a.css", "/wp-login.php", "/administration", "/ajax/list", "/verification", "/verified", "/confirmation", "/confirmed",
		"/activation", "/activity", "/actividad", "/transferable", "/transfers", "/tokens", "/token", "/blog/what-is-a-token", "/x?tokens=5", "/x?broken=1", "/votes", "/voting-guide",
		"/historia-del-arte", "/historia_del_arte", "/voter-registration-guide", "/games/wing-commander", "/stem-cells", "/rust-remover", "/huis-te-koop/amsterdam",
		"/compra-venta", "/kupit-kvartiru-v-moskve", "/купить-квартиру", "/auto-kaufen-berlin", "/silver", "/silly", "/exit", "/投票所", "/確認方法", "/取消费用",
		"/edit", "/login", "/new", "/order?by=price", "/items?order=asc", "/delta", "/delivery", "/delhi", "/dell-laptops", "/adder", "/addons", "/deletion-policy",
		"/x?product_code=5", "/products/item.aspx?Code=aB0", "/a?x=1;CODE=5", "/authors?code=5", "/x?country-code=de", "/code?x=5", "/code", "/tickets/5", "/x?tickets=2", "/publishers", "/publisher/5", "/rebooted-series", "/how-to-stop-smoking", "/killers/5", "/enable-javascript",
		"/pausenhof", "/play-store", "/shipping", "/blocks/5", "/lock-screens", "/reloaded", "/stopwatch", "/sqlite", "/x?lang=sql", "/toggle-buttons", "/enabled", "/stem-cells", "/rosta-list", "/stop/5", "/block/5", "/resume", "/refund", "/play/5",
		"/clear", "/empty", "/cart", "/basket", "/orders/5", "/users/all", "/account", "/password", "/messages",
	} {
		if l.In(target) || l.In(escape(target)) {
			t.Errorf("%s is taken for an action", target)
		}
	}
}

// No encoding hides a word.
func TestHostileEncodings(t *testing.T) {
	l := standardList(t)
	for _, target := range []string{
		"/log%6Fut", "/%64elete", "/%64%65%6c%65%74%65", "/%2564elete", "/%252564elete", "/%25252564elete", "/%25%36%34elete", "/%2%35%364elete", "/dElEtE", "/%44eLeTe",
		"/x?u=%2Funsubscribe", "/x?u=%252Funsubscribe", "/delete%00", "/%C1%A4elete", "/%25C1%25A4elete", "/%E0%81%A4elete", "/%F0%80%81%A4elete", "/%C0%A564elete",
		"/l%F6schen", "/l%C3%B6schen", "/lo%CC%88schen", "/l%25C3%25B6schen", "/%EF%BD%84elete", "/d%C2%ADelete", "/d%E2%80%8Belete", "/d%C3%A9l%C3%A8te",
		"/delete%20all", "/delete+all", "/delete%0d%0a", "/%09delete", "/x?%74oken=5", "/x?token%3D5", "/wp%2Dadmin/", "/wp%252dadmin",
		"/" + strings.Repeat("a/", 3000) + "delete", "/%" + strings.Repeat("25", 2000) + "64elete", strings.Repeat("/%C0%AF", 1000) + "/delete",
		"/\xff\xfe/delete", "/%ff%fe%c3/delete", "/delete%", "/delete%2", "/%/delete",
	} {
		if !l.In(target) {
			t.Errorf("%.80q is taken for harmless", target)
		}
	}
}

// A hostile URL takes no longer than another URL of the same length.
func TestLongTargets(t *testing.T) {
	l := standardList(t)
	for _, piece := range []string{"%25", "%C0%A5", "%", "aB", "-a", "%e0", "log-", "削", "=", "%25C0%25A5"} {
		begin := time.Now()
		l.In("/" + strings.Repeat(piece, 8192/len(piece)))
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("%q repeated takes %v", piece, took)
		}
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"a%", "a%"}, {"a%4", "a%4"}, {"%41", "A"}, {"%4A%4a", "JJ"}, {"%%341", "A"}, {"%2541", "A"}, {"%252541", "A"}, {"%zz", "%zz"}, {"%2%35", "%"}, {"%25%", "%%"}, {"%c3%bc", "ü"},
	} {
		if got := Decode(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// Own words: added to the standard ones, in their place, and with some of them removed.
func TestOwnWords(t *testing.T) {
	for _, c := range []struct {
		entries          []string
		action, harmless string
	}{
		{nil, "", "/logout"},
		{[]string{"wp-login.php", "Réindex"}, "/x/wp-login.php?y /a/reindex /REINDEX", "/logout /wp/login /reindexing"},
		{[]string{Standard, "reindex"}, "/logout /reindex", ""},
		{[]string{Standard, "-place", "-del"}, "/logout /delete /place-order", "/place/berlin /placeuser /del /x?do=del /userdel"},
		{[]string{"-cron", Standard}, "/logout", "/cron/5"},
		{[]string{Standard, "-token"}, "/logout", "/x?token=5"},
		{[]string{"/own", "my="}, "/own/5 /x?my=5 /x?y=own", "/my /own-goal"},
	} {
		l, err := New(c.entries)
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range strings.Fields(c.action) {
			if !l.In(target) {
				t.Errorf("%q: %s is taken for harmless", c.entries, target)
			}
		}
		for _, target := range strings.Fields(c.harmless) {
			if l.In(target) {
				t.Errorf("%q: %s is taken for an action", c.entries, target)
			}
		}
	}
	for _, c := range []struct{ entry, want string }{
		{"-nothing", `-nothing leaves out no word of the list "standard"`}, {"!", `"!" has neither a letter nor a digit`}, {"", `"" has neither`}, {"/", `"/" has neither`}, {"=", `"=" has neither`},
	} {
		if _, err := New([]string{Standard, c.entry}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.entry, err)
		}
	}
	if _, err := New([]string{"-place"}); err == nil {
		t.Error("a word is left out of a list that is not there")
	}
}

// Each entry of words.txt matches at least its own spelling.
func TestData(t *testing.T) {
	l := standardList(t)
	entries := 0
	for line := range strings.Lines(standard) {
		name, list, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") || name == "Objects" || name == "Verbs" || name == "Beside" || name == "Below" {
			continue
		}
		for _, e := range strings.Fields(list) {
			entries++
			e = strings.TrimPrefix(e, "/")
			target := "/a/" + e
			if strings.HasSuffix(e, "=") {
				target = "/a?" + e + "1"
			}
			if name == "Grants" {
				target += "&state=7"
			}
			if !l.In(target) || !l.In(escape(target)) {
				t.Errorf("%s: %q does not match", name, e)
			}
		}
	}
	if entries < 300 {
		t.Errorf("%d entries", entries)
	}
}

func FuzzIn(f *testing.F) {
	l := standardList(f)
	for _, s := range []string{"/%2564elete", "/x?token=5", "/%C1%A4", "/l%F6schen", "/削除"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if l.In(path) && !l.In("/x/"+path+"/x") {
			t.Errorf("%q between others is harmless", path)
		}
		if !l.In(path + "/delete/") {
			t.Errorf("%q hides a word", path)
		}
	})
}
