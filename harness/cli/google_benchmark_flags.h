// SPDX-License-Identifier: Apache-2.0
// The flags of Google Benchmark that `worker` hands on, checked first: the library ends the program with exit code 0 or
// 1, or an exception, at values that it does not take, and does not notice a full disk.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpmark {

struct GoogleBenchmarkFlags {
  std::vector<std::string> flags{};  // without --benchmark_out
  std::filesystem::path out{};       // of --benchmark_out; empty: none
};

/// From the words, and from the variables (BENCHMARK_FORMAT=json) that the library would read too. Throws UsageError
/// for a value that it does not take, and for an output that cannot be written.
[[nodiscard]] GoogleBenchmarkFlags checked_flags(const std::vector<std::string>& words);

/// A file in memory for the library to write; what it holds then goes to the disk, where failing is noticed.
class OutputInMemory {
 public:
  OutputInMemory();
  ~OutputInMemory();
  OutputInMemory(const OutputInMemory&) = delete;
  OutputInMemory& operator=(const OutputInMemory&) = delete;

  [[nodiscard]] std::string flag() const;  // "--benchmark_out=/proc/self/fd/7"
  /// Throws UsageError.
  void save_as(const std::filesystem::path& path) const;

 private:
  int descriptor_;
};

}  // namespace warpmark
