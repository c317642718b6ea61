#!/bin/sh
# Builds the kube-apiserver of Debian 12's source package `kubernetes`. Usage: kube-apiserver-1.20.sh PROGRAM WORK
#
# Needs apt, dpkg-source and xz; neither root nor a change to the machine: apt reads a copy of the machine's own
# sources, asked for source packages too, and its packages are unpacked below WORK, not installed.
set -eu
program=$1
work=$(cd "$2" && pwd)
version=1.20.2
exec </dev/null >&2

# Go 1.19 is the newest that builds this. reflect2 1.0.1, which is vendored, crashes with Go 1.18 and later.
fetch() {
  mkdir -p "$work/apt/sources" "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$work/packages"
  for file in /etc/apt/sources.list.d/*.sources; do
    if [ -e "$file" ]; then sed 's/^Types:.*/Types: deb deb-src/' "$file" >"$work/apt/sources/${file##*/}"; fi
  done
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    if [ -e "$file" ]; then
      sed -n 's/^deb[[:space:]].*/&/p; s/^deb\([[:space:]].*\)/deb-src\1/p' "$file" >"$work/apt/sources/${file##*/}"
    fi
  done
  cat >"$work/apt/apt.conf" <<-END
	Dir::Etc::SourceList "/dev/null";
	Dir::Etc::SourceParts "$work/apt/sources";
	Dir::State::Lists "$work/apt/lists";
	Dir::Cache "$work/apt/cache";
	APT::Sandbox::User "root";
	END
  export APT_CONFIG="$work/apt/apt.conf"
  cd "$work/packages"
  # Some other source may well have no source packages. What is missing here is missed below.
  apt-get update -q || echo 'not every source of packages could be read' >&2
  apt-get download -q golang-1.19-go golang-1.19-src golang-github-modern-go-reflect2-dev
  apt-get source -q --download-only kubernetes
}

unpack() {
  for package in "$work"/packages/*.deb; do dpkg-deb -x "$package" "$work/root"; done
  case $(echo "$work"/packages/kubernetes_*.dsc) in
    *really"$version"-*) ;;
    *) echo "the source package is no kubernetes $version: $(echo "$work"/packages/kubernetes_*)" >&2; exit 1 ;;
  esac
  mkdir -p "$GOPATH/src/k8s.io"
  # apt has checked the package against the signed lists; the maintainer's own key is on no machine.
  dpkg-source --no-check -x "$work"/packages/kubernetes_*.dsc "$kubernetes"
}

repair() {
  rm -r "$kubernetes/vendor/github.com/modern-go/reflect2"
  cp -R "$work/root/usr/share/gocode/src/github.com/modern-go/reflect2" "$kubernetes/vendor/github.com/modern-go/"
  # This compares pointers that newer Go shares among zero values, so that "", 0 and false would be refused as null.
  file=vendor/k8s.io/kube-openapi/pkg/validation/validate/type.go
  sed -i 's/data == nil || reflect\.DeepEqual(.*(data)) {/data == nil {/' "$kubernetes/$file"
  grep -q 'if data == nil {' "$kubernetes/$file" || { echo "$file is not what was to be repaired" >&2; exit 1; }
}

# The source package lacks it, and without it nothing can be applied: a server-side apply looks every type up here.
generate() {
  cd "$kubernetes"
  go build -o "$work/openapi-gen" ./vendor/k8s.io/kube-openapi/cmd/openapi-gen
  # The modules of vendor/k8s.io are links: the slash makes grep enter them.
  tagged=$(grep -lrE '^// \+k8s:openapi-gen=' --include='*.go' pkg vendor/k8s.io/*/ | xargs -n1 dirname |
    sed 's,//*,/,g' | sort -u | grep -vE '/(sample-apiserver|code-generator|kube-openapi|gengo)(/|$)')
  "$work/openapi-gen" --go-header-file hack/boilerplate/boilerplate.generatego.txt \
    --input-dirs "$(echo "$tagged" | sed 's,^,k8s.io/kubernetes/,' | paste -sd, -)" \
    --output-package k8s.io/kubernetes/pkg/generated/openapi --output-file-base zz_generated.openapi \
    --report-filename "$work/violations"
}

# Two packages know the version: `--version` asks one, `/version` the other.
build() {
  cd "$kubernetes"
  flags='-s -w'
  for package in component-base/version client-go/pkg/version; do
    variable=k8s.io/kubernetes/vendor/k8s.io/$package
    flags="$flags -X $variable.gitVersion=v$version -X $variable.gitMajor=1 -X $variable.gitMinor=20"
  done
  go build -trimpath -o "$program" -ldflags "$flags" ./cmd/kube-apiserver
}

export GOROOT="$work/root/usr/lib/go-1.19" GOPATH="$work/gopath" GO111MODULE=off CGO_ENABLED=0 GOFLAGS= GOTOOLCHAIN=
export PATH="$GOROOT/bin:$PATH"
kubernetes=$GOPATH/src/k8s.io/kubernetes
for step in fetch unpack repair generate build; do
  start=$(date +%s)
  $step
  echo "    $step: $(($(date +%s) - start)) s"
done
