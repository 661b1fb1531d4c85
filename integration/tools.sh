# Installs the Debian packages of the programs that tests start or compare with. Run as root.
set -eu
missing=
need() { missing="$missing $*"; }
has() { command -v "$1" >/dev/null; }

has gcc || need gcc libc6-dev               # links go test -race
has goaccess || need goaccess               # is measured against mine
has logrotate || need logrotate             # rotates what run follows
has nginx || need nginx-light               # writes what run follows, and tries an export
has docker-compose || need docker-compose   # reads docker-compose.yml
has apache2 || need apache2                 # tries an export
has java || need default-jdk-headless       # tries exports, and runs Kafka
has mvn || need maven                       # brings Kafka's jars, tests the applier in Java
has node || need nodejs                      # tests the applier in JavaScript
has chromium || need chromium fonts-liberation # opens reports and pages
has zip || need zip                         # packs the release for Windows
has ruby || need ruby                       # reads the formula of Homebrew
has apt-ftparchive || need apt-utils        # makes a repository of packages
has gpg || need gnupg                       # signs it
has npm || need npm                         # brings axe-core, which checks their accessibility
has prometheus || need prometheus            # checks deploy/prometheus and deploy/grafana
has systemd-analyze || need systemd           # checks deploy/systemd
has kcat || need kcat                       # writes to Kafka as another client
for package in python3-venv lighttpd haproxy varnish caddy squid; do # a crawler's library; servers whose logs are read
	dpkg -s "$package" >/dev/null 2>&1 || need "$package"
done

[ -n "$missing" ] || exit 0
export DEBIAN_FRONTEND=noninteractive
apt-get update
# shellcheck disable=SC2086 # a list
apt-get install -y --no-install-recommends $missing
