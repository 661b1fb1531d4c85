# WordPress of Debian on MariaDB, with 120 made-up posts that readers have commented on. See common.sh.
. "$(dirname "$0")/common.sh"
packages apache2 libapache2-mod-php php-mysql wordpress wordpress-theme-twentytwentyone mariadb-server
mkdir -p "$D/db"
chown mysql "$D/db"
[ -d "$D/db/mysql" ] || mariadb-install-db --no-defaults --user=mysql --datadir="$D/db" --skip-test-db >/dev/null
mariadbd --no-defaults --user=mysql --datadir="$D/db" --socket="$D/db/socket" --pid-file="$D/db/pid" --skip-networking >"$D/run/db.log" 2>&1 &
for _ in $(seq 100); do
	mariadb-admin --no-defaults --socket="$D/db/socket" ping >/dev/null 2>&1 && break
	sleep .2
done
cp "$D/db/pid" "$D/run/db.pid"
if [ ! -d "$D/www" ]; then
	key=$(head -c 12 /dev/urandom | od -An -tx1 | tr -d ' \n')
	mariadb --no-defaults --socket="$D/db/socket" -e "DROP DATABASE IF EXISTS wordpress; DROP USER IF EXISTS wordpress@localhost; CREATE DATABASE wordpress; CREATE USER wordpress@localhost IDENTIFIED BY '$key'; GRANT ALL ON wordpress.* TO wordpress@localhost"
	rm -rf "$D/new"
	cp -rL /usr/share/wordpress "$D/new"
	cat >"$D/new/wp-config.php" <<-C
		<?php
		define('DB_NAME', 'wordpress'); define('DB_USER', 'wordpress'); define('DB_PASSWORD', '$key');
		define('DB_HOST', 'localhost:$D/db/socket'); define('DB_CHARSET', 'utf8mb4');
		define('DISABLE_WP_CRON', true); define('WP_HTTP_BLOCK_EXTERNAL', true); define('AUTOMATIC_UPDATER_DISABLED', true);
		\$table_prefix = 'wp_';
		if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
		require_once ABSPATH . 'wp-settings.php';
	C
	content wordpress 120 >"$D/articles.json"
	PORT="$PORT" php "$(dirname "$0")/wordpress.php" "$D/new" "$D/articles.json"
	mv "$D/new" "$D/www"
fi
chmod 711 "$D/db"
apache "DocumentRoot $D/www
<Directory $D/www>
 Require all granted
 FallbackResource /index.php
</Directory>" /
