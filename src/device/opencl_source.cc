#include "device/opencl_source.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <set>

#include "core/source_lines.h"

namespace hone::device {
namespace {

bool starts_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool in_word(char c) { return starts_word(c) || std::isdigit(static_cast<unsigned char>(c)); }

std::size_t after_quoted(std::string_view source, std::size_t at) {
  const char quote = source[at++];
  while (at < source.size() && source[at] != quote && source[at] != '\n')
    at += source[at] == '\\' ? 2 : 1;
  return std::min(at + 1, source.size());
}

std::size_t after(std::string_view source, std::string_view what, std::size_t from) {
  const std::size_t found = source.find(what, from);
  return found == std::string_view::npos ? source.size() : found + what.size();
}

// The identifier at a line and column, both from 1; "" if there is none.
std::string word_at(std::string_view source, std::size_t line, std::size_t column) {
  source = core::counted_text(source);
  std::size_t at = 0;
  for (; line > 1 && at < source.size(); --line) at = after(source, "\n", at);
  at += column - 1;
  std::size_t end = at;
  while (end < source.size() && in_word(source[end])) ++end;
  return at < end ? std::string(source.substr(at, end - at)) : "";
}

// clang's "FILE:LINE:COLUMN: what", for each time it says so. The text in front of `what` ends with
// the position.
template <typename Found>
void for_each_complaint(std::string_view log, std::string_view what, const Found& found) {
  for (std::size_t at = log.find(what); at != std::string_view::npos; at = log.find(what, at + 1)) {
    const std::size_t start = log.rfind('\n', at) + 1;  // npos + 1 is 0
    std::string_view place = log.substr(start, at - start);
    std::size_t numbers[2] = {};  // column, line
    for (std::size_t& value : numbers) {
      while (!place.empty() && !std::isdigit(static_cast<unsigned char>(place.back())))
        place.remove_suffix(1);
      std::size_t digits = 0;
      while (digits < place.size() &&
             std::isdigit(static_cast<unsigned char>(place[place.size() - 1 - digits])))
        ++digits;
      std::from_chars(place.data() + place.size() - digits, place.data() + place.size(), value);
      place.remove_suffix(digits);
    }
    found(numbers[1], numbers[0]);
  }
}

template <typename T>
bool read_at(std::string_view bytes, std::uint64_t offset, T& value) {
  if (offset > bytes.size() || sizeof value > bytes.size() - offset) return false;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return true;
}

// Sections the linker makes writable by itself, which hold addresses and no state of the program's.
bool is_linkers_own(std::string_view section) {
  for (std::string_view prefix :
       {".dynamic", ".got", ".data.rel.ro", ".init_array", ".fini_array", ".relro_padding"})
    if (section.starts_with(prefix)) return true;
  return false;
}

void writable_sections(std::string_view object, std::set<std::string>& found) {
  Elf64_Ehdr header;
  Elf64_Shdr names;
  if (!read_at(object, 0, header) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_shentsize != sizeof(Elf64_Shdr))
    return;
  if (!read_at(object, header.e_shoff + std::uint64_t{header.e_shstrndx} * sizeof names, names))
    return;
  for (std::uint64_t index = 0; index < header.e_shnum; ++index) {
    Elf64_Shdr section;
    if (!read_at(object, header.e_shoff + index * sizeof section, section)) return;
    if (!(section.sh_flags & SHF_WRITE) || !(section.sh_flags & SHF_ALLOC) || section.sh_size == 0)
      continue;
    const std::uint64_t at = names.sh_offset + section.sh_name;
    const std::string_view name =
        at < object.size() ? object.substr(at, object.find('\0', at) - at) : "?";
    if (!is_linkers_own(name))
      found.insert(fmt::format("writable program-scope state ({} bytes in section {})",
                               section.sh_size, name));
  }
}

}  // namespace

std::vector<std::string_view> tokens_of(std::string_view source) {
  std::vector<std::string_view> tokens;
  for (std::size_t at = 0; at < source.size();) {
    const char c = source[at];
    if (source.substr(at, 2) == "//") {
      at = after(source, "\n", at);
    } else if (source.substr(at, 2) == "/*") {
      at = after(source, "*/", at + 2);
    } else if (c == '"' || c == '\'') {
      at = after_quoted(source, at);
    } else if (in_word(c)) {
      std::size_t end = at;
      while (end < source.size() && in_word(source[end])) ++end;
      if (starts_word(c)) tokens.push_back(source.substr(at, end - at));
      at = end;
    } else {
      if (!std::isspace(static_cast<unsigned char>(c))) tokens.push_back(source.substr(at, 1));
      ++at;
    }
  }
  return tokens;
}

std::map<std::string, std::string> typedefs_of(const std::vector<std::string_view>& tokens) {
  std::map<std::string, std::string> found;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at] != "typedef") continue;
    std::string old;
    std::size_t end = at + 1;
    for (; end + 1 < tokens.size() && starts_word(tokens[end][0]) && tokens[end + 1] != ";";
         ++end) {
      if (tokens[end] == "const" || tokens[end] == "volatile") continue;
      old += (old.empty() ? "" : " ") + std::string(tokens[end]);
    }
    if (end + 1 < tokens.size() && tokens[end + 1] == ";" && starts_word(tokens[end][0]) &&
        !old.empty())
      found[std::string(tokens[end])] = old;
  }
  return found;
}

