# Writes the number in VERSION where documents, manifests and the appliers' packages have it. In the
# root of a checkout:
#
#     sh release/version.sh
set -eu
number=$(cat VERSION)
old='[0-9]+\.[0-9]+\.[0-9]+'
sed -i -E "s/(dustbuster:|newTag: )$old/\1$number/" $(git ls-files 'deploy/kubernetes/*.yaml')
sed -i -E "s/^((appV|v)ersion: )$old/\1$number/" deploy/helm/dustbuster/Chart.yaml
sed -i -E "s/(dustbuster[_:-])$old/\1$number/g" docs/install.md
cd sinks/appliers
sed -i -E "s/^version = \".*/version = \"$number\"/" python/pyproject.toml
sed -i -E "s/^(  \"version\": \")[^\"]*/\1$number/" javascript/package.json
sed -i -E "/<artifactId>dustbuster-rules(-parent|-examples)?</{n;/project[.]version/!s/<version>.*</<version>$number</}" java/README.md java/pom.xml java/*/pom.xml ../../integration/examples/java/pom.xml ../../integration/examples/java/*/pom.xml
