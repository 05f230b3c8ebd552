# SPDX-License-Identifier: Apache-2.0
"""File systems for this process and its children alone; they go when it ends."""
import ctypes
import os
import pathlib

CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_RDONLY, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 32, 4096, 16384, 1 << 18
libc = ctypes.CDLL(None, use_errno=True)


def _check(result):
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _mount(source, target, kind=None, flags=0, options=None):
    texts = (None if t is None else str(t).encode() for t in (source, target, kind))
    _check(libc.mount(*texts, ctypes.c_ulong(flags), None if options is None else options.encode()))


def why_none():
    """Why nothing can be mounted here, None where it can. From then on this process has mounts of its own."""
    user, group = os.geteuid(), os.getegid()
    try:
        _check(libc.unshare(CLONE_NEWNS | (CLONE_NEWUSER if user != 0 else 0)))
        if user != 0:
            pathlib.Path("/proc/self/setgroups").write_text("deny")
            pathlib.Path("/proc/self/uid_map").write_text(f"0 {user} 1")
            pathlib.Path("/proc/self/gid_map").write_text(f"0 {group} 1")
        _mount("none", "/", flags=MS_REC | MS_PRIVATE)
        return None
    except OSError as error:
        return f"no file system may be mounted here: {error}"


def mount_small(folder, kib):
    folder.mkdir(exist_ok=True)
    _mount("tmpfs", folder, "tmpfs", options=f"size={kib}k")


def resize(folder, kib):
    _mount("tmpfs", folder, "tmpfs", MS_REMOUNT, f"size={kib}k")


def make_read_only(folder):
    _mount("none", folder, flags=MS_REMOUNT | MS_BIND | MS_RDONLY)


def bind(source, target):
    _mount(source, target, flags=MS_BIND)


def unmount(folder):
    _check(libc.umount2(str(folder).encode(), 2))  # also when it is busy


def fill(folder):
    """Takes all the space there is; returns the file that holds it."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 512):
                pass
        except OSError:
            pass
    return ballast
