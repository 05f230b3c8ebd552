# SPDX-License-Identifier: Apache-2.0
"""The fault matrix: what may go wrong, and what becomes of the case that it hits, of the others, and of the run. A family of
benchmarks that comes adds its case to suites/matrix.json and its rows here."""
import collections
import os
import pathlib
import subprocess
import unittest

from simulated_case import HERE, LIBRARIES, SimulatedCase, scenario_of
import valid

READ, COPY, TRIAD, TILED, LIBRARY, DECODE, LOAD, FMA, MATRIX, LAUNCH, PINNED, LAYER = (
    "read", "copy", "triad", "tiled", "cublaslt", "decode", "load", "fma", "matrix", "back_to_back", "pinned", "resnet50")
HAS_LAYER = (pathlib.Path(LIBRARIES) / "libcudnn.so.9").exists()  # only where the real one is installed
CASES = {READ, COPY, TRIAD, TILED, LIBRARY, DECODE, LOAD, FMA, MATRIX, LAUNCH, PINNED} | ({LAYER} if HAS_LAYER else set())
KERNELS = {READ: "memory_read_f32_plain", COPY: "memory_copy_f32_plain", TRIAD: "memory_triad_f32_plain",
           TILED: "gemm_tiled_f32", LIBRARY: "cublasLtMatmul", DECODE: "gemv_w4_f16", LOAD: "latency_chase",
           FMA: "compute_fma_f32", MATRIX: "compute_matrix_bf16", LAUNCH: "launch_empty_64", LAYER: "cudnnConvolution"}

# A fault, what `run` ends with, the status of each case that is not ok, and what the reason of each of those says.
Row = collections.namedtuple("Row", "name faults code statuses why")


def one_of_each_worker(status):
    """Faults are counted in each process: there is a worker for each family, and each has a case that pays."""
    families = ["memory", "gemm", "gemv", "latency", "compute", "launch", "transfer"] + ["convolution"] * HAS_LAYER
    return {f"one of {family}": status for family in families}


def of_call(call, nth=None, **way):
    return [{"call": call, **({"nth": nth} if nth else {}), **way}]


def of_kernel(case, nth=4, **way):
    return [{"kernel": KERNELS[case], **({"nth": nth} if nth else {}), **way}]


def small_machine(**changes):
    """On few SMs a grid is small."""
    return scenario_of("h200", device={"sms": 2}, **changes)


def everything(status):
    return {case: status for case in CASES}


LASTING = {700: "ILLEGAL_ADDRESS", 702: "LAUNCH_TIMEOUT", 710: "ASSERT", 714: "HARDWARE_STACK_ERROR", 715: "ILLEGAL_INSTRUCTION",
           716: "MISALIGNED_ADDRESS", 717: "INVALID_ADDRESS_SPACE", 718: "INVALID_PC", 719: "LAUNCH_FAILED",
           214: "ECC_UNCORRECTABLE", 220: "NVLINK_UNCORRECTABLE", 999: "UNKNOWN"}
NEXT_STEP = "(dmesg|watchdog|nvidia-smi)"

LASTING_ROWS = [Row(f"a kernel ends with {code}", of_kernel(COPY, code=code), 4, {COPY: "failed"},
                    rf"CUDA_ERROR_{name} {code}\); .*{NEXT_STEP}") for code, name in LASTING.items()]

WRONG_ROWS = [Row(f"one bit of {case}", of_kernel(case, None, spoil=True), 4, {case: "failed"}, r"^wrong result .* is allowed$")
              for case in sorted(CASES & set(KERNELS))]

ONCE_ROWS = [Row(f"{call} fails once", of_call(call, nth, code=304), 4, one_of_each_worker("failed"),
                 rf"^{call}.*\(CUDA_ERROR_OPERATING_SYSTEM 304\); the system refused .*dmesg")
             for call, nth in {"cuMemAlloc": 2, "cuMemcpyDtoHAsync": 2, "cuStreamSynchronize": 6, "cuEventRecord": 4,
                               "cuEventElapsedTime": 2, "cuLaunchKernel": 9, "cuMemsetD8Async": 1, "cuEventCreate": 1,
                               "cuMemHostAlloc": 1, "cuMemGetInfo": 3}.items()]

