// SPDX-License-Identifier: Apache-2.0
#include "harness/store/document.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "harness/store/journal.h"
#include "harness/store/json_text.h"
#include "tests/harness/store/full_disk.h"
#include "tests/harness/store/refusal.h"
#include "tests/harness/store/sample_records.h"
#include "tests/harness/store/temporary_folder.h"

namespace warpmark {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const fs::path source_folder = WARPMARK_SOURCE_DIR;

json fixture() { return json::parse(text_of_file(source_folder / "tests/fixtures/result.json")); }

/// What reading the text says, without the path in front.
std::string complaint(std::string_view text) {
  const TemporaryFolder folder;
  const fs::path path = folder.write("r.json", text);
  const std::string words = refusal([&] { (void)read_document(path); });
  const std::string front = path.string() + ": ";
  return words.substr(0, front.size()) == front ? words.substr(front.size()) : words;
}

std::string complaint_after(const std::function<void(json&)>& change) {
  json document = fixture();
  change(document);
  return complaint(document.dump());
}

TEST(Document, TheFixturesAreReadAndWrittenWithoutLoss) {
  for (const auto* name : {"result.json", "result_hostile.json"}) {
    const fs::path path = source_folder / "tests/fixtures" / name;
    const Document document = read_document(path);
    EXPECT_EQ(document.records.size(), 42U);
    EXPECT_EQ(to_json(document), json::parse(text_of_file(path))) << name;
  }
}

TEST(Document, ASecondWriteGivesTheSameBytes) {
  const TemporaryFolder folder;
  write_document(folder.path() / "a", document_of({full_record(), bare_record()}));
  write_document(folder.path() / "b", read_document(folder.path() / "a"));
  EXPECT_EQ(text_of_file(folder.path() / "b"), text_of_file(folder.path() / "a"));
  EXPECT_EQ(json::parse(text_of_file(folder.path() / "a")), to_json(document_of({full_record(), bare_record()})));
}

TEST(Document, MayHaveNoRecordsAndNoDevices) {
  const TemporaryFolder folder;
  write_document(folder.path() / "a", document_of({}));
  EXPECT_TRUE(read_document(folder.path() / "a").records.empty());
}

TEST(Document, SurvivesNumbersAndBytesThatJsonCannotHold) {
  const TemporaryFolder folder;
  Record record = full_record();
  record.samples.seconds[1] = std::numeric_limits<double>::quiet_NaN();
  record.setup_seconds = std::numeric_limits<double>::infinity();
  record.about["loss"] = std::numeric_limits<double>::quiet_NaN();
  record.why = "GPU \xff";
  write_document(folder.path() / "a", document_of({record}));
  const Document document = read_document(folder.path() / "a");
  EXPECT_EQ(document.records.at(0).why, "GPU \xef\xbf\xbd");
  EXPECT_TRUE(document.records.at(0).about.at("loss").is_null());
}

// An independent validator (tests/harness/store/validate.mjs, ajv) reads the schema in its own way.
int validator_says(const fs::path& document) {
  const std::string command = "node '" + (source_folder / "tests/harness/store/validate.mjs").string() + "' result '" +
                              document.string() + "' > /dev/null 2>&1";
  return WEXITSTATUS(std::system(command.c_str()));
}

TEST(Document, AnIndependentValidatorAcceptsWhatIsWritten) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.json";
  Record strange = full_record();
  strange.samples.seconds[0] = std::numeric_limits<double>::quiet_NaN();
  write_document(path, document_of({full_record(), bare_record(), strange}));
  const int code = validator_says(path);
  if (code == 127 || code == 2) GTEST_SKIP() << "node or ajv is not installed here";
  EXPECT_EQ(code, 0);
  json spoiled = json::parse(text_of_file(path));
  spoiled["records"][1]["status"] = "okay";
  EXPECT_EQ(validator_says(folder.write("spoiled.json", spoiled.dump())), 1);
}

