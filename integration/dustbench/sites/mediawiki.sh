# MediaWiki of Debian on SQLite, with 120 made-up articles of two revisions. See common.sh.
. "$(dirname "$0")/common.sh"
packages apache2 libapache2-mod-php php-xml php-mbstring php-intl php-sqlite3 mediawiki
if [ ! -d "$D/www" ]; then
	cp -rL /usr/share/mediawiki "$D/www" 2>/dev/null || true # links to files that only a configured wiki has
	rm -f "$D/www/LocalSettings.php"
	mkdir -p "$D/data" "$D/cache"
	php "$D/www/maintenance/install.php" --dbtype sqlite --dbpath "$D/data" --dbname wiki --server "http://127.0.0.1:$PORT" --scriptpath "" \
		--pass "$(head -c 12 /dev/urandom | od -An -tx1 | tr -d ' \n')" Handbook admin >"$D/run/install.log"
	cat >>"$D/www/LocalSettings.php" <<-C
		\$wgCacheDirectory = '$D/cache'; \$wgMainCacheType = CACHE_ACCEL; \$wgJobRunRate = 0; \$wgEnableUploads = false;
		\$wgGroupPermissions['*']['edit'] = true; \$wgArticlePath = '/index.php/\$1';
	C
	content mediawiki 120 >"$D/articles.xml"
	php "$D/www/maintenance/importDump.php" --quiet "$D/articles.xml" >>"$D/run/install.log" 2>&1
	php "$D/www/maintenance/rebuildrecentchanges.php" --quiet >>"$D/run/install.log" 2>&1
	php "$D/www/maintenance/runJobs.php" --quiet >>"$D/run/install.log" 2>&1
	chown -R www-data "$D/data" "$D/cache" "$D/www/images"
fi
apache "DocumentRoot $D/www
<Directory $D/www>
 Require all granted
</Directory>" /index.php
