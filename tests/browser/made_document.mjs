// SPDX-License-Identifier: Apache-2.0
// A made-up result as large as wanted: six memory operations and matrix products, two and four types, several variants.
// The same seed gives the same document. The numbers look real and are not.

const memory_level = { L1: [64 * 1024, 320], L2: [2 * 1024 ** 2, 190], L3: [32 * 1024 ** 2, 95], memory: [Infinity, 24] };
const operations = { read: 1.2, write: 0.8, copy: 1, scale: 1, triad: 0.97, dot: 1.15 };
const footprints = [...Array.from({ length: 8 }, (_, index) => 16 * 1024 * 4 ** index), 'memory'];
const variants = { plain: 1, nt: 1, 'plain-1core': 0.55, 'nt-1core': 0.55 };
const products = {
  f64: { ceiling: 118e9, variants: { openblas: 0.95, blocked: 0.7 } },
  f32: { ceiling: 236e9, variants: { onednn: 0.9, 'onednn-packed': 0.95, blocked: 0.72 } },
  bf16: { ceiling: 1400e9, variants: { onednn: 0.82, 'onednn-packed': 0.9, blocked: 0.2 } },
  i8: { ceiling: 2800e9, variants: { onednn: 0.8, 'onednn-packed': 0.88, blocked: 0.2 } },
};
const sizes = [256, 512, 1024, 2048, 3072, 4096];
const memory_ceiling = 26e9;

/// Numbers from 0 to 1 (mulberry32).
function random_of(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const quantile = (sorted, share) => sorted[Math.round(share * (sorted.length - 1))];

function stats_of(seconds) {
  const sorted = [...seconds].sort((a, b) => a - b), third = Math.max(1, Math.floor(seconds.length / 3));
  const middle = (values) => quantile([...values].sort((a, b) => a - b), 0.5);
  return {
    n: seconds.length, median: quantile(sorted, 0.5), min: sorted[0], max: sorted.at(-1), p5: quantile(sorted, 0.05), p25: quantile(sorted, 0.25),
    p75: quantile(sorted, 0.75), p95: quantile(sorted, 0.95), p99: quantile(sorted, 0.99), mad: 0.002 * quantile(sorted, 0.5), lag1: 0.1,
    drift: middle(seconds.slice(-third)) / middle(seconds.slice(0, third)) - 1, ci_low: quantile(sorted, 0.4), ci_high: quantile(sorted, 0.6),
  };
}

function memory_cases() {
  const made = [];
  for (const [operation, factor] of Object.entries(operations))
    for (const dtype of ['f64', 'f32'])
      for (const [variant, cores] of Object.entries(variants))
        for (const footprint of footprints) {
          const bytes = footprint === 'memory' ? 1024 ** 3 : footprint;
          const level = Object.values(memory_level).find(([most]) => bytes <= most)[1];
          const streaming = variant.startsWith('nt') && operation !== 'read' && operation !== 'dot';
          const rate = streaming ? Math.min(level, 25) * (level === 24 ? 1 : 0.85) : level * (level === 24 ? 0.7 : 1);
          made.push({ benchmark: `memory/${operation}`, dtype, variant, axis: 'footprint', value: footprint, mode: 'batch', metric: 'bandwidth', unit: 'B/s',
            rate: rate * factor * (level === 24 ? Math.min(1, cores * 1.6) : cores) * 1e9, amount: bytes, ceiling: footprint === 'memory' ? memory_ceiling : null });
        }
  return made;
}

function product_cases() {
  const made = [];
  const add = (benchmark, dtype, variant, n, share) => made.push({ benchmark, dtype, variant, axis: 'n', value: n, mode: 'isolated', metric: 'flop_rate',
    unit: dtype === 'i8' ? 'OP/s' : 'FLOP/s', rate: products[dtype].ceiling * share * (1 - 40 / n), amount: 2 * n ** 3, ceiling: products[dtype].ceiling });
  for (const [dtype, { variants: kernels }] of Object.entries(products))
    for (const [variant, share] of Object.entries(kernels)) for (const n of sizes) add('gemm/square', dtype, variant, n, share);
  add('gemm/skinny', 'f32', 'onednn', 2048, 0.4);
  add('gemm/batch', 'f32', 'onednn', 64, 0.6);
  return made;
}

function record_of(one, repeat, random, samples, speed) {
  const { benchmark, dtype, variant, axis, value, mode } = one;
  const base = one.amount / (one.rate * speed * (1 + (random() - 0.5) * 0.01));
  const seconds = Array.from({ length: samples }, () => base * (1 + 0.01 * random() ** 2 + (random() > 0.97 ? 0.04 : 0)));
  const stats = stats_of(seconds), rate = one.amount / stats.median;
  const metric = { name: one.metric, unit: one.unit, value: rate, better: 'higher', gate: true, ceiling: one.ceiling,
    ceiling_source: one.ceiling ? 'measured: best of 40 plain loops on 2 threads' : 'the arrays fit into or near the last-level cache of 32 MiB',
    of_ceiling: one.ceiling && rate / one.ceiling, of_ceiling_at_clock: one.ceiling && rate / one.ceiling * 1.01 };
  const at = seconds.map((_, index) => index * base);
  return {
    id: `${benchmark}/cpu:0/${variant}/${dtype}/${axis}=${value}`, benchmark, device: 'cpu:0', params: { variant, dtype, [axis]: value }, mode, regime: 'burst',
    repeat, method: 1, status: 'ok', why: '',
    work: { bytes_read: axis === 'n' ? 0 : one.amount, bytes_written: 0, flops: axis === 'n' ? one.amount : 0 }, metrics: [metric],
    samples: { seconds, at, clock_hz: seconds.map(() => 3684557721), probe: axis === 'n' ? seconds.map(() => products[dtype].ceiling * (1 - 0.01 * random())) : [], warmup: [], batch: 1 },
    stats, verification: { error: 1e-7, allowed: 1e-4, ok: true }, about: { isa: 'avx512', threads: variant.endsWith('1core') ? 1 : 2 },
    data: { distribution: 'uniform[-1,1)', seed: 1 }, setup_seconds: 0.05, started_at: '2026-11-30T05:30:00Z',
  };
}

/// `head` is a document whose run, machine and devices are taken over.
export function made_document(head, { repeats = 3, samples = 30, seed = 1, speed = 1, keep = () => true } = {}) {
  const random = random_of(seed);
  const cases = [...memory_cases(), ...product_cases()].filter(keep);
  const records = Array.from({ length: repeats }, (_, repeat) => cases.map((one) => record_of(one, repeat, random, samples, speed))).flat();
  const [device] = head.devices;
  const facts = { ...device.facts, l1d_bytes_per_core: 32768, l2_bytes_per_core: 1048576 };
  return { ...head, run: { ...head.run, repeats }, devices: [{ ...device, units: 2, last_level_cache_bytes: 33554432, facts }], records };
}
