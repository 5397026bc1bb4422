#include "export/light_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "base/error.h"
#include "base/resources.h"
#include "export/python_text.h"

namespace hone::exports {

using base::ExitCode;

std::string pasted_loader(ExportFormat format, const std::string& indent,
                          const std::string& assignments) {
  std::string loader = base::resource("python/hone_light.py");
  if (format == ExportFormat::gpumode) {
    const std::size_t at = loader.find("def _queue()"), end = loader.find("\n\n", at);
    if (at == std::string::npos || end == std::string::npos)
      base::fail(ExitCode::environment, "the resource python/hone_light.py has no function _queue");
    loader.replace(at, end - at,
                   "def _queue():  # the default one, which is torch's own there\n    return 0");
  }
  return indented("def _hone_light():\n" + indented(loader, "    ") +
                      "    return hone_light\n\n\n" + assignments,
                  indent);
}

std::string python_with_loader(const std::string& text, ExportFormat format) {
  std::string out;
  std::size_t at = 0;
  bool pasted = false, imported = false;
  const std::regex whole(R"(^(\s*)import\s+hone_light(?:\s+as\s+(\w+))?\s*(?:#.*)?$)"),
      parts(R"(^(\s*)from\s+hone_light\s+import\s+([\w\s,]+?)\s*(?:#.*)?$)"),
      name(R"((\w+)(?:\s+as\s+(\w+))?)");
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    std::smatch found;
    std::string assignments;
    if (std::regex_match(line, found, whole)) {
      assignments =
          fmt::format("{} = _hone_light()\n", found[2].matched ? found[2].str() : "hone_light");
    } else if (std::regex_match(line, found, parts)) {
      const std::string list = found[2];
      assignments = "_hone_loader = _hone_light()\n";
      for (std::sregex_iterator one(list.begin(), list.end(), name), last; one != last; ++one)
        assignments +=
            fmt::format("{} = _hone_loader.{}\n",
                        (*one)[2].matched ? (*one)[2].str() : (*one)[1].str(), (*one)[1].str());
    } else {
      out += line + "\n";
      continue;
    }
    const std::string indent = found[1];
    out += pasted ? indented(assignments, indent) : pasted_loader(format, indent, assignments);
    pasted = pasted || indent.empty();  // in a function it is there for that function alone
    imported = true;
  }
  if (!imported &&
      std::regex_search(text, std::regex(R"((^|\n)[^#\n]*\bimport\b[^#\n]*\bhone_light\b)")))
    base::fail(ExitCode::bad_input,
               "write `import hone_light` on a line of its own: the loader is pasted in its place");
  return out;
}

}  // namespace hone::exports
