#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a file includes, itself or through headers, what its part may not. The tables are the architecture."""
import re

from tree import CXX, files, includes_of, run

# part: the parts whose headers it may include, besides its own. "harness" is all of harness, "*" is everything.
MAY = {
    "harness/core": [],
    "harness/stats": [],
    "harness/device": ["harness/core"],
    "harness/dynlib": ["harness/core"],
    "harness/telemetry": ["harness/core", "harness/device", "harness/dynlib"],
    "harness/profile": ["harness/core", "harness/device", "harness/dynlib"],
    "harness/backends": ["harness/core", "harness/device", "harness/dynlib", "harness/telemetry",
                         "harness/backends/cpu", "harness/backends/cuda"],
    "harness/backends/cpu": ["harness/core", "harness/device", "harness/dynlib", "harness/stats", "harness/telemetry"],
    "harness/backends/cuda": ["harness/core", "harness/device", "harness/dynlib", "harness/telemetry"],
    "harness/measure": ["harness/core", "harness/device", "harness/stats", "harness/profile"],
    "harness/store": ["harness/core"],
    "harness/reference": ["harness/core"],
    "harness/summary": ["harness/core", "harness/stats", "harness/store", "harness/reference"],
    "harness/run": ["harness/core", "harness/device", "harness/dynlib", "harness/stats", "harness/telemetry",
                    "harness/profile", "harness/measure", "harness/store", "harness/backends"],
    "harness/cli": ["harness"],
    "kernel contract": [],
    "kernel on cpu": ["kernel contract", "harness/core", "harness/device", "harness/dynlib", "harness/backends/cpu"],
    "kernel on cuda": ["kernel contract", "harness/core", "harness/device", "harness/backends/cuda"],
    "bench": ["harness", "kernel contract"],
    "reports": ["harness/core", "harness/stats", "harness/store", "harness/reference", "harness/summary"],
    "tests": ["*"],
    "bench/main.cpp": ["*"],
}
# kernels/<family>/<op>_<cell>...: the part by the cell's name; without one it is the operation's contract.
CELL = {**dict.fromkeys(("cpu", "baseline", "avx2", "avx512", "onednn", "openblas"), "kernel on cpu"),
        **dict.fromkeys(("cuda", "cublaslt", "cudnn", "nccl"), "kernel on cuda")}
# What is not ours, by the beginning of the header's name: the only places that may include it, also through headers.
CUDA = ["harness/backends/cuda/", "harness/profile/", "kernels/"]
OWNER = {
    "nlohmann/": ["harness/", "bench/", "reports/", "kernel on "],
    "fmt/": ["harness/", "bench/", "reports/", "kernel on "],
    "benchmark/": ["harness/measure/google_benchmark.cpp"],
    "boost/math/": ["harness/stats/"], "boost/uuid/": ["harness/run/", "harness/telemetry/"],
    "kainjow/mustache": ["reports/render/"],
    "sqlite3.h": ["harness/store/"],
    "valijson/": ["harness/store/schema_check.cpp"],
    "CLI/": ["harness/cli/"], "toml++/": ["harness/core/toml_text.", "harness/cli/", "harness/reference/"],
    "nvtx3/": ["harness/profile/"],
    "hwloc": ["harness/telemetry/", "harness/backends/cpu/"],
    "dnnl": ["kernel on cpu"], "oneapi/dnnl": ["kernel on cpu"], "omp.h": ["kernel on cpu"], "cblas": ["kernel on cpu"],
    "cuda": CUDA, "cublas": CUDA, "cudnn": CUDA, "nccl": CUDA, "cupti": CUDA, "nvrtc": CUDA, "nvperf": CUDA,
    "nvml": ["harness/telemetry/"],
}
# Headers that the build writes.
GENERATED = ("embedded/", "build_info.h")
# The standard library (no dot in the name), the kernel's headers, POSIX and the compiler's own.
SYSTEM = re.compile(r"[a-z_]+$|(sys|linux|asm|arpa|netinet|sanitizer)/|(cpuid|cxxabi|dirent|dlfcn|elf|errno|execinfo|"
                    r"fcntl|fnmatch|ftw|getopt|glob|immintrin|langinfo|link|locale|malloc|poll|pthread|pwd|sched|"
                    r"signal|spawn|stddef|stdint|stdio|stdlib|string|termios|time|ucontext|unistd|x86intrin)\.h$")


def part_of(name):
    if name.startswith("kernels/"):
        words = name.rsplit("/", 1)[1].split(".")[0].split("_")
        return next((CELL[w] for w in words[1:] if w in CELL), "kernel contract")
    return max((p for p in MAY if name == p or name.startswith(p + "/")), key=len, default=None)


def allowed(name, target):
    may, part = MAY[part_of(name)], part_of(target)
    return part == part_of(name) or part in may or "*" in may or ("harness" in may and target.startswith("harness/"))


def owned(name, header):
    """None when the file may include the header that is not ours, else why not."""
    if "*" in MAY[part_of(name)] or SYSTEM.match(header):
        return None
    owner = max((o for o in OWNER if header.startswith(o)), key=len, default=None)
    if owner is None:
        return f"<{header}> has no owner in scripts/lint/layers.py"
    if any(name.startswith(place) or part_of(name).startswith(place) for place in OWNER[owner]):
        return None
    return f"only {', '.join(OWNER[owner])} may include <{header}>"


def lint(root):
    names = [n.as_posix() for n in files(root) if n.suffix in CXX and part_of(n.as_posix())]
    includes = {n: includes_of(root / n) for n in names}
    complaints = []

    def follow(name, at, line, through, seen):
        """Complains of what `name` gets by the includes of `at`; what `at` may not have is its own complaint."""
        for number, kind, what in includes[at]:
            where, by = line or number, f" (through {' > '.join(through)})" if through else ""
            if kind == "<":
                why = owned(name, what)
                if why and what not in seen and (not through or not owned(at, what)):
                    complaints.append(f"{name}:{where}: {why}{by}")
                seen.add(what)
            elif what in includes and what not in seen:
                seen.add(what)
                if not allowed(name, what) and (not through or allowed(at, what)):
                    complaints.append(f"{name}:{where}: {part_of(name)} may not include {what}{by}")
                elif allowed(at, what):
                    follow(name, what, where, [*through, what], seen)
            elif what not in includes and not what.startswith(GENERATED) and not through:
                complaints.append(f"{name}:{where}: there is no {what} (includes are written from the root)")

    for name in names:
        follow(name, name, 0, [], {name})
    return complaints


if __name__ == "__main__":
    run(lint, "layers")
