# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Installs the Debian packages that scripts/packages.txt names and that are missing. Calls apt only when one is missing.

# package_choices FILE GROUP...: the lines of these groups, such as "npm|command:npm".
package_choices() {
  local file=$1
  shift
  awk -v groups=" $* " '
    { sub(/#.*/, ""); gsub(/[[:space:]]/, "") }
    /^\[.*\]$/ { wanted = index(groups, " " substr($0, 2, length($0) - 2) " "); next }
    wanted && $0 != "" { print }' "$file"
}

# missing_packages FILE GROUP...: the first choice of every line that nothing installed satisfies, one a line.
missing_packages() {
  local choices names choice one found installed
  mapfile -t choices < <(package_choices "$@")
  mapfile -t names < <(printf '%s\n' "${choices[@]}" | tr '|' '\n' | grep -v '^command:')
  # dpkg-query fails when it does not know one of the names, which is then missing; what it knows is printed all the same.
  installed=" $(dpkg-query -W -f='${Package}:${db:Status-Status} ' "${names[@]}" 2>/dev/null || true) "
  for choice in "${choices[@]}"; do
    found=
    for one in ${choice//|/ }; do
      case $one in
        command:*) command -v "${one#command:}" >/dev/null && found=yes ;;
        *) [[ $installed == *" $one:installed "* ]] && found=yes ;;
      esac
    done
    [[ $found ]] || printf '%s\n' "${choice%%|*}"
  done
}

# as_root COMMAND...: runs it as root, through sudo where we are not.
as_root() {
  if [[ $(id -u) == 0 ]]; then "$@"; else sudo "$@"; fi
}

# install_packages FILE GROUP...: makes every line of the groups satisfied, or ends with 2 and the names that are not.
install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  command -v apt-get >/dev/null ||
    die 2 "no apt-get: this is no Debian or Ubuntu. Install what these Debian packages hold, then run it again:
  ${missing[*]}"
  [[ $(id -u) == 0 ]] || command -v sudo >/dev/null ||
    die 2 "packages are missing and you are not root (and there is no sudo). As root:
  apt-get install ${missing[*]}"
  say "installing ${#missing[@]} missing packages: ${missing[*]}"
  as_root apt-get update -qq >&2 || say "apt-get update failed (see above); trying with the lists that are there"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 ||
    die 2 "apt-get could not install what is missing (see above; is there a network?). By hand:
  apt-get install ${missing[*]}"
}
