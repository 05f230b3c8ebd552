# SPDX-License-Identifier: Apache-2.0
"""`info`: what it says of each simulated card, field by field, is what the card was made to be; and whatever NVML does, the command ends
and says why a field is not known."""
import json
import unittest

from simulated_case import SimulatedCase, scenario_of

MACHINES = ("h200", "h100x8", "h100_mig", "rtx4090", "l4", "a10g_passthrough", "vgpu")

# A function of NVML that refuses, and the places that are null then.
ASKED = {"nvmlDeviceGetEccMode": ["ecc/on", "ecc/after_restart"], "nvmlDeviceGetBoardId": ["board/id"],
         "nvmlDeviceGetPowerManagementLimit": ["power/limit_w"], "nvmlDeviceGetCurrPcieLinkWidth": ["link/width"],
         "nvmlDeviceGetRemappedRows": ["remapped_rows"], "nvmlDeviceGetMigMode": ["mig"], "nvmlDeviceGetNumGpuCores": ["cuda_cores"],
         "nvmlDeviceGetComputeRunningProcesses_v3": ["processes"], "nvmlDeviceGetNvLinkVersion": ["nvlink/version"]}
# NVML's refusals of one thing; of the GPU; of nobody knows what.
CODES = (3, 15, 999)


def at(value, place):
    for name in place.split("/"):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def nulls(value, place=""):
    if value is None:
        yield place
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in items:
        yield from nulls(inner, f"{place}.{name}".strip("."))


# Place in the card: where the scenario has it, and what NVML is asked.
STATED = {
    "board/part_number": ("", "part_number", "nvmlDeviceGetBoardPartNumber"),
    "board/id": ("", "board_id", "nvmlDeviceGetBoardId"),
    "memory/reserved_bytes": ("", "memory_reserved_bytes", "nvmlDeviceGetMemoryInfo_v2"),
    "virtualization": ("", "virtualization", "nvmlDeviceGetVirtualizationMode"),
    "persistence": ("", "persistence", "nvmlDeviceGetPersistenceMode"),
    "compute_mode": ("", "compute_mode", "nvmlDeviceGetComputeMode"),
    "performance_state": ("", "idle_performance_state", "nvmlDeviceGetPerformanceState"),
    "power/draw_w": ("power", "idle_w", "nvmlDeviceGetPowerUsage"),
    "power/limit_w": ("power", "limit_w", "nvmlDeviceGetPowerManagementLimit"),
    "power/min_limit_w": ("power", "min_limit_w", "nvmlDeviceGetPowerManagementLimitConstraints"),
    "power/max_limit_w": ("power", "max_limit_w", "nvmlDeviceGetPowerManagementLimitConstraints"),
    "power/default_limit_w": ("power", "default_limit_w", "nvmlDeviceGetPowerManagementDefaultLimit"),
    "temperature/now_c": ("temperature", "idle_c", "nvmlDeviceGetTemperature"),
    "temperature/slowdown_c": ("temperature", "slowdown_c", "nvmlDeviceGetTemperatureThreshold"),
    "temperature/shutdown_c": ("temperature", "shutdown_c", "nvmlDeviceGetTemperatureThreshold"),
    "link/generation": ("link", "idle_generation", "nvmlDeviceGetCurrPcieLinkGeneration"),
    "link/width": ("link", "width", "nvmlDeviceGetCurrPcieLinkWidth"),
    "link/max_generation": ("link", "max_generation", "nvmlDeviceGetMaxPcieLinkGeneration"),
    "link/max_width": ("link", "max_width", "nvmlDeviceGetMaxPcieLinkWidth"),
    "mig/on": ("mig", "on", "nvmlDeviceGetMigMode"), "nvlink/version": ("nvlink", "version", "nvmlDeviceGetNvLinkVersion"),
    "nvlink/links": ("nvlink", "links", "nvmlDeviceGetNvLinkState")}