std::uint64_t bytes_of_type(std::string type, const std::map<std::string, std::string>& typedefs) {
  static const std::map<std::string, std::uint64_t, std::less<>> sizes = {
      {"char", 1},     {"uchar", 1},  {"unsigned char", 1},  {"signed char", 1},
      {"short", 2},    {"ushort", 2}, {"unsigned short", 2}, {"half", 2},
      {"int", 4},      {"uint", 4},   {"unsigned", 4},       {"unsigned int", 4},
      {"float", 4},    {"long", 8},   {"ulong", 8},          {"unsigned long", 8},
      {"double", 8},   {"size_t", 8}, {"ptrdiff_t", 8},      {"intptr_t", 8},
      {"uintptr_t", 8}};
  for (std::size_t depth = 0; depth <= typedefs.size();
       ++depth) {  // a chain of typedefs is no longer than their number
    const auto named = typedefs.find(type);
    if (named == typedefs.end()) break;
    type = named->second;
  }
  if (const auto found = sizes.find(type); found != sizes.end()) return found->second;
  const std::size_t digits = type.find_last_not_of("0123456789") + 1;
  std::uint64_t width = 0;
  std::from_chars(type.data() + digits, type.data() + type.size(), width);
  const auto element = sizes.find(std::string_view(type).substr(0, digits));
  if (element == sizes.end() ||
      (width != 2 && width != 3 && width != 4 && width != 8 && width != 16))
    return 0;
  return element->second * (width == 3 ? 4 : width);  // three elements are stored as four
}

std::vector<std::string> forbidden_in(std::string_view source,
                                      const std::vector<std::string_view>& tokens,
                                      std::string_view log, std::string_view binary) {
  std::set<std::string> found;
  // The second is in what PoCL links for printf, however the source spelled it.
  if (std::find(tokens.begin(), tokens.end(), "printf") != tokens.end() ||
      binary.find("__pocl_printf_format_full") != std::string_view::npos)
    found.insert("printf");
  for (std::string_view complaint : {"program scope variable must reside in constant address space",
                                     "variables in function scope cannot be declared static"})
    for_each_complaint(log, complaint, [&](std::size_t line, std::size_t column) {
      const std::string name = word_at(source, line, column);
      found.insert(name.empty() ? "a writable program-scope variable"
                                : fmt::format("a writable program-scope variable '{}'", name));
    });
  constexpr std::string_view elf_magic =
      "\x7f"
      "ELF";
  for (std::size_t at = binary.find(elf_magic); at != std::string_view::npos;
       at = binary.find(elf_magic, at + 1))
    writable_sections(binary.substr(at), found);
  return {found.begin(), found.end()};
}

}  // namespace hone::device
