# The manual of Apache under two addresses, /manual/ and /doc/, as Debian serves it, with lists of folders that can be
# sorted. See common.sh.
. "$(dirname "$0")/common.sh"
packages apache2 apache2-doc
if [ ! -d "$D/www" ]; then
	mkdir -p "$D/www/doc/apache2-doc/manual"
	echo '<title>Documents</title><a href="/doc/">Documents</a> <a href="/manual/en/">Apache</a>' >"$D/www/index.html"
	for part in en de style images; do cp -rL "/usr/share/doc/apache2-doc/manual/$part" "$D/www/doc/apache2-doc/manual"; done
	find "$D/www" -exec touch -d 2026-01-01 {} + # the lists show it
fi
apache "DocumentRoot $D/www
Alias /manual $D/www/doc/apache2-doc/manual
Include /etc/apache2/mods-available/autoindex.conf
<Directory $D/www>
 Options Indexes
 Require all granted
</Directory>" /
