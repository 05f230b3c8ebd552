// SPDX-License-Identifier: Apache-2.0
// A benchmark is data and two functions: the work of a case, and the job that does it. It never names a backend.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/case.h"
#include "harness/core/kernel.h"
#include "harness/core/metric.h"
#include "harness/core/protocol.h"
#include "harness/core/record.h"
#include "harness/core/regime.h"
#include "harness/core/work.h"

namespace warpmark {

class Setup;
class Verifier;
struct DeviceInfo;

/// One set of operands. Isolated samples take the turns round, so that operands are cold.
struct Turn {
  std::function<void(Stream&)> launch{};
  std::function<Verdict(Verifier&)> verify{};
  std::function<double(Stream&)> sample{};  // seconds of one launch; only where Clocking is `own`
};

struct Job {
  std::vector<Turn> turns{};
  Clocking clocking = Clocking::device;
  /// Adds metrics to the headline, from the record's samples and from what the job itself saw of them. Null: none.
  std::function<void(Record&)> further{};
};

/// Which ceiling of the device bounds a case, or why none does.
struct CeilingRule {
  std::string_view name{};  // a key of DeviceInfo::ceilings; empty: no ceiling
  std::string why_none{};
};

struct Benchmark {
  std::string name{};   // "<family>/<name>", or "<family>" where one is all
  std::string about{};  // one sentence for `warpmark list`
  int method = 1;       // raised when the meaning of its numbers changes
  std::vector<Axis> axes{};
  std::vector<Mode> modes{Mode::isolated};  // the first is the default and is left out of ids
  KernelTable kernels{};
  Rate rate{};          // the headline, from work and time
  bool probed = false;  // whether a probe of the ceiling's unit (Device::probe) brackets each sample
  bool quiet = false;   // nothing else of warpmark may run beside its samples
  /// Whether its slow launches count as well: at least 2000 samples (while there is time), each one launch, with
  /// nothing in between, and percentiles beside the median.
  bool tail = false;
  std::size_t devices = 1;  // how many devices one case spans
  /// For how many seconds a case runs back to back, its course kept in windows. Null: until its median is known.
  double (*lasts)(const Case&) = nullptr;
  Work (*work)(const Case&, const DeviceInfo&) = nullptr;
  CeilingRule (*ceiling)(const Case&, const DeviceInfo&) = nullptr;
  Job (*job)(Setup&) = nullptr;
};

/// The part of the name before the first slash: one worker process runs one family.
[[nodiscard]] std::string_view family_of(std::string_view benchmark);

/// Every benchmark of the program, in order of name.
[[nodiscard]] const std::vector<Benchmark>& benchmarks();

/// A namespace-scope object of this type enters a benchmark. Throws std::logic_error for a name that is taken.
struct Registered {
  explicit Registered(Benchmark benchmark);
};

/// How a case is measured: as the suite says, or for as long as its benchmark says.
[[nodiscard]] Protocol protocol_of(const Benchmark& benchmark, const Case& at, const Protocol& suite);

/// Every case that the registered kernels and the axes span on a backend, in order of kernel, mode, axes.
[[nodiscard]] std::vector<Case> cases_of(const Benchmark& benchmark, std::string_view backend);

/// `<benchmark>/<device>/<variant>/<dtype>/<axis>=<value>/...`, then `/mode=<mode>` where it is not the benchmark's
/// default, and `/regime=<regime>` where that is not burst: numbers of different regimes are different numbers. A
/// public interface: renaming one breaks somebody's history.
[[nodiscard]] std::string id_of(const Benchmark& benchmark, const Case& at, std::string_view device,
                                Regime regime = Regime::burst);

}  // namespace warpmark