TEST(ReadDocument, NamesTheFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("r.json", "[").string();
  EXPECT_THAT(refusal([&] { (void)read_document(path); }), testing::StartsWith(path + ": "));
}

TEST(ReadDocument, NamesATruncatedOne) {
  const std::string whole = fixture().dump(1);
  EXPECT_THAT(
      complaint(whole.substr(0, whole.find("\"machine\""))),
      testing::MatchesRegex("ends in the middle at line [0-9]+, column 2 \\(was the disk full\\? its journal continues "
                            "with: warpmark run --resume JOURNAL\\)"));
  EXPECT_THAT(complaint(""), testing::StartsWith("is empty (was the disk full?"));
}

TEST(ReadDocument, NamesWhatIsNotJsonOrTooDeep) {
  EXPECT_EQ(complaint("<!DOCTYPE html>"), R"(not JSON at line 1, column 1, where "<" ends)");
  EXPECT_EQ(complaint(std::string(3'000'000, '[')),
            "nested deeper than 64 at line 1, column 65; no warpmark wrote this");
}

TEST(ReadDocument, NamesANewerVersion) {
  const auto with_schema = [](const char* schema) {
    return complaint_after([&](json& document) { document["schema"] = schema; });
  };
  EXPECT_EQ(
      with_schema("warpmark.result/2"),
      "written by a newer warpmark (schema \"warpmark.result/2\"; this one reads warpmark.result/1): update warpmark");
  EXPECT_THAT(with_schema("warpmark.result/10"), testing::StartsWith("written by a newer warpmark"));
  EXPECT_THAT(with_schema("warpmark.result/0"), testing::HasSubstr("which no warpmark wrote"));
  EXPECT_THAT(with_schema("warpmark.result/1x"), testing::HasSubstr("which no warpmark wrote"));
  EXPECT_EQ(with_schema("warpmark.result/1"), "");
}

TEST(ReadDocument, NamesAnotherKindOfDocument) {
  EXPECT_EQ(complaint(R"({"schema":"warpmark.suite/1","name":"quick","select":[]})"),
            "is a warpmark suite, not a warpmark result; measure it with: warpmark run --suite FILE");
  const std::string journal =
      "is the journal of a run, not a warpmark result; finish that run with: warpmark run --resume JOURNAL";
  EXPECT_EQ(complaint("{\"schema\":\"warpmark.journal/1\"}\n"), journal);
  EXPECT_EQ(complaint("{\"schema\":\"warpmark.journal/1\"}\n{\"id\":1}\n{\"id"), journal);
  EXPECT_EQ(complaint(R"({"context":{},"benchmarks":[]})"),
            "not a warpmark result: it does not say \"schema\": \"warpmark.result/1\"");
  EXPECT_EQ(complaint("[1,2]"), "not a warpmark result: found an array");
  EXPECT_EQ(complaint("\"text\""), "not a warpmark result: found \"text\"");
}

