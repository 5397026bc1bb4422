// What the official evaluators look for in a text, and the light loader as it is pasted into one.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>

#include <fmt/format.h>

#include "base/error.h"
#include "base/resources.h"
#include "export/export_python.h"

namespace hone::exports {
namespace {

using base::ExitCode;

// GPU MODE's server refuses a file with this word in it, whatever it means there.
constexpr std::string_view queue_word = "stream";

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// KernelBench's checker cuts lines at # and //, wherever they stand.
std::string without_comments(const std::string& text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    out += line.substr(0, std::min(line.find('#'), line.find("//"))) + "\n";
    at = end + 1;
  }
  return out;
}

struct Rule {
  const char* pattern;
  const char* says;
};
// The strict ones of KernelBench's kernel_static_checker.
constexpr Rule kernelbench_rules[] = {
    {R"(\btry\s*:|\bexcept\s*:|\bexcept\s+\w+)", "it has a try or an except"},
    {R"(\bpass\b)", "it has the word pass"},
    {R"(import\s+threading|from\s+threading\s+import|threading\.Thread\s*\(|import\s+multiprocessing|concurrent\.futures|PoolExecutor|multiprocessing\.(Process|Pool|Manager|Queue|Pipe))",
     "it uses threads or processes"},
    {R"(_make_subclass|class\s+\w+.*\((torch\.)?Tensor\)|torch\.Tensor\.__new__)", "it derives from torch.Tensor"},
    {R"(torch\.cuda\.Event(\.record|\.elapsed_time)?\s*=|torch\.cuda\.synchronize\s*=|time\.(perf_counter|time)\s*=)",
     "it replaces a clock"},
};

std::string replaced_words(const std::string& text, const std::string& word, const std::string& by) {
  return std::regex_replace(text, std::regex("\\b" + word + "\\b"), by);
}

}  // namespace

std::string without_refused_words(std::string source, Evaluation evaluation) {
  if (evaluation == Evaluation::kernelbench) {
    for (const char* word : {"pass", "try", "except"}) source = replaced_words(source, word, word + std::string("_"));
    return source;
  }
  if (evaluation != Evaluation::gpumode) return source;
  for (std::size_t at = 0; (at = lower(source).find(queue_word, at)) != std::string::npos;)
    source.erase(at + 4, 1);  // "strem", in whatever case
  return source;
}

std::vector<std::string> broken_rules(const std::string& text, Evaluation evaluation, bool inline_cuda) {
  std::vector<std::string> out;
  if (evaluation == Evaluation::gpumode) {
    const std::size_t at = lower(text).find(queue_word);
    if (at != std::string::npos)
      out.push_back(fmt::format("it has the word \"{}\" in line {}, which GPU MODE's server refuses", queue_word,
                                std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1));
    return out;
  }
  const std::string code = without_comments(text);
  for (const auto& rule : kernelbench_rules)
    if (std::regex_search(code, std::regex(rule.pattern)))
      out.push_back(fmt::format("{}, which KernelBench's static checker refuses", rule.says));
  if (inline_cuda &&
      (code.find("__global__") == std::string::npos ||
       (code.find("load_inline") == std::string::npos && code.find("cpp_extension") == std::string::npos)))
    out.emplace_back("it has no __global__ or no load_inline, which KernelBench's static checker asks for");
  return out;
}

std::string indented(const std::string& text, const std::string& by) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) out += by + text.substr(at, end - at);
    out += "\n";
    at = end + 1;
  }
  return out;
}

std::string python_text(const std::string& text) {
  for (const std::string quote : {"\"\"\"", "'''"})
    if (text.find(quote) == std::string::npos && !text.empty() && text.back() == '\n')
      return "r" + quote + text + quote;
  std::string out = "(\n    \"";
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    out += c == '\n' ? "\\n\"\n    \"" : std::string(1, c);
  }
  return out + "\")";
}

std::string pasted_loader(Evaluation evaluation, const std::string& indent, const std::string& assignments) {
  std::string loader = base::resource("python/hone_light.py");
  if (evaluation == Evaluation::gpumode) {
    const std::size_t at = loader.find("def _queue()"), end = loader.find("\n\n", at);
    if (at == std::string::npos || end == std::string::npos)
      base::fail(ExitCode::environment, "the resource python/hone_light.py has no function _queue");
    loader.replace(at, end - at, "def _queue():  # the default one, which is torch's own there\n    return 0");
  }
  return indented("def _hone_light():\n" + indented(loader, "    ") + "    return hone_light\n\n\n" + assignments,
                  indent);
}

std::string python_with_loader(const std::string& text, Evaluation evaluation) {
  std::string out;
  std::size_t at = 0;
  bool pasted = false, imported = false;
  const std::regex whole(R"(^(\s*)import\s+hone_light(?:\s+as\s+(\w+))?\s*(?:#.*)?$)"),
      parts(R"(^(\s*)from\s+hone_light\s+import\s+([\w\s,]+?)\s*(?:#.*)?$)"), name(R"((\w+)(?:\s+as\s+(\w+))?)");
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    std::smatch found;
    std::string assignments;
    if (std::regex_match(line, found, whole)) {
      assignments = fmt::format("{} = _hone_light()\n", found[2].matched ? found[2].str() : "hone_light");
    } else if (std::regex_match(line, found, parts)) {
      const std::string list = found[2];
      assignments = "_hone_loader = _hone_light()\n";
      for (std::sregex_iterator one(list.begin(), list.end(), name), last; one != last; ++one)
        assignments += fmt::format("{} = _hone_loader.{}\n", (*one)[2].matched ? (*one)[2].str() : (*one)[1].str(),
                                   (*one)[1].str());
    } else {
      out += line + "\n";
      continue;
    }
    const std::string indent = found[1];
    out += pasted ? indented(assignments, indent) : pasted_loader(evaluation, indent, assignments);
    pasted = pasted || indent.empty();  // in a function it is there for that function alone
    imported = true;
  }
  if (!imported && std::regex_search(text, std::regex(R"((^|\n)[^#\n]*\bimport\b[^#\n]*\bhone_light\b)")))
    base::fail(ExitCode::bad_input,
               "write `import hone_light` on a line of its own: the loader is pasted in its place");
  return out;
}

std::vector<ExportedFile> export_python_text(const std::string& name, const std::string& text, ExportFormat format) {
  const bool kernelbench = format == ExportFormat::kernelbench;
  const char* entry = kernelbench ? "class ModelNew" : "def custom_kernel";
  if (text.find(entry) == std::string::npos)
    base::fail(ExitCode::bad_input, "{} has no `{}`, which {} calls", name, entry,
               kernelbench ? "KernelBench" : "GPU MODE");
  ExportedFile file{std::filesystem::path(name).stem().string() + (kernelbench ? "_kernelbench.py" : "_gpumode.py"),
                    python_with_loader(text, format),
                    {}};
  file.notes = broken_rules(file.text, format, false);
  return {file};
}

}  // namespace hone::exports
