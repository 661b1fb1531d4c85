#!/bin/sh
# Makes the user, and the folders that belong to it. A service that runs is restarted; a new one
# is started by the administrator.
set -e
if ! getent passwd dustbuster >/dev/null; then
	if command -v systemd-sysusers >/dev/null; then
		systemd-sysusers dustbuster.conf
	elif command -v useradd >/dev/null; then
		useradd --system --user-group --no-create-home --home-dir /var/lib/dustbuster --shell /usr/sbin/nologin dustbuster
	else
		addgroup -S dustbuster && adduser -S -D -H -h /var/lib/dustbuster -s /sbin/nologin -G dustbuster dustbuster
	fi
fi
install -d -m 0750 -o dustbuster -g dustbuster /var/lib/dustbuster /var/log/dustbuster
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart dustbuster.service 'dustbuster-*.service'
fi
cat <<'END'
dustbuster is installed. To see at once which of your URLs show the same page:
  dustbuster mine /var/log/nginx/access.log
To keep rules up to date:
  1. name your log and your web server:  /etc/dustbuster/dustbuster.yml
  2. start the service:                  systemctl enable --now dustbuster
  3. open the dashboard:                 http://127.0.0.1:9464/
END
