# Copies the project to the folder TO, under another module path: the path in imports, and the address of
# the project in documents and packages, which is https://PATH. The appliers' documents get whole
# addresses for links, since registries show the documents alone.
#
#     sh integration/module.sh PATH TO      # in the root of a checkout
set -eu
path=$1 to=$2

case $path in
*[!A-Za-z0-9._/~-]* | /* | */ | *//*) echo "module.sh: $path is no module path" >&2 && exit 2 ;;
*.*/*) ;;
*) echo "module.sh: $path has no host, such as example.org" >&2 && exit 2 ;;
esac

# group is the path as a group of Maven Central: github.com/you/dustbuster becomes io.github.you.
host=${path%%/*} owner=$(dirname "${path#*/}")
case $host in github.com | gitlab.com) host=${host%.com}.io ;; esac
group=$(echo "$host" | awk -F. '{ for (i = NF; i > 0; i--) printf "%s%s", $i, (i > 1 ? "." : "") }')
[ "$owner" = . ] || group=$group.$(echo "$owner" | tr / .)

rm -rf "$to"
mkdir -p "$to"
git ls-files -z --cached --others --exclude-standard | xargs -0 sh -c 'for f; do [ ! -e "$f" ] || printf "%s\0" "$f"; done' sh |
	tar --null -T - -cf - | tar -xf - -C "$to"
cd "$to"

rooms='(cmd|config|integration|internal|operators|sinks|stream)'
grep -rIlE "(^|[^[:alnum:]_./-])dustbuster/$rooms" . | xargs sed -i -E \
	"s#(^|[^[:alnum:]_./-])dustbuster/$rooms#\1$path/\2#g"
find . -name go.mod -exec sed -i -E "s#^module dustbuster(/|\$)#module $path\1#; s#(^|[[:space:]])dustbuster (v[0-9]|=>)#\1$path \2#" {} +
grep -rIlF '<groupId>org.example.you<' . | xargs sed -i "s#<groupId>org\.example\.you<#<groupId>$group<#"
grep -rIlF example.org/you/dustbuster . | xargs sed -i "s#example\.org/you/dustbuster#$path#g"
for folder in python java javascript; do
	sed -i -E "s#\]\((\.\./){3}#](https://$path/blob/HEAD/#g; s#\]\(\.\./#](https://$path/blob/HEAD/sinks/appliers/#g" "sinks/appliers/$folder/README.md"
done
gofmt -w . # sorts imports
