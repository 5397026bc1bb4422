#include "adapters/task_yml.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"

namespace hone::adapters {
namespace {

using base::ExitCode;
namespace fs = std::filesystem;

constexpr std::uint64_t largest_yml = 256u << 10, largest_file = 1u << 20;
constexpr std::size_t most_files = 32, most_cases = 100, most_arguments = 64, most_numbers = 256,
                      longest_summary = 200;
constexpr const char* submission = "@SUBMISSION@";
// Sources may lie beside the problem: one folder up, or in the next collection of problems, two up.
// Not further.
constexpr int furthest_up = 2;

class Reader {
 public:
  explicit Reader(fs::path file) : file_(std::move(file)) {}

  TaskYml read() {
    const YAML::Node root = parse();
    TaskYml out;
    if (!root.IsMap()) fail(root, "a task.yml is a mapping: files, lang, tests, benchmarks");
    language(root);
    summary(root, out);
    files(root, out);
    out.tests = cases(root, "tests");
    out.benchmarks = cases(root, "benchmarks");
    if (out.benchmarks.empty()) fail(root, "there are no benchmarks: nothing would be timed");
    ranking(root, out);
    if (const auto node = root["test_timeout"]) out.test_timeout = seconds(node);
    return out;
  }

 private:
  [[noreturn]] void fail_at(const YAML::Mark& mark, const std::string& text) const {
    if (mark.is_null()) base::fail(ExitCode::bad_input, "{}: {}", file_.string(), text);
    base::fail(ExitCode::bad_input, "{}:{}:{}: {}", file_.string(), mark.line + 1, mark.column + 1,
               text);
  }
  [[noreturn]] void fail(const YAML::Node& node, const std::string& text) const {
    fail_at(node.Mark(), text);
  }

  YAML::Node parse() const {
    std::error_code ec;
    if (!fs::is_regular_file(file_, ec))
      base::fail(ExitCode::bad_input,
                 "{}: there is no such file; a problem of GPU MODE is a folder with a task.yml",
                 file_.string());
    try {
      return YAML::Load(base::read_file(file_, largest_yml));
    } catch (const YAML::ParserException& error) {
      fail_at(error.mark, fmt::format("this is not YAML: {}", error.msg));
    }
  }

  // What must be there, of the kind that is asked for.
  YAML::Node need(const YAML::Node& map, const char* key, YAML::NodeType::value type,
                  const char* kind) const {
    const YAML::Node node = map[key];
    if (!node) fail(map, fmt::format("there is no '{}': it is {}", key, kind));
    if (node.Type() != type) fail(node, fmt::format("'{}' is {}", key, kind));
    return node;
  }

  void language(const YAML::Node& root) const {
    const auto node = need(root, "lang", YAML::NodeType::Scalar, "\"py\"");
    if (node.Scalar() != "py")
      fail(node, fmt::format("lang is \"{}\"; only problems in Python can be judged (lang: \"py\")",
                             printable(node)));
    const auto several = root["multi_gpu"];
    if (several && truth(several) != "False")
      fail(several, "the problem is for several GPUs (multi_gpu); the judge has one");
  }

  void summary(const YAML::Node& root, TaskYml& out) const {
    const auto node = root["description"];
    std::string text = node && node.IsScalar() ? node.Scalar() : "";
    text.erase(0, text.find_first_not_of(" \n\t\r"));
    text = text.substr(0, std::min(text.find('\n'), longest_summary));
    std::erase_if(text, [](unsigned char c) { return c < ' ' || c > '~'; });
    out.summary = text.empty() ? "A problem of GPU MODE." : text;
  }

  void files(const YAML::Node& root, TaskYml& out) const {
    const auto list = need(root, "files", YAML::NodeType::Sequence, "a list of { name, source }");
    if (list.size() > most_files)
      fail(list, fmt::format("there are {} files; {} at most", list.size(), most_files));
    for (const auto& entry : list) {
      if (!entry.IsMap()) fail(entry, "a file is { name: ..., source: ... }");
      const auto name =
          need(entry, "name", YAML::NodeType::Scalar, "the file's name in the flat folder");
      const auto source = need(entry, "source", YAML::NodeType::Scalar,
                               "where its text lies, relative to task.yml");
      if (source.Scalar() == submission) continue;
      check_name(name);
      if (!out.files.emplace(name.Scalar(), text_of(source)).second)
        fail(name, fmt::format("the file {} stands twice", name.Scalar()));
    }
    if (!out.files.contains("reference.py")) fail(list, "there is no reference.py among the files");
  }

  void check_name(const YAML::Node& name) const {
    const std::string& text = name.Scalar();
    const bool plain = text.size() > 3 && text.size() <= 64 && text.ends_with(".py") &&
                       std::all_of(text.begin(), text.end() - 3, [](unsigned char c) {
                         return c < 0x80 && (std::isalnum(c) != 0 || c == '_');
                       });
    if (!plain)
      fail(name,
           fmt::format("'{}' cannot be a file of the problem: letters, digits and _, then .py",
                       printable(name)));
  }

