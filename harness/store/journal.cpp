// SPDX-License-Identifier: Apache-2.0
#include "harness/store/journal.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "harness/core/error.h"
#include "harness/store/checked_record.h"
#include "harness/store/document_kind.h"
#include "harness/store/json_text.h"

namespace warpmark {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// The part of a journal's text that is whole lines.
std::string_view whole_lines(std::string_view text) { return text.substr(0, text.rfind('\n') + 1); }

json head_from(std::string_view line, const std::string& source) {
  json head = parse_json(line, source);
  expect_kind(head, journal_schema, source.substr(0, source.rfind(", line ")));
  expect_schema("head", head, source);
  return head;
}

JournalContent content_of(std::string_view text, const std::string& path) {
  constexpr std::string_view advice = ": nothing was measured; start the run again";
  std::string_view lines = whole_lines(text);
  if (lines.empty()) {
    // Another kind of document may have no line end at all: say what it is before saying what it lacks.
    expect_kind(parse_json(text, path, advice), journal_schema, path);
    throw UsageError(fmt::format("{}: ends in its first line{}", path, advice));
  }
  JournalContent content;
  for (int number = 1; !lines.empty(); ++number) {
    const std::size_t end = lines.find('\n');
    const std::string source = fmt::format("{}, line {}", path, number);
    if (number == 1) {
      content.head = head_from(lines.substr(0, end), source);
    } else {
      content.records.push_back(checked_record(parse_json(lines.substr(0, end), source), source, ""));
    }
    lines.remove_prefix(end + 1);
  }
  return content;
}

[[noreturn]] void refuse(const fs::path& path, const char* what, const std::system_error& error) {
  throw UsageError(fmt::format("{}: the journal cannot be {}: {}", path.string(), what, error.code().message()));
}

DurableFile created(const fs::path& path) {
  try {
    return DurableFile::create(path);
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::file_exists)
      throw UsageError(
          fmt::format("{0}: exists already; continue that run with: warpmark run --resume {0}", path.string()));
    refuse(path, "created", error);
  }
}

void lock_or_throw(DurableFile& file, const fs::path& path) {
  if (!file.lock())
    throw UsageError(
        fmt::format("{}: another warpmark run is writing this journal; wait for it or stop it", path.string()));
}

}  // namespace

Journal::Journal(fs::path path, DurableFile file) : path_(std::move(path)), file_(std::move(file)) {}

Journal Journal::create(const fs::path& path, const json& head) {
  Journal journal(path, created(path));
  json line = head;
  line["schema"] = journal_schema;
  try {
    lock_or_throw(journal.file_, path);
    journal.file_.write(line_of(line) + "\n");
    journal.file_.sync();
    sync_folder_of(path);
  } catch (const std::system_error& error) {
    std::error_code ignored;
    fs::remove(path, ignored);
    throw UsageError(
        fmt::format("{}: the journal cannot be written: {}; nothing was measured: free space, or choose another --out",
                    path.string(), error.code().message()));
  }
  return journal;
}

Journal Journal::reopen(const fs::path& path) {
  try {
    Journal journal(path, DurableFile::open(path));
    lock_or_throw(journal.file_, path);
    const std::string text = journal.file_.read();
    (void)content_of(text, path.string());  // throws for what is no journal, before anything is cut off
    journal.file_.cut(whole_lines(text).size());
    return journal;
  } catch (const std::system_error& error) {
    refuse(path, "continued", error);
  }
}

void Journal::append(const Record& record) { write_line(to_json(record)); }

void Journal::write_line(const json& line) {
  const std::size_t whole = file_.size();
  try {
    file_.write(line_of(line) + "\n");
    try {
      file_.sync();
    } catch (const std::system_error&) {
      file_.cut(whole);
      throw;
    }
  } catch (const std::system_error& error) {
    throw UsageError(
        fmt::format("{0}: the journal cannot be written: {1}; everything measured before is in it; free space and "
                    "continue with: warpmark run --resume {0}",
                    path_.string(), error.code().message()));
  }
}

JournalContent read_journal(const fs::path& path) { return content_of(read_text(path), path.string()); }

}  // namespace warpmark
