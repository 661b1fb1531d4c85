# Makes a repository for APT of the Debian packages in the folder DIST: the folder TO, to be served as it is.
# Earlier packages in TO/pool stay. KEY is a key of gpg; without one, the repository is not signed, and APT
# takes it only as trusted. Needs apt-ftparchive (apt-utils).
#
#     sh release/apt.sh DIST TO [KEY]
set -eu
from=$1 to=$2 key=${3:-}
mkdir -p "$to/pool" "$to/dists/stable"
cp "$from"/dustbuster_*.deb "$to/pool"
cd "$to"
for arch in amd64 arm64; do
	packages=dists/stable/main/binary-$arch
	mkdir -p "$packages"
	apt-ftparchive --arch "$arch" packages pool >"$packages/Packages"
	gzip -n9kf "$packages/Packages"
done
rm -f dists/stable/Release dists/stable/InRelease
apt-ftparchive -o APT::FTPArchive::Release::Origin=dustbuster -o APT::FTPArchive::Release::Suite=stable \
	-o APT::FTPArchive::Release::Codename=stable -o APT::FTPArchive::Release::Components=main \
	-o APT::FTPArchive::Release::Architectures="amd64 arm64" release dists/stable >Release
mv Release dists/stable
[ -n "$key" ] || exit 0
gpg --batch --yes --local-user "$key" --clearsign --output dists/stable/InRelease dists/stable/Release
gpg --batch --yes --export "$key" >dustbuster.gpg # for signed-by
