#!/bin/sh
# The state, the rules and the user stay until dpkg purges the package.
set -e
if [ "${1:-}" = purge ]; then
	rm -rf /var/lib/dustbuster /var/log/dustbuster /etc/dustbuster
	if getent passwd dustbuster >/dev/null; then userdel dustbuster; fi
	if getent group dustbuster >/dev/null; then groupdel dustbuster; fi
fi
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
