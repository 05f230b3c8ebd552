// SPDX-License-Identifier: Apache-2.0
// Twins of harness/backends/cuda/stream_kernels.cu.
#include "harness/backends/cuda/stream_kernels.h"
#include "tests/fakes/twins/twin.h"

using warpmark::cuda::ClockParameters;
using warpmark::cuda::CycleParameters;
using warpmark::cuda::FillParameters;
using warpmark::cuda::HoldParameters;

extern "C" {
void stream_hold(HoldParameters);
void stream_clock(ClockParameters);
void stream_fill_f64(FillParameters);
void stream_fill_f32(FillParameters);
void stream_fill_f16(FillParameters);
void stream_fill_bf16(FillParameters);
void stream_fill_e4m3(FillParameters);
void stream_fill_i8(FillParameters);
void stream_fill_cycle(CycleParameters);
}

namespace warpmark::fakes {
namespace {

// These two take the time that they see pass.
Work of_hold(const HoldParameters& /*p*/) { return {}; }
Work of_clock(const ClockParameters& p) { return {.output = range_of(p.reading, sizeof *p.reading)}; }

template <std::size_t element_bytes>
Work of_fill(const FillParameters& p) {
  const ByteRange to = range_of(p.to, p.n * element_bytes);
  return {
      .bytes = static_cast<double>(to.bytes()), .touched = {to}, .output = to, .output_element_bytes = element_bytes};
}

Work of_cycle(const CycleParameters& p) {
  const ByteRange to = range_of(p.to, p.nodes * p.stride_bytes);
  return {.bytes = static_cast<double>(to.bytes()),
          .touched = {to},
          .output = to,
          .output_element_bytes = sizeof(std::uint64_t)};
}

}  // namespace

std::vector<Twin> stream_twins() {
  return {twin_of<HoldParameters, stream_hold, of_hold>("stream_hold", Kind::watcher),
          twin_of<ClockParameters, stream_clock, of_clock>("stream_clock", Kind::probe),
          twin_of<FillParameters, stream_fill_f64, of_fill<8>>("stream_fill_f64"),
          twin_of<FillParameters, stream_fill_f32, of_fill<4>>("stream_fill_f32"),
          twin_of<FillParameters, stream_fill_f16, of_fill<2>>("stream_fill_f16"),
          twin_of<FillParameters, stream_fill_bf16, of_fill<2>>("stream_fill_bf16"),
          twin_of<FillParameters, stream_fill_e4m3, of_fill<1>>("stream_fill_e4m3"),
          twin_of<FillParameters, stream_fill_i8, of_fill<1>>("stream_fill_i8"),
          twin_of<CycleParameters, stream_fill_cycle, of_cycle>("stream_fill_cycle")};
}

}  // namespace warpmark::fakes