TEST(ReadDocument, NamesTheFirstPlaceThatBreaksTheSchema) {
  const auto at = [](const char* pointer, json value) {
    return complaint_after([&](json& document) { document[json::json_pointer(pointer)] = std::move(value); });
  };
  EXPECT_EQ(at("/records/3/status", "okay"),
            "at /records/3/status: expected one of ok, skipped, unsupported, denied, not_converged, failed, crashed, "
            "timeout, "
            "invalid, found \"okay\"");
  EXPECT_EQ(at("/records/3", 17), "at /records/3: expected an object, found 17");
  EXPECT_EQ(at("/records", "none"), "at /records: expected an array, found \"none\"");
  EXPECT_EQ(at("/records/3/samples/seconds/2", "1"),
            "at /records/3/samples/seconds/2: expected a number or null, found \"1\"");
  EXPECT_EQ(at("/records/3/params/n", 1.5), "at /records/3/params/n: expected an integer or a string, found 1.5");
  EXPECT_EQ(at("/records/3/params/n", std::numeric_limits<std::uint64_t>::max()),
            "at /records/3/params/n: expected at most 9007199254740991, found 18446744073709551615");
  EXPECT_EQ(at("/records/3/repeat", -1), "at /records/3/repeat: expected at least 0, found -1");
  EXPECT_EQ(at("/run/protocol/interval", 0), "at /run/protocol/interval: expected more than 0, found 0");
  EXPECT_EQ(at("/run/id", ""), "at /run/id: expected a text, found an empty one");
  EXPECT_EQ(at("/run/price", "1.89/h"), "at /run/price: expected an object or null, found \"1.89/h\"");
  EXPECT_EQ(at("/run/labels/a~1b", 1), "at /run/labels/a~1b: expected a string, found 1");
  EXPECT_EQ(at("/devices/0/ceilings/f32_fma/kind", "guess"),
            "at /devices/0/ceilings/f32_fma/kind: expected one of derived, measured, unknown, found \"guess\"");
  EXPECT_EQ(at("/records/3/metrics/0/valeu", 1),
            "at /records/3/metrics/0: unknown key \"valeu\"; the nearest known one is \"value\"");
}

TEST(ReadDocument, NamesAMissingKey) {
  const auto without = [](const char* pointer, const char* key) {
    return complaint_after([&](json& document) { document[json::json_pointer(pointer)].erase(key); });
  };
  EXPECT_EQ(without("", "records"), "at the top: the key \"records\" is missing");
  EXPECT_EQ(without("/run", "ended_at"), "at /run: the key \"ended_at\" is missing");
  EXPECT_EQ(without("/run/protocol", "interval"), "at /run/protocol: the key \"interval\" is missing");
  EXPECT_EQ(without("/records/0/metrics/0", "unit"), "at /records/0/metrics/0: the key \"unit\" is missing");
  EXPECT_EQ(without("/run", "options"), "") << "an optional one";
}

TEST(ReadDocument, ReadingsBelongToSamplesOneToOne) {
  EXPECT_EQ(complaint_after([](json& document) {
              json& samples = document["records"][0]["samples"];
              samples["seconds"] = {1, 2, 3};
              samples["at"] = {0, 1, 3};
              samples["clock_hz"] = {1e9, 1e9};
            }),
            "at /records/0/samples/clock_hz: expected 3 numbers, one per entry of seconds, or none; found 2");
}

TEST(ReadDocument, WhatIsOpenStaysOpen) {
  EXPECT_EQ(complaint_after([](json& document) {
              for (const auto* pointer : {"/machine", "/machine/cpu", "/machine/software", "/devices/0/facts",
                                          "/run/build", "/run/options", "/records/0/about", "/records/0/data"})
                document[json::json_pointer(pointer)]["new"] = {{"anything", {1, "x", nullptr}}};
            }),
            "");
}

TEST(WriteDocument, LeavesTheOldOneOnAFullDisk) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "r.json";
  write_document(path, document_of({bare_record()}));
  const std::string before = text_of_file(path);
  const Document large = document_of(std::vector<Record>(100, full_record()));
  const std::string said = with_file_limit(20'000, [&] { return refusal([&] { write_document(path, large); }); });
  EXPECT_EQ(said, path.string() + ": cannot be written: File too large");
  EXPECT_EQ(text_of_file(path), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
  write_document(path, large);
  EXPECT_EQ(read_document(path).records.size(), 100U);
}

TEST(WriteDocument, NamesAFullDisk) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "r.json";
  const Document large = document_of(std::vector<Record>(100, full_record()));
  const auto said = on_small_disk(folder.path(), 65536, [&] { return refusal([&] { write_document(path, large); }); });
  if (!said) GTEST_SKIP() << "no file system may be mounted here";
  EXPECT_EQ(*said, path.string() + ": cannot be written: No space left on device");
}

}  // namespace
}  // namespace warpmark
