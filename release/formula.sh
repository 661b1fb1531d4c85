# Prints the formula of Homebrew for the archives in the folder DIST. RELEASE_URL is where they are attached.
#
#     sh release/formula.sh DIST    # in the root of a checkout
set -eu
number=$(cat VERSION)
from=${RELEASE_URL:-https://example.org/you/dustbuster/releases/download/v$number}

# archive BLOCK NAME prints the archive of a kind of processor, if there is one.
archive() {
	file=$1/dustbuster_${number}_$3.tar.gz
	[ -f "$file" ] || return 0
	printf '    on_%s do\n      url "%s/%s"\n      sha256 "%s"\n    end\n' "$2" "$from" "${file##*/}" "$(sha256sum "$file" | cut -d' ' -f1)"
}

# system BLOCK GOOS prints the archives of a system, if there are any.
system() {
	both=$(archive "$1" arm "$3_arm64"; archive "$1" intel "$3_amd64")
	[ -z "$both" ] || printf '  on_%s do\n%s\n  end\n' "$2" "$both"
}

cat <<EOF
class Dustbuster < Formula
  desc "Finds out which URLs of your web site show the same page"
  homepage "https://example.org/you/dustbuster"
  version "$number"
  license "Apache-2.0"

$(system "$1" macos darwin)
$(system "$1" linux linux)

  def install
    bin.install "dustbuster"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/dustbuster.bash" => "dustbuster"
    zsh_completion.install "completions/dustbuster.zsh" => "_dustbuster"
    fish_completion.install "completions/dustbuster.fish"
  end

  test do
    assert_equal "dustbuster #{version}", shell_output("#{bin}/dustbuster version").strip
  end
end
EOF
