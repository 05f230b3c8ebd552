// SPDX-License-Identifier: Apache-2.0
// The journal of a run: one JSON line for the plan, one per record, each on disk before the next case starts. It
// becomes the result document at the end, and --resume continues it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "harness/store/document.h"
#include "harness/store/durable_file.h"

namespace warpmark {

inline constexpr std::string_view journal_schema = "warpmark.journal/1";

/// An open journal. Only one process at a time has it.
class Journal {
 public:
  /// Creates the file and writes `head` (run, machine, devices, plan; the schema is added) as its first line, or leaves
  /// no file. Throws UsageError, also when the file exists.
  static Journal create(const std::filesystem::path& path, const nlohmann::json& head);
  /// Opens an existing journal to append after its last whole line; a torn last line is cut off. Throws UsageError when
  /// another run has it, or when it is no journal (and then leaves it as it is). Whoever resumes calls this before
  /// read_journal.
  static Journal reopen(const std::filesystem::path& path);

  Journal(Journal&& other) noexcept = default;
  Journal& operator=(Journal&&) = delete;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal() = default;

  /// Appends one line and waits until it is on disk. When that fails (full disk), the line is cut off again and
  /// UsageError is thrown; the journal stays valid and may be appended to again.
  void append(const Record& record);
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  Journal(std::filesystem::path path, DurableFile file);
  void write_line(const nlohmann::json& line);

  std::filesystem::path path_;
  DurableFile file_;
};

struct JournalContent {
  nlohmann::json head = nlohmann::json::object();
  std::vector<Record> records{};
};

/// Reads a journal; a torn last line is left out, anything else wrong throws UsageError with the line number.
[[nodiscard]] JournalContent read_journal(const std::filesystem::path& path);

}  // namespace warpmark
