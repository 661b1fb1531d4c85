# gitweb of Debian, with three made-up repositories of 25 commits. See common.sh.
. "$(dirname "$0")/common.sh"
packages apache2 git gitweb
if [ ! -d "$D/git" ]; then
	content pages 75 "$D/pages"
	mkdir -p "$D/work" "$D/git"
	n=0
	export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=n@example.org GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=n@example.org
	for name in music rivers trades; do
		git init -q "$D/work/$name"
		for file in $(find "$D/pages" -name '*-*.txt' | sort | tail -n +$((n % 7 + 1)) | head -25); do
			mkdir -p "$D/work/$name/$((n % 3))"
			cp "$file" "$D/work/$name/$((n % 3))"
			date="2020-01-01T00:00:00Z" # so old that its age stays the same
			git -C "$D/work/$name" add -A
			GIT_AUTHOR_DATE=$date GIT_COMMITTER_DATE=$date git -C "$D/work/$name" commit -qm "add $(basename "$file")"
			n=$((n + 1))
		done
		git -C "$D/work/$name" tag v1 HEAD~9
		git clone -q --bare "$D/work/$name" "$D/git/$name.git"
	done
	printf '$projectroot = "%s/git"; @stylesheets = (); $logo = ""; $favicon = ""; $javascript = "";\n' "$D" >"$D/gitweb.conf"
	chown -R www-data "$D/git"
fi
apache "ScriptAlias /gitweb /usr/share/gitweb/gitweb.cgi
SetEnv GITWEB_CONFIG $D/gitweb.conf
DocumentRoot $D/run
<Directory /usr/share/gitweb>
 Require all granted
 Options ExecCGI FollowSymLinks
</Directory>" /gitweb
