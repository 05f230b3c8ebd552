// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "tests/fakes/twins/twin.h"

namespace warpmark::fakes {
namespace {

using Twins = std::map<std::string_view, Twin>;

Twins& all_twins() {
  static Twins all = [] {
    Twins of_product;
    for (const auto twins : {stream_twins, memory_twins, check_twins, convolution_twins, gemm_twins, gemv_twins,
                             transpose_twins, latency_twins, launch_twins, compute_twins})
      for (const Twin& twin : twins()) of_product[twin.kernel] = twin;
    return of_product;
  }();
  return all;
}

}  // namespace

const Twin* find_twin(std::string_view kernel) {
  const Twins& all = all_twins();
  const auto found = all.find(kernel);
  return found == all.end() ? nullptr : &found->second;
}

void add_twin(const Twin& twin) { all_twins()[twin.kernel] = twin; }

}  // namespace warpmark::fakes
