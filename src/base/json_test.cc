#include "base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/json_probe.h"

namespace hone::base {
namespace {

using testing::HasSubstr;

enum class Colour : std::uint8_t { red, green };
std::string_view name_of(Colour colour) { return colour == Colour::red ? "red" : "green"; }
void describe(Fields& f, Colour& colour) { f.word(colour, "colour", Colour::green); }

struct Interval {
  double low = 0, high = 0;
};
void describe(Fields& f, Interval& interval) { f.row(interval.low, interval.high); }

struct Part {
  std::string name;
  std::vector<Part> inside;
};
void describe(Fields& f, Part& part) {
  f("name", part.name);
  f.sparse("inside", part.inside);
}

struct Sample {
  bool flag = false;
  int small = 0;
  std::int64_t large = 0;
  std::uint64_t natural = 0;
  double number = 0;
  std::string text;
  std::optional<double> maybe;
  std::vector<Part> parts;
  std::map<std::string, int> counts;
  std::set<std::string> names;
  std::vector<std::pair<std::string, int>> pairs;
  Colour colour = Colour::red;
  Interval interval;
  std::filesystem::path file;
  RawJson anything;
  int tries = 3;
  std::string note;
  std::optional<Part> more;
  double inner = 0;
};

void describe(Fields& f, Sample& s) {
  f("flag", s.flag, "Whether it is one.")("small", s.small)("large", s.large)("natural", s.natural);
  f("number", s.number)("text", s.text)("maybe", s.maybe)("parts", s.parts)("counts", s.counts);
  f("names", s.names)("pairs", s.pairs)("colour", s.colour)("interval", s.interval)("file", s.file);
  f("anything", s.anything);
  f.optional("tries", s.tries);
  f.sparse("note", s.note).sparse("more", s.more);
  f("twice", 2 * s.small);
  f.group("group", [&] { f("inner", s.inner); });
}

Sample example() {
  Sample s;
  s.flag = true;
  s.small = -7;
  s.large = -(std::int64_t{1} << 60);
  s.natural = std::numeric_limits<std::uint64_t>::max();
  s.number = 0.1;
  s.text = "a \"text\"\n";
  s.maybe = 2;
  s.parts = {{"outer", {{"inner", {}}}}};
  s.counts = {{"b", 2}, {"a", 1}};
  s.names = {"y", "x"};
  s.pairs = {{"one", 1}};
  s.colour = Colour::green;
  s.interval = {1, INFINITY};
  s.file = "a/b";
  s.anything.text = R"({"z": [1, 2.50], "a": null})";
  s.tries = 5;
  s.note = "said";
  s.more = Part{"more", {}};
  s.inner = 1e-9;
  return s;
}

// The example with one field replaced by this JSON; without it where that is "".
std::string with(const std::string& name, const std::string& value) {
  auto fields = *from_json<std::map<std::string, RawJson>>(json_line(example()));
  fields[name].text = value;
  if (value.empty()) fields.erase(name);
  return json_line(fields);
}

std::string complaint(const std::string& text) {
  const auto read = from_json<Sample>(text);
  return read ? "it was read" : read.error();
}

TEST(Json, WritesEveryKindOfFieldWithSortedKeys) {
  EXPECT_EQ(json_line(example()),
            R"({"anything":{"a":null,"z":[1,2.5]},"colour":"green","counts":{"a":1,"b":2},)"
            R"("file":"a/b","flag":true,"group":{"inner":1e-09},"interval":[1.0,"inf"],)"
            R"("large":-1152921504606846976,"maybe":2.0,"more":{"name":"more"},)"
            R"("names":["x","y"],"natural":18446744073709551615,"note":"said","number":0.1,)"
            R"("pairs":[["one",1]],"parts":[{"inside":[{"name":"inner"}],"name":"outer"}],)"
            R"("small":-7,"text":"a \"text\"\n","tries":5,"twice":-14})");
}

TEST(Json, LeavesOutSparseFieldsThatAreEmptyAndSaysNullForWhatIsMissing) {
  const JsonProbe probe(json_line(Sample()));
  EXPECT_FALSE(probe.contains("note") || probe.contains("more"));
  EXPECT_EQ(probe["maybe"], nullptr);
  EXPECT_EQ(probe["tries"], 3) << "optional is about reading";
  EXPECT_EQ(probe["parts"].dump(), "[]");
  EXPECT_EQ(probe["counts"].dump(), "{}");
}

TEST(Json, ReadsWhatItWrites) {
  const auto back = from_json<Sample>(json_line(example()));
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(json_line(*back), json_line(example()));
  EXPECT_EQ(back->natural, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(back->parts.at(0).inside.at(0).name, "inner");
  EXPECT_EQ(back->interval.high, INFINITY);
  EXPECT_EQ(back->colour, Colour::green);
  EXPECT_EQ(back->inner, 1e-9);
}

TEST(Json, IndentsForPeopleAndKeepsTheOrderOfADescriptionWhereAsked) {
  const auto text = [](Fields& f) { f("b", 1)("a", "x"); };
  EXPECT_EQ(json_text(text), "{\n  \"a\": \"x\",\n  \"b\": 1\n}\n");
  EXPECT_EQ(write_json(text, in_one_line, KeyOrder::as_described), R"({"b":1,"a":"x"})");
}

TEST(Json, MergesWhatIsSaidOfOneGroupTwice) {
  EXPECT_EQ(json_line([](Fields& f) {
              f.group("g", [&] { f("a", 1); });
              f.group("g", [&] { f("b", 2); });
              f.group("empty", [] {});
            }),
            R"({"empty":{},"g":{"a":1,"b":2}})");
}

TEST(Json, WritesNumbersThatJsonHasNotAsWords) {
  const std::vector<double> odd = {INFINITY, -INFINITY, NAN, -0.0};
  EXPECT_EQ(json_line(odd), R"(["inf","-inf","nan",-0.0])");
  const auto back = from_json<std::vector<double>>(json_line(odd));
  ASSERT_TRUE(back);
  EXPECT_TRUE(std::isnan(back->at(2)));
  EXPECT_EQ(back->at(1), -INFINITY);
}

TEST(Json, ReadsAbsentFieldsOnlyWhereTheyMayBe) {
  for (const char* name : {"tries", "note", "more", "twice"})
    EXPECT_TRUE(from_json<Sample>(with(name, ""))) << name;
  EXPECT_EQ(from_json<Sample>(with("tries", ""))->tries, 3);
  EXPECT_EQ(complaint(with("parts", "")), "it has no \"parts\"");
  EXPECT_EQ(complaint(with("group", "{}")), "\"group\" has no \"inner\"");
}

TEST(Json, RefusesFieldsOfAnotherTypeAndNamesThem) {
  EXPECT_EQ(complaint(with("flag", "1")), "\"flag\" is neither true nor false: 1");
  EXPECT_EQ(complaint(with("text", "[1]")), "\"text\" is no text: [1]");
  EXPECT_EQ(complaint(with("small", "\"7\"")), "\"small\" is no number: \"7\"");
  EXPECT_EQ(complaint(with("small", "7.5")), "\"small\" is no whole number: 7.5");
  EXPECT_EQ(complaint(with("small", "true")), "\"small\" is no number: true");
  EXPECT_EQ(complaint(with("number", "\"much\"")), "\"number\" is no number: \"much\"");
  EXPECT_EQ(complaint(with("parts", "{}")), "\"parts\" is no list: {}");
  EXPECT_EQ(complaint(with("parts", R"([{"name": "a", "inside": [{"name": 3}]}])")),
            "\"parts/0/inside/0/name\" is no text: 3");
  EXPECT_EQ(complaint(with("counts", "[]")), "\"counts\" is no object: []");
  EXPECT_EQ(complaint(with("counts", R"({"a": "x"})")), "\"counts/a\" is no number: \"x\"");
  EXPECT_EQ(complaint(with("pairs", R"([["one"]])")),
            "\"pairs/0\" has fewer entries than 2: [\"one\"]");
  EXPECT_EQ(complaint(with("more", "3")), "\"more\" is no object: 3");
  EXPECT_EQ(complaint(with("colour", "\"blue\"")),
            "it names the colour 'blue', which this hone does not know");
  EXPECT_EQ(complaint("[]"), "it is no object: []");
  EXPECT_EQ(complaint("3"), "it is no object: 3");
}

TEST(Json, ReadsWholeNumbersWithAPointAndRefusesThoseThatDoNotFit) {
  EXPECT_EQ(from_json<Sample>(with("small", "7.0"))->small, 7);
  EXPECT_EQ(from_json<Sample>(with("large", "1e9"))->large, 1000000000);
  for (const char* huge : {"2147483648", "-2147483649", "1e300", "9223372036854775808"})
    EXPECT_FALSE(from_json<Sample>(with("small", huge))) << huge;
  EXPECT_FALSE(from_json<Sample>(with("large", "9223372036854775808")));
  EXPECT_FALSE(from_json<Sample>(with("large", "99999999999999999999999")));
  EXPECT_FALSE(from_json<Sample>(with("natural", "-1")));
  EXPECT_FALSE(from_json<Sample>(with("natural", "-1.0")));
  EXPECT_FALSE(from_json<Sample>(with("natural", "18446744073709551616")));
}

TEST(Json, RefusesTextsThatAreNotJson) {
  for (const char* text :
       {"", "{", "{\"a\": 1", "{\"a\": 1}}", "nul", "{'a': 1}", "1e999", "\"\xff\"", "\"\\ud800\"",
        "{\"a\": 1,}", "\"line\nbreak\"", "// comment\n{}"}) {
    EXPECT_THAT(complaint(text), HasSubstr("it is not JSON: ")) << text;
    EXPECT_FALSE(is_json(text)) << text;
  }
  EXPECT_TRUE(is_json("{}"));
}

TEST(Json, RefusesDeepNestingWithoutDoingIt) {
  const std::size_t many = 1'000'000;
  EXPECT_EQ(complaint(std::string(many, '[') + std::string(many, ']')),
            "its values are nested too deeply");
  EXPECT_EQ(complaint(std::string(many, '[')), "its values are nested too deeply");
  EXPECT_TRUE(from_json<RawJson>(std::string(400, '[') + std::string(400, ']')));
  EXPECT_TRUE(from_json<std::string>("\"" + std::string(many, '[') + "\"")) << "no nesting at all";
  EXPECT_TRUE(from_json<std::string>(R"("\"[" )"));
}

TEST(Json, TakesTheLastOfTwoFieldsWithOneName) {
  EXPECT_EQ(from_json<Part>(R"({"name": "first", "name": "second"})")->name, "second");
}

TEST(Json, PassesOverUnknownFields) {
  EXPECT_EQ(from_json<Part>(R"({"name": "a", "other": {"deep": [1]}})")->name, "a");
}

TEST(Json, QuotesWhatIsRefusedShortlyAndInAscii) {
  const std::string said = complaint(with("parts", "\"" + std::string(5000, 'x') + "\""));
  EXPECT_LT(said.size(), 120u) << said;
  EXPECT_THAT(complaint(with("parts", "\"\\u001b[31m\u202e\"")), HasSubstr("\\u001b[31m\\u202e"));
}

TEST(Json, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(json_line(std::string("a\xff")), "\"a\ufffd\"");
  EXPECT_EQ(valid_utf8("a\xff\n"), "a\ufffd\n");
  EXPECT_EQ(valid_utf8("ä"), "ä");
}

TEST(Json, LenientFieldsKeepTheirValueWhereTheDocumentHasSomethingElse) {
  struct Loose {
    int number = 7;
    std::vector<Part> parts = {{"kept", {}}};
    std::string last;
  };
  Loose loose;
  const auto describe = [&](Fields& f) {
    f.lenient("number", loose.number).lenient("parts", loose.parts);
    f("last", loose.last);
  };
  read_json(R"({"number": "x", "parts": [{"name": "new"}, {"name": 3}], "last": "read"})",
            describe);
  EXPECT_EQ(loose.number, 7);
  ASSERT_EQ(loose.parts.size(), 1u);
  EXPECT_EQ(loose.parts.front().name, "kept");
  EXPECT_EQ(loose.last, "read") << "the reader stands where it stood";
  read_json(R"({"last": ""})", describe);
  EXPECT_EQ(loose.number, 7);
}

TEST(Json, ReadsAndWritesOneOfSeveralTypes) {
  struct Wrapped {
    std::variant<Part, Sample> value;
  } wrapped;
  const auto describe = [&](Fields& f) {
    f.choice("what", wrapped.value, "thing", {"part", "sample"});
  };
  wrapped.value = Part{"a", {}};
  const std::string text = json_line(describe);
  EXPECT_EQ(text, R"({"name":"a","what":"part"})");
  wrapped.value = Sample();
  read_json(text, describe);
  EXPECT_EQ(std::get<Part>(wrapped.value).name, "a");
  EXPECT_THROW(read_json(R"({"what": "other"})", describe), Error);
  EXPECT_THROW(read_json(R"({"name": "a"})", describe), Error);
}

TEST(Json, DescribesEachItemOfAListInPlace) {
  const std::vector<int> numbers = {1, 2};
  EXPECT_EQ(json_line([&](Fields& f) {
              f.list("all", numbers, [&](const int& one) { f("square", one * one); });
            }),
            R"({"all":[{"square":1},{"square":4}]})");
}

TEST(Json, WritesPointersAsTheirValueOrNull) {
  const Part part{"a", {}};
  const Part* none = nullptr;
  EXPECT_EQ(json_line([&](Fields& f) { f("some", &part)("none", none); }),
            R"({"none":null,"some":{"name":"a"}})");
}

TEST(Json, RefusesRawJsonThatIsNone) {
  EXPECT_THROW(json_line(RawJson{"{"}), Error);
  EXPECT_EQ(from_json<RawJson>("[1, {\"b\": 2.50, \"a\": \"x\"}]")->text,
            R"([1,{"a":"x","b":2.5}])");
}

TEST(JsonSchema, HasTypesRequiredFieldsAndTexts) {
  const JsonProbe schema(json_schema<Sample>());
  const JsonProbe fields = schema["properties"];
  EXPECT_EQ(schema["type"], "object");
  EXPECT_EQ(fields["flag"].dump(), R"({"description":"Whether it is one.","type":"boolean"})");
  EXPECT_EQ(fields["small"]["type"], "integer");
  EXPECT_EQ(fields["natural"]["minimum"], 0);
  EXPECT_EQ(fields["number"]["type"].dump(), R"(["number","string"])");
  EXPECT_EQ(fields["maybe"]["type"].dump(), R"(["number","string","null"])");
  EXPECT_EQ(fields["colour"]["enum"].dump(), R"(["red","green"])");
  EXPECT_EQ(fields["interval"]["prefixItems"].size(), 2u);
  EXPECT_EQ(fields["names"]["items"]["type"], "string");
  EXPECT_EQ(fields["group"]["properties"]["inner"]["type"][0], "number");
  EXPECT_EQ(fields["anything"].dump(), "{}");
  EXPECT_EQ(fields["counts"]["type"], "object");
  std::vector<std::string> required;
  for (const auto& name : schema["required"].items()) required.push_back(name.text());
  EXPECT_THAT(required, testing::IsSupersetOf({"flag", "maybe", "twice", "group"}));
  EXPECT_THAT(required, testing::Not(testing::Contains(testing::AnyOf("tries", "note", "more"))));
}

TEST(JsonSchema, EndsWhereATypeContainsItself) {
  EXPECT_EQ(JsonProbe(json_schema<Part>())["properties"]["inside"]["items"]["type"], "object");
}

}  // namespace
}  // namespace hone::base
