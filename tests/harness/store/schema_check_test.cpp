// SPDX-License-Identifier: Apache-2.0
#include "harness/store/schema_check.h"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

#include "embedded/schemas.h"
#include "harness/core/dtype.h"
#include "harness/core/status.h"
#include "harness/store/suite.h"
#include "tests/harness/store/sample_records.h"
#include "tests/harness/store/temporary_folder.h"

namespace warpmark {
namespace {

using nlohmann::json;

json schema_named(std::string_view name) {
  for (const embedded::File& file : embedded::schemas())
    if (file.name == name) return json::parse(file.text);
  throw std::logic_error("no such schema");
}

json result_defs() { return schema_named("result.schema.json").at("$defs"); }

std::set<std::string> words_of(const json& array) { return array.get<std::set<std::string>>(); }

std::set<std::string> keys_of(const json& object) {
  std::set<std::string> keys;
  for (const auto& [key, unused] : object.items()) keys.insert(key);
  return keys;
}

TEST(Schemas, TheProgramHoldsThePublishedOnes) {
  EXPECT_EQ(embedded::schemas().size(), 3U);
  for (const embedded::File& file : embedded::schemas()) {
    const auto path = std::filesystem::path(WARPMARK_SOURCE_DIR) / "harness/store/schema" / file.name;
    EXPECT_EQ(text_of_file(path), file.text);
    EXPECT_EQ(json::parse(file.text).at("$id"), file.name);
  }
}

/// Adds every keyword of a schema that drafts 7 and 2020-12 do not understand alike, or that the program's validator
/// handles by regular expressions (pattern, format), which overflow the stack on long texts.
void collect_foreign_keywords(const json& schema, std::set<std::string>& foreign) {
  static const std::set<std::string> shared{"$schema",
                                            "$id",
                                            "$ref",
                                            "$defs",
                                            "title",
                                            "description",
                                            "type",
                                            "enum",
                                            "const",
                                            "properties",
                                            "required",
                                            "additionalProperties",
                                            "items",
                                            "minItems",
                                            "maxItems",
                                            "minLength",
                                            "maxLength",
                                            "minimum",
                                            "exclusiveMinimum",
                                            "maximum",
                                            "allOf",
                                            "anyOf"};
  if (!schema.is_object()) return;
  for (const auto& [keyword, value] : schema.items()) {
    if (!shared.contains(keyword)) foreign.insert(keyword);
    if (keyword == "properties" || keyword == "$defs" || keyword == "allOf" || keyword == "anyOf") {
      for (const json& part : value) collect_foreign_keywords(part, foreign);
    } else if (keyword == "items" || keyword == "additionalProperties") {
      collect_foreign_keywords(value, foreign);
    }
  }
}

TEST(Schemas, UseOnlyWhatDrafts7And2020UnderstandAlike) {
  std::set<std::string> foreign;
  for (const embedded::File& file : embedded::schemas()) collect_foreign_keywords(json::parse(file.text), foreign);
  EXPECT_THAT(foreign, testing::IsEmpty());
  collect_foreign_keywords({{"$defs", {{"a", {{"items", {{"prefixItems", json::array()}}}}}}}}, foreign);
  EXPECT_THAT(foreign, testing::ElementsAre("prefixItems"));
}

TEST(Schemas, TheProtocolIsTheOneOfTheProgram) {
  [[maybe_unused]] const auto [a, b, c, d, e, f, g, h] = Protocol{};  // does not compile when there is another field
  const json protocol = to_json(Protocol{});
  EXPECT_EQ(protocol.size(), 8U);
  EXPECT_EQ(keys_of(result_defs().at("protocol").at("properties")), keys_of(protocol));
  EXPECT_EQ(words_of(result_defs().at("whole_protocol").at("allOf").at(1).at("required")), keys_of(protocol));
  for (const auto& [key, value] : protocol.items())
    EXPECT_EQ(result_defs().at("protocol").at("properties").at(key).at("type"),
              value.is_number_integer() ? "integer" : "number");
  EXPECT_FALSE(schema_violation("whole_protocol", protocol).has_value());
}

TEST(Schemas, TheWordsAreTheOnesOfTheProgram) {
  std::set<std::string> statuses;
  for (const Status status : all_statuses()) statuses.emplace(name_of(status));
  EXPECT_EQ(words_of(result_defs().at("record").at("properties").at("status").at("enum")), statuses);
  const auto check = [](const json& definition, const auto&... words) {
    EXPECT_EQ(words_of(definition.at("enum")), (std::set<std::string>{std::string(name_of(words))...}));
  };
  check(result_defs().at("dtype"), DType::f64, DType::f32, DType::f16, DType::bf16, DType::e4m3, DType::i8, DType::i32,
        DType::u64, DType::u8);
  check(result_defs().at("mode"), Mode::isolated, Mode::batch);
  check(result_defs().at("metric").at("properties").at("better"), Better::higher, Better::lower);
  check(result_defs().at("ceiling").at("properties").at("kind"), CeilingKind::derived, CeilingKind::measured,
        CeilingKind::unknown);
}

TEST(SchemaViolation, ThereIsNoneInARecord) {
  EXPECT_FALSE(schema_violation("record", to_json(full_record())).has_value());
  EXPECT_FALSE(schema_violation("record", to_json(bare_record())).has_value());
}

/// JSON pointers of all values inside `value` that `wanted` picks.
template <class Wanted>
void collect(const json& value, const std::string& pointer, Wanted wanted, std::vector<std::string>& found) {
  if (wanted(value)) found.push_back(pointer);
  if (value.is_structured())
    for (const auto& [key, child] : value.items()) collect(child, pointer_to(pointer, key), wanted, found);
}

bool is_open(const std::string& pointer) { return pointer.starts_with("/about") || pointer.starts_with("/data"); }

TEST(SchemaViolation, NoValueOfARecordMayBeOfAnotherType) {
  std::vector<std::string> pointers;
  collect(
      to_json(full_record()), "", [](const json&) { return true; }, pointers);
  for (const std::string& pointer : pointers) {
    if (pointer.empty() || (is_open(pointer) && pointer.rfind('/') > 0)) continue;
    json record = to_json(full_record());
    json& value = record[json::json_pointer(pointer)];
    value = value.is_boolean() ? json(1) : json(true);
    const auto violation = schema_violation("record", record);
    ASSERT_TRUE(violation.has_value()) << pointer;
    EXPECT_EQ(violation->pointer, pointer);
    EXPECT_THAT(violation->what, testing::StartsWith("expected ")) << pointer;
  }
  EXPECT_GT(pointers.size(), 80U);
}

TEST(SchemaViolation, NoObjectOfARecordMayLackAKeyOrHaveAnother) {
  const json whole = to_json(full_record());
  std::vector<std::string> objects;
  collect(
      whole, "", [](const json& value) { return value.is_object(); }, objects);
  for (const std::string& pointer : objects) {
    if (is_open(pointer) || pointer == "/telemetry") continue;
    const json::json_pointer at(pointer);
    json more = whole;
    more[at]["new"] = true;  // params takes other keys, but no such value
    EXPECT_TRUE(schema_violation("record", more).has_value()) << pointer;
    for (const auto& [key, unused] : whole[at].items()) {
      json less = whole;
      less[at].erase(key);
      const bool is_axis = pointer == "/params" && key != "variant" && key != "dtype";
      const bool is_wall_time = key == "warmup_seconds" || key == "sampling_seconds" || key == "verification_seconds";
      const bool may_lack = is_axis || is_wall_time || key == "telemetry" || key == "course" || key == "modes" ||
                            key == "p999" || key == "setting" || key == "steps";
      EXPECT_EQ(schema_violation("record", less).has_value(), !may_lack) << pointer << "/" << key;
    }
  }
  // The record, params, work, two metrics, samples, stats, modes, course, verification, data, about and one inside it,
  // telemetry and two inside it.
  EXPECT_EQ(objects.size(), 16U);
}

TEST(SchemaViolation, PointsThroughStrangeKeys) {
  const auto violation = schema_violation("run", [] {
    json run = document_of({}).run;
    run["labels"]["a/b~c[0]"] = 1;
    return run;
  }());
  ASSERT_TRUE(violation.has_value());
  EXPECT_EQ(violation->pointer, "/labels/a~1b~0c[0]");
}

TEST(SchemaViolation, RefusesAnUnknownPart) {
  EXPECT_THROW((void)schema_violation("nothing", json()), std::logic_error);
}

TEST(SchemaViolation, TheHeadOfAJournalIsNoWholeRun) {
  json head = journal_head();
  head["schema"] = "warpmark.journal/1";
  EXPECT_FALSE(schema_violation("head", head).has_value());
  EXPECT_TRUE(schema_violation("ended_run", head.at("run")).has_value());
}

}  // namespace
}  // namespace warpmark