  std::string text_of(const YAML::Node& source) const {
    const fs::path given = source.Scalar();
    const fs::path folder = fs::absolute(file_).parent_path();
    std::error_code ec;
    const fs::path real = fs::weakly_canonical(folder / given, ec);
    fs::path highest = fs::weakly_canonical(folder, ec);
    for (int up = 0; up < furthest_up; ++up) highest = highest.parent_path();
    const fs::path relative = real.lexically_relative(highest);
    const bool inside = !given.is_absolute() && !relative.empty() && *relative.begin() != "..";
    if (!inside || given.extension() != ".py" || real.extension() != ".py")
      fail(source, fmt::format("'{}' is not taken: sources are Python files in the problem's "
                               "folder, or at most {} folders above it",
                               printable(source), furthest_up));
    if (!fs::is_regular_file(real, ec))
      fail(source, fmt::format("'{}' is not there ({})", printable(source), real.string()));
    if (fs::file_size(real, ec) > largest_file)
      fail(source,
           fmt::format("'{}' is larger than {} KiB", printable(source), largest_file >> 10));
    std::string text = base::read_file(real, largest_file);
    if (base::valid_utf8(text) != text)  // it travels as JSON
      fail(source, fmt::format("'{}' is not UTF-8", printable(source)));
    return text;
  }

  std::vector<Arguments> cases(const YAML::Node& root, const char* key) const {
    std::vector<Arguments> out;
    const auto list = root[key];
    if (!list || list.IsNull()) return out;
    if (!list.IsSequence())
      fail(list, fmt::format("'{}' is a list of arguments for generate_input", key));
    if (list.size() > most_cases)
      fail(list, fmt::format("there are {} {}; {} at most", list.size(), key, most_cases));
    for (const auto& entry : list) {
      if (!entry.IsMap() || entry.size() > most_arguments)
        fail(entry,
             "a case is a mapping of arguments for generate_input, such as {size: 1024, seed: 1}");
      Arguments& arguments = out.emplace_back();
      for (const auto& argument : entry) {
        if (!argument.first.IsScalar() || !is_identifier(argument.first.Scalar()))
          fail(argument.first,
               fmt::format("'{}' cannot be an argument's name", printable(argument.first)));
        arguments[argument.first.Scalar()] = value_of(argument.second);
      }
    }
    return out;
  }

  // As the official evaluator's parser has it: a number or a word. What YAML takes for true becomes
  // the word "True".
  base::RawJson value_of(const YAML::Node& node) const {
    if (node.IsNull()) return {"\"None\""};
    if (node.IsSequence() && node.size() <= most_numbers) {
      std::vector<base::RawJson> list;
      for (const auto& one : node) {
        if (!one.IsScalar()) fail(one, "a list of arguments has numbers in it");
        list.push_back(value_of(one));
      }
      return {base::json_line(list)};
    }
    if (!node.IsScalar()) fail(node, "an argument is a number, a word, or a list of numbers");
    const std::string& text = node.Scalar();
    std::int64_t whole = 0;
    const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const char* end = text.data() + text.size();
    if (const auto read = std::from_chars(begin, end, whole);
        read.ec == std::errc() && read.ptr == end)
      return {base::json_line(whole)};
    const bool quoted = node.Tag() == "!";
    if (!quoted && !truth(node).empty()) return {base::json_line(truth(node))};
    double number = 0;
    if (const auto read = std::from_chars(begin, end, number);
        !quoted && read.ec == std::errc() && read.ptr == end && std::isfinite(number))
      return {base::json_line(number)};
    if (text.size() > 256 || !std::all_of(text.begin(), text.end(),
                                          [](unsigned char c) { return c >= ' ' && c <= '~'; }))
      fail(node, "an argument is a number, a word, or a list of numbers");
    return {base::json_line(text)};
  }

  static std::string truth(const YAML::Node& node) {
    static const std::set<std::string> yes = {"true", "True", "TRUE", "yes", "Yes",
                                              "YES",  "on",   "On",   "ON"},
                                       no = {"false", "False", "FALSE", "no", "No",
                                             "NO",    "off",   "Off",   "OFF"};
    if (!node.IsScalar()) return "";
    return yes.contains(node.Scalar()) ? "True" : no.contains(node.Scalar()) ? "False" : "";
  }

  void ranking(const YAML::Node& root, TaskYml& out) const {
    const auto node = root["ranking_by"];
    if (!node) return;
    if (!node.IsScalar() ||
        (node.Scalar() != "last" && node.Scalar() != "mean" && node.Scalar() != "geom"))
      fail(node, "ranking_by is \"last\", \"mean\" or \"geom\"");
    out.ranking = node.Scalar();
  }

  double seconds(const YAML::Node& node) const {
    constexpr double longest = 3600;
    const auto value = base::from_json<double>(node.IsScalar() ? value_of(node).text : "");
    if (!value || !(*value > 0 && *value <= longest))
      fail(node, fmt::format("a timeout is a number of seconds, {:.0f} at most", longest));
    return *value;
  }

  static bool is_identifier(const std::string& text) {
    return !text.empty() && text.size() <= 64 &&
           std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) {
             return c < 0x80 && (std::isalnum(c) != 0 || c == '_');
           });
  }

  static std::string printable(const YAML::Node& node) {
    std::string text = node.IsScalar() ? node.Scalar().substr(0, 200) : "";
    std::erase_if(text, [](unsigned char c) { return c < ' ' || c > '~'; });
    return text;
  }

  fs::path file_;
};

}  // namespace

TaskYml read_task_yml(const fs::path& folder) {
  std::error_code ec;
  const fs::path file = fs::is_directory(folder, ec) ? folder / "task.yml" : folder;
  TaskYml out;
  try {
    out = Reader(file).read();
  } catch (const YAML::Exception& error) {
    base::fail(ExitCode::bad_input, "{}: it cannot be read: {}", file.string(), error.what());
  }
  out.name = fs::absolute(file).lexically_normal().parent_path().filename().string();
  return out;
}

}  // namespace hone::adapters
