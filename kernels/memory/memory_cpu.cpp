// SPDX-License-Identifier: Apache-2.0
// The memory kernels of the cpu: every thread of the pool, or one alone, runs its part of the arrays by the widest loop
// that the machine has. Variants: plain and nt (stores past the caches) on all cores, the same on one.
#include "kernels/memory/memory_cpu.h"

#include <memory>
#include <vector>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/kernel.h"
#include "kernels/memory/dot.h"
#include "kernels/memory/map.h"
#include "kernels/memory/read.h"

namespace warpmark::cpu {
namespace {

enum class Stores : std::uint8_t { plain, nontemporal };
enum class Cores : std::uint8_t { all, one };

/// Calls work(part, index) on the threads that take part, each with its part of n elements.
template <class T, Cores cores, class Work>
void spread(Stream& stream, std::size_t n, const Work& work) {
  if constexpr (cores == Cores::one) {
    work(Part{.begin = 0, .end = n}, std::size_t{0});
  } else {
    pool_of(stream).run(
        [&](std::size_t index, std::size_t count) { work(part_of(n, sizeof(T), index, count), index); });
  }
}

template <Cores cores>
nlohmann::json about(Stream& stream, Isa isa) {
  return {{"isa", name_of(isa)}, {"threads", cores == Cores::one ? 1 : pool_of(stream).size()}};
}

template <class T>
const T* from(const void* array, const Part& part) {
  return array == nullptr ? nullptr : static_cast<const T*>(array) + part.begin;
}

template <class T>
MapLoop<T> loop_of(const MapLoops<T>& loops, const ops::Write&) {
  return loops.write;
}
template <class T>
MapLoop<T> loop_of(const MapLoops<T>& loops, const ops::Copy&) {
  return loops.copy;
}
template <class T>
MapLoop<T> loop_of(const MapLoops<T>& loops, const ops::Scale&) {
  return loops.scale;
}
template <class T>
MapLoop<T> loop_of(const MapLoops<T>& loops, const ops::Triad&) {
  return loops.triad;
}

template <class Op, class T, Stores stores, Cores cores>
Bound bind_map(Stream& stream, const Op& op) {
  const Compiled<const MemoryLoops*> loops = widest<const MemoryLoops*>(memory_loops);
  const MemoryLoopsOf<T>& of_type = loops.run->template of<T>();
  const MapLoop<T> run = loop_of(stores == Stores::plain ? of_type.plain : of_type.nontemporal, op);
  return {.launch =
              [o = operands(op), run](Stream& s) {
                spread<T, cores>(s, o.n, [&](const Part& part, std::size_t) {
                  run(static_cast<T*>(o.a) + part.begin, from<T>(o.b, part), from<T>(o.c, part), static_cast<T>(o.s),
                      part.end - part.begin, o.passes);
                });
              },
          .about = about<cores>(stream, loops.isa)};
}

/// One thread's part of a sum, on a cache line of its own.
template <class Sum>
struct alignas(64) Partial {
  Sum sum = 0;
};

template <class Sum>
Sum total(const std::vector<Partial<Sum>>& partials) {
  Sum sum = 0;
  for (const Partial<Sum>& each : partials) sum += each.sum;
  return sum;
}

template <class T, Cores cores>
Bound bind_read(Stream& stream, const ops::Read& op) {
  const Compiled<const MemoryLoops*> loops = widest<const MemoryLoops*>(memory_loops);
  const auto partials = std::make_shared<std::vector<Partial<std::uint64_t>>>(pool_of(stream).size());
  return {.launch =
              [op, partials, run = loops.run->template of<T>().read](Stream& s) {
                spread<T, cores>(s, op.n, [&](const Part& part, std::size_t index) {
                  (*partials)[index].sum = run(from<T>(op.x, part), part.end - part.begin, op.passes);
                });
                const std::uint64_t sum = total(*partials);
                *op.sum = sizeof(T) == sizeof(std::uint64_t) ? sum : static_cast<std::uint32_t>(sum);
              },
          .about = about<cores>(stream, loops.isa)};
}

template <class T, Cores cores>
Bound bind_dot(Stream& stream, const ops::Dot& op) {
  const Compiled<const MemoryLoops*> loops = widest<const MemoryLoops*>(memory_loops);
  const auto partials = std::make_shared<std::vector<Partial<double>>>(pool_of(stream).size());
  return {.launch =
              [op, partials, run = loops.run->template of<T>().dot](Stream& s) {
                spread<T, cores>(s, op.n, [&](const Part& part, std::size_t index) {
                  (*partials)[index].sum =
                      run(from<T>(op.x, part), from<T>(op.y, part), part.end - part.begin, op.passes);
                });
                *op.sum = total(*partials);
              },
          .about = about<cores>(stream, loops.isa)};
}

template <class T>
constexpr DType dtype_of = sizeof(T) == sizeof(double) ? DType::f64 : DType::f32;

/// The variants of a map, for one type.
template <class Op, class T>
struct Maps {
  Implements<Op> plain{{.id = {"cpu", "plain", dtype_of<T>}, .bind = bind_map<Op, T, Stores::plain, Cores::all>}};
  Implements<Op> plain_on_one{
      {.id = {"cpu", "plain-1core", dtype_of<T>}, .bind = bind_map<Op, T, Stores::plain, Cores::one>}};
#if defined(__x86_64__)
  Implements<Op> nt{{.id = {"cpu", "nt", dtype_of<T>}, .bind = bind_map<Op, T, Stores::nontemporal, Cores::all>}};
  Implements<Op> nt_on_one{
      {.id = {"cpu", "nt-1core", dtype_of<T>}, .bind = bind_map<Op, T, Stores::nontemporal, Cores::one>}};
#endif
};

template <class T>
struct Sums {
  Implements<ops::Read> read{{.id = {"cpu", "plain", dtype_of<T>}, .bind = bind_read<T, Cores::all>}};
  Implements<ops::Read> read_on_one{{.id = {"cpu", "plain-1core", dtype_of<T>}, .bind = bind_read<T, Cores::one>}};
  Implements<ops::Dot> dot{{.id = {"cpu", "plain", dtype_of<T>}, .bind = bind_dot<T, Cores::all>}};
  Implements<ops::Dot> dot_on_one{{.id = {"cpu", "plain-1core", dtype_of<T>}, .bind = bind_dot<T, Cores::one>}};
};

template <class T>
struct OfType {
  Maps<ops::Write, T> write{};
  Maps<ops::Copy, T> copy{};
  Maps<ops::Scale, T> scale{};
  Maps<ops::Triad, T> triad{};
  Sums<T> sums{};
};

const OfType<double> f64;
const OfType<float> f32;

}  // namespace
}  // namespace warpmark::cpu
