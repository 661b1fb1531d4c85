#!/bin/sh
# Ends the services before the program is removed. An upgrade restarts it (postinstall.sh). The
# argument is upgrade of dpkg, and 1 of rpm, if another version follows.
set -e
case ${1:-} in upgrade | 1) exit 0 ;; esac
if [ -d /run/systemd/system ]; then
	systemctl stop dustbuster.service 'dustbuster-*.service'
fi
if command -v systemctl >/dev/null; then
	systemctl --no-reload --quiet disable dustbuster.service dustbuster-agent.service dustbuster-miner.service dustbuster-subscriber.service
fi