NO_MEMORY = r"^needs .* more memory on cuda:0; cuMemAlloc has none \(2\), although .* is free$"
MEMORY_ROWS = [
    Row("memory runs out once", of_call("cuMemAlloc", 2, code=2), 0, one_of_each_worker("skipped"), NO_MEMORY),
    Row("there is no memory", of_call("cuMemAlloc", code=2), 0, everything("skipped"), NO_MEMORY),
    Row("memory of the host runs out", of_call("cuMemHostAlloc", 1, code=2), 0, one_of_each_worker("skipped"), r"^cuMemHostAlloc .*CUDA_ERROR_OUT_OF_MEMORY 2"),
]

LIBRARY_ROWS = [
    Row("the library does not start", of_call("cublasLtCreate", code=1), 4, {LIBRARY: "failed"},
        r"^cublasLtCreate.*CUBLAS_STATUS_NOT_INITIALIZED 1\); CUBLASLT_LOG_LEVEL"),
    Row("the library has no algorithm", of_call("cublasLtMatmulAlgoGetHeuristic", code=15), 0, {LIBRARY: "unsupported"},
        r"^cublasLt 13\.1\.2 names no algorithm for this f16 product$"),
    Row("the library has no memory", of_call("cublasLtMatmulDescCreate", code=3), 0, {LIBRARY: "skipped"}, r"CUBLAS_STATUS_ALLOC_FAILED 3"),
    Row("every product of the library fails", of_call("cublasLtMatmul", code=13), 4, {LIBRARY: "failed"}, r"CUBLAS_STATUS_EXECUTION_FAILED 13"),
    Row("a layout is refused", of_call("cublasLtMatrixLayoutCreate", 2, code=7), 4, {LIBRARY: "failed"}, r"CUBLAS_STATUS_INVALID_VALUE 7"),
]

LAYER_ROWS = [] if not HAS_LAYER else [
    Row("cuDNN does not start", of_call("cudnnCreate", code=1001), 4, {LAYER: "failed"},
        r"^cudnnCreate for cuda:0: CUDNN_STATUS_NOT_INITIALIZED 1001.*; CUDNN_LOGLEVEL_DBG"),
    Row("cuDNN refuses the layout", of_call("cudnnBackendFinalize", 5, code=3004), 0, {LAYER: "unsupported"},
        r"^cudnnBackendFinalize: CUDNN_STATUS_NOT_SUPPORTED_LAYOUT 3004"),
    Row("cuDNN has no engine that runs", of_call("cudnnBackendExecute", code=3007), 0, {LAYER: "unsupported"},
        r"^none of the algorithms that the library named runs; the last one said CUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH 3007"),
    Row("cuDNN has no memory", of_call("cudnnBackendCreateDescriptor", 3, code=4003), 0, {LAYER: "skipped"}, r"HOST_ALLOCATION_FAILED 4003"),
    Row("every layer fails", of_call("cudnnBackendExecute", code=5000), 4, {LAYER: "failed"}, r"^cudnnBackendExecute: CUDNN_STATUS_EXECUTION_FAILED 5000"),
    Row("a later layer fails", of_call("cudnnBackendExecute", 4, code=5001), 4, {LAYER: "failed"}, r"CUDNN_STATUS_EXECUTION_FAILED_CUDA_DRIVER 5001"),
    Row("an attribute is refused", of_call("cudnnBackendSetAttribute", 7, code=2000), 4, {LAYER: "failed"},
        r"^cudnnBackendSetAttribute for attribute \d+: CUDNN_STATUS_BAD_PARAM 2000"),
    Row("cuDNN crashes", of_call("cudnnBackendExecute", 1, crash=True), 4, {LAYER: "crashed"}, r"^its worker died: killed by SIGSEGV"),
    Row("a layer never ends", of_kernel(LAYER, 2, hang=True), 4, {LAYER: "timeout"}, r"^its worker said nothing for "),
]

