# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Finds an NVIDIA device without a driver, and the CUDA toolkit. ROOT is where the file system begins ("": this one).

# dxg_may_be_nvidia ROOT: WSL2 has /dev/dxg for the GPU of any maker. Where Windows' driver packages are visible and none is
# NVIDIA's, the GPU is another's.
dxg_may_be_nvidia() {
  local package packages=("$1"/usr/lib/wsl/drivers/*)
  [[ -e $1/dev/dxg ]] || return 1
  [[ -e ${packages[0]} ]] || return 0
  for package in "${packages[@]##*/}"; do
    case $package in
      nvdimm.* | nvraid.* | nvstor.*) ;; # Windows' own
      nv*.inf_*) return 0 ;;
    esac
  done
  return 1
}

# nvidia_device ROOT: prints where a device shows; fails where none does. The program asks the same in
# harness/telemetry/nvidia_presence.cpp.
nvidia_device() {
  local root=$1 folder node
  for folder in "$root"/sys/bus/pci/devices/*; do
    [[ -r $folder/vendor && -r $folder/class ]] || continue
    if [[ $(<"$folder/vendor") == 0x10de && $(<"$folder/class") == 0x030[02]* ]]; then
      printf '%s\n' "${folder#"$root"}"
      return 0
    fi
  done
  for node in "$root"/dev/nvidia[0-9]*; do # a folder is what a container leaves where the device was
    [[ -e $node && ! -d $node ]] && printf '%s\n' "${node#"$root"}" && return 0
  done
  dxg_may_be_nvidia "$root" && printf '/dev/dxg\n'
}

# cuda_toolkit ROOT: prints the path of nvcc; fails where there is none.
cuda_toolkit() {
  local nvcc
  for nvcc in "$(command -v nvcc)" "${CUDA_HOME:-}/bin/nvcc" "${CUDA_PATH:-}/bin/nvcc" "$1/usr/local/cuda/bin/nvcc"; do
    [[ -x $nvcc ]] && printf '%s\n' "$nvcc" && return 0
  done
  return 1
}

# cuda_toolkit_advice ROOT: what to install for this system and driver, as commands where we know them.
cuda_toolkit_advice() {
  local root=$1 package=cuda-toolkit-13-0 folder='' driver=''
  # Libraries of CUDA 13 ask for driver 580 or later; those of 12.9 work from 525 on and know every GPU that 13.0 knows.
  [[ -r $root/sys/module/nvidia/version ]] && driver=$(<"$root/sys/module/nvidia/version")
  [[ $driver ]] && ((${driver%%.*} < 580)) && package=cuda-toolkit-12-9
  # shellcheck source=/dev/null
  case $(. "$root/etc/os-release" 2>/dev/null && printf '%s' "${ID:-}:${VERSION_ID:-}") in
    debian:12) folder=debian12 ;;
    ubuntu:22.04) folder=ubuntu2204 ;;
    ubuntu:24.04) folder=ubuntu2404 ;;
  esac
  if [[ $folder && $(uname -m) == x86_64 ]]; then
    folder=https://developer.download.nvidia.com/compute/cuda/repos/$folder/x86_64
    printf '  %s\n' "wget $folder/cuda-keyring_1.1-1_all.deb" "dpkg -i cuda-keyring_1.1-1_all.deb" \
      "apt-get update" "apt-get install $package"
  else
    printf '  %s\n' "$package, from https://developer.nvidia.com/cuda-downloads"
  fi
}

# require_cuda_toolkit ROOT: ends with 3 where a device is present and nothing can build for it.
require_cuda_toolkit() {
  local device
  if ! device=$(nvidia_device "$1") || cuda_toolkit "$1" >/dev/null; then return 0; fi
  die 3 "an NVIDIA device is present ($device) but no CUDA toolkit (no nvcc on PATH, in CUDA_HOME or /usr/local/cuda).
Install it, as root:
$(cuda_toolkit_advice "$1")
then run this again. To measure the CPU alone: ./scripts/quickstart --cpu"
}