def truth_of(device):
    """What the card has to have, as far as the scenario states it: place -> value."""
    card = device["nvml"]
    unsupported = set(card.get("unsupported", ()))
    truth = {"name": device["name"], "uuid": device["uuid"], "pci": device["pci"].lower(),
             "compute_capability": device["compute_capability"], "memory/total_bytes": device["memory_bytes"],
             "memory/used_bytes": device["memory_bytes"] - device.get("memory_free_bytes", device["memory_bytes"]),
             "memory/bus_bits": device["memory_bus_bits"],
             "clocks/max_sm_hz": round(device["sm_clock_hz"] * card["clock_scale"] / 1e6) * 1e6,
             "pci_ids/device": "0x" + card["pci_ids"]["device"], "pci_ids/subsystem": "0x" + card["pci_ids"]["subsystem"],
             "board/vbios": card["vbios"]}
    for place, (section, name, function) in STATED.items():
        holder = card.get(section, {}) if section else card
        if function in unsupported:
            truth[place] = None
        elif name in holder:
            truth[place] = holder[name]
    for name in ("corrected", "uncorrected", "corrected_ever", "uncorrected_ever"):
        if name in card.get("ecc", {}) and "nvmlDeviceGetTotalEccErrors" not in unsupported:
            truth[f"ecc/{name}"] = card["ecc"][name]
    if "sm_idle_mhz" in card.get("clocks", {}):
        truth["clocks/sm_hz"] = card["clocks"]["sm_idle_mhz"] * 1e6
    if card.get("mig", {}).get("on"):  # which silences NVML about the whole
        truth = {place: value for place, value in truth.items() if not place.startswith(("nvlink", "memory/bus_bits"))}
    return truth


