// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/result_path.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "harness/core/error.h"
#include "harness/core/instant.h"
#include "harness/run/supervisor.h"
#include "harness/store/document.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

std::string name_of_now(std::string_view run_id) {
  std::string stamp = utc_now();
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
  return fmt::format("warpmark_{}_{}.json", stamp, run_id);
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

fs::path parent_of(const fs::path& path) {
  const fs::path parent = path.parent_path();
  return parent.empty() ? "." : parent;
}

/// `may_be_made`: one level of it.
void expect_writable(const fs::path& folder, bool may_be_made) {
  std::error_code problem;
  const fs::file_type type = fs::status(folder, problem).type();
  if (type == fs::file_type::not_found && may_be_made && is_folder(parent_of(folder)))
    return expect_writable(parent_of(folder), false);
  if (type == fs::file_type::not_found)
    throw UsageError(
        fmt::format("there is no folder {0} for the result; make it first: mkdir -p {0}", folder.string()));
  if (type != fs::file_type::directory && type != fs::file_type::none)
    throw UsageError(fmt::format("{} is no folder; choose another --out", folder.string()));
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    throw UsageError(fmt::format("the folder {} cannot be written to: {}; choose another --out", folder.string(),
                                 std::strerror(errno)));
}

}  // namespace

fs::path result_path(const std::string& out, std::string_view run_id) {
  const bool is_file = fs::path(out).extension() == ".json" && !is_folder(out);
  fs::path path = is_file ? fs::path(out) : fs::path(out) / name_of_now(run_id);
  expect_writable(parent_of(path), !is_file);
  if (is_there(path))
    throw UsageError(
        fmt::format("{} is there already, and a result is never overwritten; choose another --out", path.string()));
  if (const fs::path journal = journal_of(path); is_there(journal))
    throw UsageError(fmt::format(
        "{0} is the journal of a run that ended early; continue it with: warpmark run --resume {0}", journal.string()));
  return path;
}

void make_folder_of(const fs::path& result) {
  std::error_code problem;
  fs::create_directory(parent_of(result), problem);
  if (problem)
    throw UsageError(fmt::format("the folder {} for the result cannot be made: {}; choose another --out",
                                 parent_of(result).string(), problem.message()));
}

void expect_journal(const fs::path& path) {
  const std::string name = path.string();
  std::error_code problem;
  if (!fs::exists(path, problem))
    throw UsageError(
        fmt::format("{}: there is no such journal: {}; a run that ends early leaves one beside its result, "
                    "of the same name ending in .jsonl",
                    name, problem ? problem.message() : "No such file or directory"));
  if (path.extension() != ".json") return;
  std::optional<Document> document;
  try {
    document = read_document(path);
  } catch (const UsageError&) {  // it is not: --resume says what is wrong with the journal
    return;
  }
  if (const fs::path journal = journal_of(path); is_there(journal))
    throw UsageError(fmt::format("{} is the result of a run; its journal is continued with: warpmark run --resume {}",
                                 name, journal.string()));
  throw UsageError(
      fmt::format("{} is the result of a run and no journal (.jsonl), and beside it there is none: {}", name,
                  document->run.value("interrupted", false) ? "start the run again" : "that run is complete"));
}

}  // namespace warpmark
