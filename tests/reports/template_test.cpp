// SPDX-License-Identifier: Apache-2.0
#include "reports/render/template.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace warpmark {
namespace {

TEST(HtmlText, MakesMarkupHarmless) {
  EXPECT_EQ(html_text(R"(<img src="x" onerror='a()'> & more)"),
            "&lt;img src=&quot;x&quot; onerror=&#39;a()&#39;&gt; &amp; more");
  EXPECT_EQ(html_text("plain µ text"), "plain µ text");
}

TEST(HtmlText, ReplacesCharactersThatSteer) {
  EXPECT_EQ(html_text(std::string_view("a\0b\x1b[31m\x7f", 9)), "a\uFFFDb\uFFFD[31m\uFFFD");
  EXPECT_EQ(html_text("\u202eevil\u202c \u2066x\u2069"), "\uFFFDevil\uFFFD \uFFFDx\uFFFD");
  EXPECT_EQ(html_text("\u0085"), "\uFFFD");
  EXPECT_EQ(html_text("tab\tline\n – é \u2028"), "tab\tline\n – é \u2028");
}

TEST(Displayable, ReplacesCharactersThatSteerInEveryText) {
  const nlohmann::json values{{"a", {"x\u202ey", 1, nullptr}}, {"b", {{"c", "\u001b[31m<b>"}}}};
  EXPECT_EQ(displayable(values), (nlohmann::json{{"a", {"x\uFFFDy", 1, nullptr}}, {"b", {{"c", "\uFFFD[31m<b>"}}}}));
}

TEST(FillTemplate, EscapesWithTwoBracesAndNotWithThree) {
  EXPECT_EQ(fill_template("{{a}}|{{{a}}}", {{"a", "<b>"}}), "&lt;b&gt;|<b>");
}

TEST(FillTemplate, DoesNotReadTagsInValues) {
  EXPECT_EQ(fill_template("{{a}}{{{a}}}", {{"a", "{{b}}"}, {"b", "x"}}), "{{b}}{{b}}");
}

TEST(FillTemplate, NullLeavesASectionOutAndHidesWhatLiesFurtherOut) {
  const nlohmann::json values{{"note", "outer"}, {"rows", {{{"note", nullptr}}, {{"note", "own"}}}}};
  EXPECT_EQ(fill_template("{{#rows}}[{{#note}}({{note}}){{/note}}{{note}}]{{/rows}}", values), "[][(own)own]");
}

TEST(FillTemplate, RefusesATemplateThatIsNotWhole) {
  EXPECT_THROW(static_cast<void>(fill_template("{{#a}}", {{"a", true}})), std::logic_error);
}

TEST(ScriptJson, CannotEndTheScript) {
  const std::string text = script_json({{"a", "</script><!--<script>"}});
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(text)["a"], "</script><!--<script>");
}

}  // namespace
}  // namespace warpmark