DEATH_ROWS = [
    Row("the driver crashes at a launch", of_call("cuLaunchKernel", 9, crash=True), 4, everything("crashed"),
        r"^its worker died: killed by SIGSEGV"),
    Row("the library crashes", of_call("cublasLtMatmul", 1, crash=True), 4, {LIBRARY: "crashed"}, r"^its worker died: killed by SIGSEGV"),
    Row("a kernel never ends", of_kernel(TRIAD, hang=True), 4, {TRIAD: "timeout"}, r"^its worker said nothing for .* and was killed$"),
    Row("the library's kernel never ends", of_kernel(LIBRARY, hang=True), 4, {LIBRARY: "timeout"}, r"^its worker said nothing for "),
    Row("a call does not return", of_call("cuEventElapsedTime", 2, hang=True), 4, everything("timeout"), r"^its worker said nothing for "),
]

# Of a device that is found and cannot be opened: the first case pays, and nothing more is tried.
UNUSABLE_ROWS = [Row(f"{call} fails with {code}", of_call(call, code=code), 4, {"the first": "failed", "the others": "skipped"}, why) for call, code, why in (
    ("cuStreamCreate", 304, r"cuStreamCreate.*CUDA_ERROR_OPERATING_SYSTEM 304"),
    ("cuStreamCreate", 999, r"cuStreamCreate.*CUDA_ERROR_UNKNOWN 999"),
)] + [Row("the driver crashes whenever it is opened", of_call("cuStreamCreate", crash=True), 4,
          {"the first": "crashed", "another": "crashed", "a third": "crashed", "the others": "skipped"}, r"killed by SIGSEGV")]

RUN_ROWS = LASTING_ROWS + WRONG_ROWS + ONCE_ROWS + MEMORY_ROWS + LIBRARY_ROWS + LAYER_ROWS + DEATH_ROWS + UNUSABLE_ROWS

# What ends a run on the GPU before anything is measured, and has `auto` measure the CPU: a fault, and what is said of it.
START_ROWS = [
    Row("the driver crashes when it starts", of_call("cuInit", crash=True), 3, {}, "the process that opens its devices died: killed by SIGSEGV"),
    Row("the driver refuses to start", of_call("cuInit", code=999), 3, {}, r"CUDA_ERROR_UNKNOWN 999"),
    Row("the driver lacks a function", of_call("cuLibraryLoadData", absent=True), 3, {}, r"has no cuLibraryLoadData: it is older than R525"),
    Row("devices are not counted", of_call("cuDeviceGetCount", code=3), 3, {}, r"CUDA_ERROR_NOT_INITIALIZED 3"),
    Row("the device is refused", of_call("cuDeviceGet", code=101), 3, {}, r"cuDeviceGet.*CUDA_ERROR_INVALID_DEVICE 101"),
    Row("the name is refused", of_call("cuDeviceGetName", code=304), 3, {}, r"cuDeviceGetName.*304"),
    Row("the size is refused", of_call("cuDeviceTotalMem", code=304), 3, {}, r"cuDeviceTotalMem.*304"),
    Row("what it is, is refused", of_call("cuDeviceGetAttribute", code=304), 3, {}, r"cuDeviceGetAttribute for compute capability.*304"),
    Row("somebody else has the device", of_call("cuDevicePrimaryCtxRetain", code=46), 3, {}, r"busy with another process.*46"),
    Row("the device is lost", of_call("cuDevicePrimaryCtxRetain", code=999), 3, {}, r"a lost GPU.*CUDA_ERROR_UNKNOWN 999"),
    Row("the context is refused", of_call("cuCtxSetCurrent", code=201), 3, {}, r"cuCtxSetCurrent.*CUDA_ERROR_INVALID_CONTEXT 201"),
]


