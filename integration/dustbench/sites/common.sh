# The scripts of this folder set up a site on loopback, as root: sh SITE.sh sets it up, and sh SITE.sh stop
# ends it. D is its folder, PORT its port, and DUSTBENCH the program that writes the content.
set -eu
D=${D:-${TMPDIR:-/tmp}/dustbench-$(basename "$0" .sh)}
PORT=${PORT:-8080}
mkdir -p "$D/run"
chmod 755 "$D"
if [ "${1:-}" = stop ]; then
	for file in "$D"/run/*.pid; do
		[ -f "$file" ] || continue
		pid=$(cat "$file")
		rm "$file" # before its server may do so
		kill "$pid" || continue
		while kill -0 "$pid" 2>/dev/null; do sleep .1; done
	done
	exit 0
fi
for file in "$D"/run/*.pid; do
	if [ -f "$file" ] && kill -0 "$(cat "$file")" 2>/dev/null; then
		echo "$D is in use: D=$D sh $0 stop ends its servers" >&2
		exit 1
	fi
done

# packages NAMES... installs packages of Debian. No service is started by them.
packages() {
	dpkg -s "$@" >/dev/null 2>&1 && return
	[ -x /usr/sbin/policy-rc.d ] || { printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d; }
	apt-get update -q
	DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@"
}

# content KIND ARTICLES [FOLDER] writes made-up articles.
content() { "$DUSTBENCH" content "$@"; }

# apache CONFIGURATION PATH starts Apache, and asks for a path until it is answered.
apache() {
	php=$(ls /usr/lib/apache2/modules/libphp*.so 2>/dev/null | head -1)
	cat >"$D/apache.conf" <<-C
		ServerRoot /etc/apache2
		ServerName 127.0.0.1
		Listen 127.0.0.1:$PORT
		PidFile $D/run/apache.pid
		User www-data
		Group www-data
		$(for m in mpm_prefork authz_core alias dir mime env setenvif rewrite autoindex cgi; do echo "LoadModule ${m}_module /usr/lib/apache2/modules/mod_$m.so"; done)
		${php:+LoadModule php_module $php}
		<FilesMatch "\.php$">
		 SetHandler application/x-httpd-php
		</FilesMatch>
		TypesConfig /etc/mime.types
		DirectoryIndex index.php index.html
		LogFormat "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\"" combined
		ErrorLog $D/run/error.log
		CustomLog $D/access.log combined
		<Directory />
		 Require all denied
		 AllowOverride None
		</Directory>
		$1
	C
	apache2 -f "$D/apache.conf" -k start
	for _ in $(seq 50); do
		curl -sf -o /dev/null "http://127.0.0.1:$PORT$2" && return
		sleep .2
	done
	echo "nothing answers at http://127.0.0.1:$PORT$2" >&2
	exit 1
}
