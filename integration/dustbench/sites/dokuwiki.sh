# DokuWiki of Debian, with 160 made-up pages. See common.sh.
. "$(dirname "$0")/common.sh"
packages apache2 libapache2-mod-php php-xml php-mbstring dokuwiki
if [ ! -d "$D/www" ]; then
	cp -rL /usr/share/dokuwiki "$D/www"
	cp -r /etc/dokuwiki "$D/conf"
	for dir in attic cache index locks media media_attic media_meta meta pages tmp log; do mkdir -p "$D/data/$dir"; done
	content pages 160 "$D/data/pages"
	printf '<?php define("DOKU_MAIN_CONF", "%s/conf/"); define("DOKU_CONF", "%s/conf/"); define("DOKU_FARM", false);\n' "$D" "$D" >"$D/www/inc/preload.php"
	sed -n '/^\$config_cascade/,$p' /usr/share/dokuwiki/inc/preload.php >>"$D/www/inc/preload.php"
	cat >"$D/conf/local.php" <<-C
		<?php
		\$conf['title'] = 'Handbook'; \$conf['savedir'] = '$D/data'; \$conf['useacl'] = 0; \$conf['updatecheck'] = 0;
		\$conf['userewrite'] = 0; \$conf['breadcrumbs'] = 0; \$conf['sitemap'] = 0;
	C
	rm -f "$D/conf/local.protected.php"
	chown -R www-data "$D/data" "$D/conf"
fi
apache "DocumentRoot $D/www
<Directory $D/www>
 Require all granted
</Directory>" /doku.php