class MatrixCase(SimulatedCase):
    @classmethod
    def setUpClass(cls):
        cls.documents = valid.Documents(cls)

    def run_row(self, row, *words):
        for stale in self.folder.glob("*"):
            stale.unlink()
        document = self.measure(small_machine(faults=row.faults), "--case-timeout", 6, "--seed", 3, *words, suite="matrix",
                                code=row.code)
        self.documents.keep(self.folder / "result.json")
        return document

    def statuses_of(self, document):
        found = {}
        for record in document["records"]:
            benchmark, variant = record["benchmark"].split("/")[1], record["id"].split("/")[3]
            if benchmark != LAYER or HAS_LAYER:
                found[variant if record["benchmark"] in ("gemm/square", "transfer/copy") else benchmark] = record
        self.assertEqual(set(found), CASES)
        return found

    def check_complete(self, record):
        self.assertEqual((record["status"], record["why"]), ("ok", ""), record["id"])
        self.assertTrue(record["verification"]["ok"])
        self.assertGreaterEqual(len(record["samples"]["seconds"]), 7)
        self.assertEqual(len(record["metrics"]), 1)

    def check_row(self, row, document):
        records = self.statuses_of(document)
        hit = {case: r for case, r in records.items() if r["status"] != "ok"}
        expected = collections.Counter(row.statuses.values())
        if "the others" in row.statuses:
            expected["skipped"] = len(CASES) - len(row.statuses) + 1
        self.assertEqual(collections.Counter(r["status"] for r in hit.values()), expected, {c: r["why"] for c, r in hit.items()})
        for case in CASES & set(row.statuses):
            self.assertEqual(records[case]["status"], row.statuses[case])
        for case, record in records.items():
            if case in hit:
                self.assertRegex(record["why"], row.why)
                self.assertEqual(record["metrics"], [])
            else:
                self.check_complete(record)
        self.assertEqual(document["run"]["exit_code"], row.code)


class Matrix(MatrixCase):
    def test_without_a_fault_every_case_is_ok(self):
        self.check_row(Row("nothing", [], 0, {}, ""), self.run_row(Row("nothing", [], 0, {}, "")))

    def test_every_row_of_a_run(self):
        for row in RUN_ROWS:
            with self.subTest(row.name):
                self.check_row(row, self.run_row(row))

    def test_every_row_of_a_start(self):
        for row in START_ROWS:
            with self.subTest(row.name):
                scenario = scenario_of("h200", faults=row.faults)
                done = self.warpmark(scenario, "run", "--device", "cuda:0", "--suite", "quick")
                self.assertEqual((done.code, len(done.err.splitlines())), (3, 1), done.err)
                self.assertRegex(done.err, "^warpmark: cuda:0 cannot be measured: .*" + row.why)
                self.assertEqual([p.name for p in self.folder.glob("*.json*")], ["scenario.json"], "nothing was measured")

    def test_no_row_of_a_start_is_hidden(self):
        """`auto` measures the CPU, ends with 3, and says first what is wrong."""
        cpu = ("--suite", HERE / "suites" / "cpu.json")
        for row in START_ROWS:
            with self.subTest(row.name):
                path = self.folder / "auto.json"
                path.unlink(missing_ok=True)
                done = self.warpmark(scenario_of("h200", faults=row.faults), "run", *cpu, "--out", path)
                self.assertEqual(done.code, 3, done.err)
                self.assertRegex(done.err.splitlines()[0], "^warpmark: The GPU cannot be used: .*" + row.why)
                document = self.documents.read(path)
                self.assertEqual([r["status"] for r in document["records"]], ["ok"])
                self.assertRegex(document["run"]["device_problem"], row.why)

    def test_the_cpu_alone_asks_no_driver(self):
        """A driver that would crash or hang is not opened for it."""
        cpu = ("--suite", HERE / "suites" / "cpu.json")
        for way in ({"crash": True}, {"hang": True}):
            path = self.folder / f"{next(iter(way))}.json"
            done = self.warpmark(scenario_of("h200", faults=of_call("cuInit", **way)), "run", "--device", "cpu:0", *cpu, "--out", path)
            self.assertEqual((done.code, done.err.count("GPU")), (0, 0), done.err)

    def test_there_are_enough_rows(self):
        self.assertGreaterEqual(len(RUN_ROWS) + len(START_ROWS), 40)
        self.assertEqual(len({row.name for row in RUN_ROWS + START_ROWS}), len(RUN_ROWS) + len(START_ROWS))


