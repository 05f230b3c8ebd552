# SPDX-License-Identifier: Apache-2.0
import unittest

from lint_case import LintCase

CLEAN = {
    "harness/core/work.h": "#include <string>\n",
    "harness/device/device.h": '#include <nlohmann/json.hpp>\n#include "harness/core/work.h"\n',
    "harness/measure/setup.h": '#include "harness/device/device.h"\n',
    "harness/measure/google_benchmark.cpp": "#include <benchmark/benchmark.h>\n",
    "kernels/memory/triad.h": "#include <cstddef>\n",
    "kernels/memory/triad_cpu.cpp": '#include "harness/core/work.h"\n#include "kernels/memory/triad.h"\n',
    "bench/memory/triad.cpp": '#include "harness/measure/setup.h"\n#include "kernels/memory/triad.h"\n',
}


class Layers(LintCase):
    lint = "layers.py"

    def test_accepts_what_the_table_allows(self):
        self.assert_clean(CLEAN)

    def test_an_include_upwards(self):
        self.assert_complains({**CLEAN, "harness/core/up.h": '#include "harness/measure/setup.h"\n'},
                              "harness/core/up.h:1: harness/core may not include harness/measure/setup.h")

    def test_an_include_through_an_allowed_header(self):
        tree = {"harness/core/a.h": "", "harness/dynlib/library.h": "",
                "harness/profile/ranges.h": '#include "harness/dynlib/library.h"\n',
                "harness/measure/protocol.cpp": '#include "harness/core/a.h"\n#include "harness/profile/ranges.h"\n'}
        self.assert_complains(tree, "harness/measure/protocol.cpp:2:", "may not include harness/dynlib/library.h",
                              "through harness/profile/ranges.h")

    def test_a_library_outside_its_only_place(self):
        self.assert_complains({"harness/measure/other.cpp": "\n#include <benchmark/benchmark.h>\n"},
                              "harness/measure/other.cpp:2: only harness/measure/google_benchmark.cpp")
        self.assert_complains({"harness/run/index.cpp": "#include <sqlite3.h>\n"}, "only harness/store/")
        self.assert_complains({"bench/memory/triad.cpp": "#include <cuda.h>\n"}, "may include <cuda.h>")

    def test_a_library_through_a_header_of_its_place(self):
        tree = {"harness/telemetry/topology.h": "#include <hwloc.h>\n",
                "harness/run/probe.cpp": '#include "harness/telemetry/topology.h"\n'}
        self.assert_complains(tree, "harness/run/probe.cpp:1", "<hwloc.h>", "through harness/telemetry/topology.h")

    def test_a_library_that_nobody_owns(self):
        self.assert_complains({"harness/store/read.cpp": "#include <rapidjson/document.h>\n"}, "has no owner")

    def test_a_benchmark_that_names_a_kernel_file(self):
        tree = {"kernels/memory/triad_cuda.h": "", "bench/memory/triad.cpp": '#include "kernels/memory/triad_cuda.h"\n'}
        self.assert_complains(tree, "bench may not include kernels/memory/triad_cuda.h")

    def test_a_kernel_of_another_backend(self):
        tree = {"harness/backends/cuda/stream.h": "",
                "kernels/gemm/gemm_cpu.cpp": '#include "harness/backends/cuda/stream.h"\n'}
        self.assert_complains(tree, "kernel on cpu may not include harness/backends/cuda/stream.h")

    def test_a_contract_is_standard_library_only(self):
        self.assert_complains({"kernels/gemm/gemm.h": "#include <fmt/format.h>\n"}, "kernels/gemm/gemm.h:1", "<fmt/")

    def test_a_header_that_is_not_there(self):
        self.assert_complains({"harness/core/a.cpp": '#include "a.h"\n'}, "there is no a.h")

    def test_the_main_program_and_the_tests_may_include_everything(self):
        everything = '#include "harness/measure/setup.h"\n#include <CLI/CLI.hpp>\n'
        self.assert_clean({**CLEAN, "bench/main.cpp": everything, "tests/all_test.cpp": everything})


if __name__ == "__main__":
    unittest.main()