class Info(SimulatedCase):
    def machine(self, scenario, code=0):
        done = self.warpmark(scenario, "info", "--json")
        self.assertEqual(done.code, code, done.err)
        return json.loads(done.out)["machine"]

    def gpu(self, machine, device):
        """The one, whatever else the machine has that this runs on."""
        found = [gpu for gpu in machine["nvidia"]["gpus"] if gpu["uuid"] == device["uuid"]]
        self.assertEqual(len(found), 1, [gpu["uuid"] for gpu in machine["nvidia"]["gpus"]])
        return found[0]

    def check_reasons(self, machine):
        reasons = {entry["what"]: entry["why"] for entry in machine["denied"]}
        for place in nulls(machine["nvidia"], "nvidia"):
            holders = [place.rsplit(".", n)[0] for n in range(place.count("."))]
            if place != "nvidia.nvml.why":
                self.assertTrue(any(reasons.get(holder) for holder in holders), f"{place} is null without a reason")

    def test_every_field_is_the_cards(self):
        for name in MACHINES:
            scenario = scenario_of(name)
            machine = self.machine(scenario)
            self.check_reasons(machine)
            for device in scenario["devices"]:
                gpu, truth = self.gpu(machine, device), truth_of(device)
                self.assertGreater(len(truth), 11)
                for place, value in truth.items():
                    with self.subTest(machine=name, gpu=device["uuid"], place=place):
                        self.assertEqual(at(gpu, place), value)

    def test_the_checks_can_fail(self):
        scenario = scenario_of("h200")
        gpu, truth = self.gpu(self.machine(scenario), scenario["devices"][0]), truth_of(scenario["devices"][0])
        gpu["power"]["limit_w"] += 1
        self.assertEqual([place for place, value in truth.items() if at(gpu, place) != value], ["power/limit_w"])
        with self.assertRaises(AssertionError):
            self.check_reasons({"nvidia": {"gpus": [{"ecc": None}]}, "denied": []})

    def test_errors_and_settings_are_seen(self):
        scenario = scenario_of("h200")
        scenario["devices"][0]["nvml"] |= {
            "ecc": {"on": True, "after_restart": False, "corrected": 7, "uncorrected": 1, "corrected_ever": 120, "uncorrected_ever": 2},
            "remapped_rows": {"corrected": 1, "uncorrected": 2, "pending": True, "failed": False},
            "power": {"idle_w": 80, "limit_w": 616, "default_limit_w": 700, "min_limit_w": 200, "max_limit_w": 700},
            "processes": [{"pid": 4711, "used_bytes": 1000}, {"pid": 4712}]}
        scenario["devices"][0]["ecc"] = True
        gpu = self.gpu(self.machine(scenario), scenario["devices"][0])
        self.assertEqual(gpu["ecc"], scenario["devices"][0]["nvml"]["ecc"])
        self.assertEqual(gpu["remapped_rows"], scenario["devices"][0]["nvml"]["remapped_rows"])
        self.assertEqual(gpu["processes"], {"count": 2, "used_bytes": None,
                                            "list": [{"pid": 4711, "used_bytes": 1000}, {"pid": 4712, "used_bytes": None}]})
        words = " ".join(self.warpmark(scenario, "info").out.split())
        for text in ("limit 616 W (12 % below its default of 700 W)", "Look at power limit 12 % below its default",
                     "7 corrected and 1 uncorrected errors", "a row waits to be remapped", "other programs are using it"):
            self.assertIn(text, words)

    def test_instances_are_those_of_the_card_whatever_their_numbers(self):
        scenario = scenario_of("h100_mig")
        truth = scenario["devices"][0]["nvml"]["mig"]["instances"]
        found = self.gpu(self.machine(scenario), scenario["devices"][0])["mig"]["instances"]
        self.assertEqual([i["uuid"] for i in found], [i["uuid"] for i in truth])
        self.assertEqual([(i["gpu_instance"], i["multiprocessors"]) for i in found],
                         [(i["gpu_instance"], i["multiprocessors"]) for i in truth])

    def test_eight_alike_are_shown_once(self):
        out = self.warpmark(scenario_of("h100x8"), "info").out
        self.assertRegex(out, r"(?m)^GPUs 0-7: 8 x NVIDIA H100")
        self.assertEqual(out.count("  Power  "), 1, out)
        for device in scenario_of("h100x8")["devices"]:
            self.assertIn(device["uuid"], out)

    def test_a_function_that_refuses_takes_its_own_fields_and_no_other(self):
        scenario = scenario_of("h200")
        device = scenario["devices"][0]
        whole = self.gpu(self.machine(scenario), device)
        for function, places in ASKED.items():
            for code in CODES:
                with self.subTest(function=function, code=code):
                    machine = self.machine(scenario_of("h200", faults=[{"call": function, "code": code}]))
                    self.check_reasons(machine)
                    gpu = self.gpu(machine, device)
                    for place in places:
                        self.assertIsNotNone(at(whole, place))
                        self.assertIsNone(at(gpu, place))
                    changed = {name for name in whole if whole[name] != gpu[name]}
                    self.assertEqual(changed, {place.split("/")[0] for place in places})

    def test_whatever_ends_nvml_leaves_the_devices_and_a_reason(self):
        for fault, why in (({"call": "nvmlInit_v2", "code": 18}, "of different versions"),
                           ({"call": "nvmlInit_v2", "code": 9}, "not loaded"),
                           ({"call": "nvmlDeviceGetName", "crash": True}, "SIGSEGV"),
                           ({"call": "nvmlInit_v2", "absent": True}, "no such function")):
            with self.subTest(fault):
                done = self.warpmark(scenario_of("h200", faults=[fault]), "info", "--json")
                self.assertEqual(done.code, 0, done.err)
                document = json.loads(done.out)
                self.assertEqual(document["devices"][0]["name"], "NVIDIA H200")
                self.assertIn(why, document["machine"]["nvidia"]["nvml"]["why"])
                self.check_reasons(document["machine"])

    def test_false_alarms_are_not_raised(self):
        for name in ("h200", "h100x8", "h100_mig", "rtx4090", "l4", "a10g_passthrough"):
            with self.subTest(name):
                self.assertNotIn("Look at", self.warpmark(scenario_of(name), "info").out)
        self.assertIn("Look at", self.warpmark(scenario_of("vgpu"), "info").out)
        words = " ".join(self.warpmark(scenario_of("a10g_passthrough"), "info").out.split())
        self.assertIn("gen 1 x8 now (idle links train down), gen 4 x16 at most", words)


if __name__ == "__main__":
    unittest.main()
