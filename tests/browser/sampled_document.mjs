// SPDX-License-Identifier: Apache-2.0
// A made-up run whose records have readings of a sampler: GPUs that warm up and are held down for a while, or a CPU.

const families = [['memory/copy', 'plain'], ['memory/triad', 'plain'], ['gemm/square', 'cublaslt'], ['gemm/square', 'cublaslt-first']];

/// Between 0 and 1 by the sine of a large multiple: the same every time, and jagged.
const jagged = (seed) => Math.abs(Math.sin(seed * 12.9898) * 43758.5453) % 1;

function range_of(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: sorted[sorted.length >> 1], min: sorted[0], max: sorted.at(-1) };
}

/// Readings of one record that begins `at` seconds after the run did. Heat comes between `hot` and `cool`.
function sampled_of({ at, seconds, points, hot, cool, is_gpu, products }) {
  const times = Array.from({ length: points }, (_, index) => (index * seconds) / points);
  const is_hot = at >= hot && at < cool;
  const noise = (index) => jagged(at + index) - 0.5;
  const top = is_gpu ? 1.98e9 : 3.68e9, limited = is_gpu && products && !is_hot;
  const clock = times.map((_, index) => top * (is_hot ? 0.62 : limited ? 0.88 : 1) * (1 + 0.01 * noise(index)));
  const temperature = times.map((time, index) => Math.round(Math.min(is_hot ? 88 : 79, 42 + (at + time) * 0.9) + noise(index)));
  const series = { at: times, clock_hz: clock, temperature_c: temperature };
  const sampled = { readings: points * 8, period_seconds: 0.03, off: false, clock_hz: range_of(clock), temperature_c: range_of(temperature), series, denied: [] };
  if (!is_gpu) return sampled;
  series.power_w = times.map((_, index) => Math.round((products ? (is_hot ? 470 : 690) : 410) + 12 * noise(index)));
  const held = is_hot ? [{ reason: 'hw_thermal', kind: 'flagged', share: 0.8, seconds: 0.7 }] : limited ? [{ reason: 'sw_power_cap', kind: 'expected', share: 0.9, seconds: null }] : [];
  return { ...sampled, power_w: range_of(series.power_w), held_down: held, utilization: { median: 0.97, min: 0.2, max: 1 },
    pcie: { generation: { min: 1, max: 5 }, width: { min: 16, max: 16 }, max_generation: 5, max_width: 16 },
    ecc: { corrected: 0, uncorrected: 0 }, remapped_rows: 0, xids: [], foreign_processes: 0 };
}

const gpu_of = (index) => ({ pci: `0000:${index + 1}b:00.0`, uuid: `GPU-5eef03a${index}-5157-4d61-726b-000000000000`, name: 'NVIDIA H200', driver: 'nvidia',
  memory: { total_bytes: 150754820096, usable_bytes: 150120562688 }, ecc: { on: true }, virtualization: 'passthrough', mig: { on: false, instances: [] },
  power: { limit_w: 700, default_limit_w: 700, enforced_limit_w: 700 }, link: { generation: 1, width: 16, max_generation: 5, max_width: 16 } });

/// `head` gives run, machine and one record to copy. `count` records on each device, `points` readings in each.
export function sampled_document(head, { devices = 1, count = 60, points = 4, seconds = 1, is_gpu = true, hot = 35, cool = 42 } = {}) {
  const model = head.records.find(({ status }) => status === 'ok');
  const ids = Array.from({ length: devices }, (_, index) => `${is_gpu ? 'cuda' : 'cpu'}:${index}`);
  const record = (device, of, index) => {
    const [benchmark, variant] = families[Math.floor((index * families.length) / count)];
    const at = of * count * seconds * 1.2 + index * seconds * 1.2;
    return { ...model, benchmark, device, id: `${benchmark}/${device}/${variant}/f64/n=${index}`, params: { variant, dtype: 'f64', n: index }, repeat: 0,
      samples: { ...model.samples, seconds: [1, 1.01, 1.02], at: [], clock_hz: [], probe: [], warmup: [] },
      telemetry: { window: { begin: 5000 + at, end: 5000 + at + seconds },
        sampled: sampled_of({ at: at - of * count * seconds * 1.2, seconds, points, hot, cool, is_gpu, products: benchmark.startsWith('gemm') }) } };
  };
  const facts = (index) => ({ ...head.devices[0].facts, pci: gpu_of(index).pci, uuid: gpu_of(index).uuid });
  const device = (id, index) => ({ ...head.devices[0], id, ...(is_gpu ? { backend: 'cuda', name: 'NVIDIA H200', max_clock_hz: 1.98e9, facts: facts(index) } : {}) });
  return { ...head, run: { ...head.run, repeats: 1 },
    machine: { ...head.machine, ...(is_gpu ? { nvidia: { present: true, gpus: ids.map((_, index) => gpu_of(index)) } } : {}) },
    devices: ids.map(device), records: ids.flatMap((id, of) => Array.from({ length: count }, (_, index) => record(id, of, index))) };
}