class LostDevice(MatrixCase):
    LOST = Row("the device falls off the bus", of_kernel(COPY, lost=True), 4, {COPY: "failed", "the others": "skipped"}, "999")

    def forget(self):
        for mark in self.folder.glob("scenario.json.lost*"):
            mark.unlink()

    def test_the_case_fails_the_rest_is_skipped_and_resumed(self):
        document = self.run_row(self.LOST, "--repeats", 3)
        statuses = collections.Counter(r["status"] for r in document["records"])
        self.assertEqual((statuses["failed"], statuses["failed"] + statuses["ok"] + statuses["skipped"]), (1, 3 * len(CASES)), statuses)
        (failed,) = [r for r in document["records"] if r["status"] == "failed"]
        self.assertEqual(failed["benchmark"], "memory/copy")
        self.assertIn("CUDA_ERROR_UNKNOWN 999", failed["why"])
        for record in document["records"]:
            if record["status"] == "skipped":
                self.assertRegex(record["why"], r"^cuda:0 can no longer be used: .*999\); when it works again, --resume measures this$")
        self.assertRegex(self.run_output, r"warpmark: cuda:0 can no longer be used: .*continue with: warpmark run --resume \S+result\.jsonl")
        self.assertGreater(statuses["skipped"], 0)

        again = self.warpmark(small_machine(), "run", "--resume", self.folder / "result.jsonl")
        self.assertEqual(again.code, 3, "the GPU is not back: " + again.err)
        self.forget()
        again = self.warpmark(small_machine(), "run", "--resume", self.folder / "result.jsonl")
        self.assertEqual(again.code, 4, again.err)
        document = self.documents.read(self.folder / "result.json")
        self.assertEqual(collections.Counter(r["status"] for r in document["records"]), {"ok": 3 * len(CASES) - 1, "failed": 1})
        self.assertFalse((self.folder / "result.jsonl").exists())

    def test_one_that_is_lost_before_ends_the_run(self):
        (self.folder / "scenario.json.lost0").write_text("lost\n")
        done = self.warpmark(scenario_of("h200"), "run", "--device", "cuda:0", "--suite", "quick")
        self.assertEqual(done.code, 3, done.err)
        self.assertRegex(done.err, r"^warpmark: cuda:0 cannot be measured: .*CUDA_ERROR_UNKNOWN 999\)$")

    def test_its_neighbours_are_measured(self):
        (self.folder / "scenario.json.lost0").write_text("lost\n")
        document = self.measure(scenario_of("h100x8"), "--repeats", 1, device="auto", code=3)
        self.assertEqual(document["devices"][0]["id"], "cuda:1")
        self.assertRegex(self.run_output, r"warpmark: cuda:0 cannot be used: .*999\)\. cuda:1 was measured; ask for that with --device cuda:1")
        self.measure(scenario_of("h100x8"), "--repeats", 1, device="cuda:7")


class Libraries(MatrixCase):
    """cublasLt that is not there, of another version, or not whole; where none can be found beside ours."""
    WITHIN = ("unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /usr/local && exec "$@"', "sh")

    @classmethod
    def setUpClass(cls):
        done = subprocess.run([*cls.WITHIN, "true"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise unittest.SkipTest(f"no mounts of its own: {done.stderr.strip()}")
        super().setUpClass()

    def libraries(self, *files):
        folder = self.folder / "libraries"
        folder.mkdir()
        for file in ("libcuda.so.1", *files):
            os.symlink(pathlib.Path(LIBRARIES) / file, folder / pathlib.Path(file).name)
        return folder

    def check(self, why, *files, driver=13000):
        scenario = small_machine(driver_version=driver)
        document = self.measure(scenario, "--seed", 3, suite="matrix", libraries=self.libraries(*files), within=self.WITHIN)
        # cuDNN is in none of these places.
        hit = ({LIBRARY: "unsupported"} if why else {}) | ({LAYER: "unsupported"} if HAS_LAYER else {})
        self.check_row(Row("", [], 0, hit, "|".join(filter(None, (why, r"libcudnn\.so\.9.*install cuDNN 9")))), document)
        return self.statuses_of(document)[LIBRARY]

    def test_none(self):
        self.check(r"libcublasLt\.so\.13.*install cuBLAS 13")

    def test_the_older_one_serves_too(self):
        self.assertEqual(self.check("", "libcublasLt.so.12")["about"]["library"], "cublasLt 12.1.2")

    def test_one_for_newer_drivers(self):
        self.check(r"libcublasLt\.so\.12.*install cuBLAS 12", "libcublasLt.so.13", driver=12040)

    def test_one_that_lacks_functions(self):
        self.check(r"has no cublasLt\w+: it is another version", "incomplete/libcublasLt.so.13")

    def test_twin_the_right_one(self):
        self.assertIn(" 13.", self.check("", "libcublasLt.so.12", "libcublasLt.so.13")["about"]["library"])


if __name__ == "__main__":
    unittest.main()
