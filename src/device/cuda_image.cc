#include "device/cuda_image.h"

#include <cxxabi.h>
#include <elf.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace hone::device::cuda {
namespace {

struct Symbol {
  std::string name, section;  // section "": undefined here, so the driver has to provide it
  std::uint64_t bytes = 0;
  bool is_object = false;
};

struct Image {
  std::vector<Symbol> symbols;
  std::map<std::string, std::uint64_t> sections;  // name, bytes
};

// Reads a T at an offset if it lies within the bytes: a cubin is a stranger's file.
template <typename T>
std::optional<T> at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::string text_at(std::string_view bytes, const Elf64_Shdr& table, std::uint64_t index) {
  if (table.sh_offset > bytes.size() || index >= table.sh_size ||
      table.sh_size > bytes.size() - table.sh_offset)
    return {};
  const std::string_view strings = bytes.substr(table.sh_offset, table.sh_size);
  return std::string(strings.substr(index, strings.find('\0', index) - index));
}

std::optional<Image> read_image(std::string_view bytes) {
  const auto header = at<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shentsize != sizeof(Elf64_Shdr))
    return std::nullopt;
  std::vector<Elf64_Shdr> sections;
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const auto section =
        at<Elf64_Shdr>(bytes, header->e_shoff + std::uint64_t{i} * sizeof(Elf64_Shdr));
    if (!section) return std::nullopt;
    sections.push_back(*section);
  }
  if (header->e_shstrndx >= sections.size()) return std::nullopt;
  Image image;
  std::vector<std::string> names;
  for (const auto& section : sections) {
    names.push_back(text_at(bytes, sections[header->e_shstrndx], section.sh_name));
    image.sections[names.back()] += section.sh_size;
  }
  for (const auto& section : sections) {
    if (section.sh_type != SHT_SYMTAB) continue;
    if (section.sh_link >= sections.size()) return std::nullopt;
    for (std::uint64_t i = 0; i < section.sh_size / sizeof(Elf64_Sym); ++i) {
      const auto symbol = at<Elf64_Sym>(bytes, section.sh_offset + i * sizeof(Elf64_Sym));
      if (!symbol) return std::nullopt;
      image.symbols.push_back(
          {.name = text_at(bytes, sections[section.sh_link], symbol->st_name),
           .section = symbol->st_shndx < names.size() ? names[symbol->st_shndx] : "",
           .bytes = symbol->st_size,
           .is_object = ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT});
    }
  }
  return image;
}

bool is_global_section(const std::string& name) { return name.starts_with(".nv.global"); }

std::map<std::string, int, std::less<>> count_identifiers(std::string_view ptx) {
  const auto part_of_name = [](char c) {
    return c == '_' || c == '$' || c == '%' || (c >= '0' && c <= '9') ||
           ((c | 32) >= 'a' && (c | 32) <= 'z');
  };
  std::map<std::string, int, std::less<>> counts;
  for (std::size_t i = 0; i < ptx.size();) {
    if (!part_of_name(ptx[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < ptx.size() && part_of_name(ptx[end])) ++end;
    const std::string_view name = ptx.substr(i, end - i);
    if (const auto found = counts.find(name); found != counts.end())
      ++found->second;
    else
      counts.emplace(name, 1);
    i = end;
  }
  return counts;
}

// Tables that the compiler's own mathematics brings along (argument reduction in sin, cos and tan);
// they are read only.
bool is_compilers_own(const std::string& name) {
  static const std::set<std::string> names = {"__cudart_i2opi_f", "__cudart_i2opi_d",
                                              "__cudart_sin_cos_coeffs"};
  return names.contains(name);
}

std::string readable(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

std::string describe_global(const Symbol& symbol) {
  if (symbol.name.starts_with("$str") || symbol.name.starts_with("__unnamed"))
    return "a string literal, which lies in writable memory: device code has no use for text";
  return fmt::format(
      "a writable global '{}' ({} bytes): pass a buffer or scratch instead; for a table, also one "
      "that is const or static constexpr (CUDA keeps those in writable memory too), declare it "
      "__constant__ outside the function",
      readable(symbol.name), symbol.bytes);
}

std::string describe_call(const std::string& name) {
  if (name == "malloc" || name == "free" || name.starts_with("__cuda_syscall"))
    return fmt::format("the device heap ({}): use scratch", name);
  if (name == "vprintf") return "printf: device code may not print";
  if (name == "__assertfail") return "assert: device code may not print";
  if (name.starts_with("cudaLaunchDevice") || name.starts_with("cudaGetParameterBuffer") ||
      name.starts_with("cudaCDP") || name.starts_with("__cudaCDP"))
    return fmt::format("a launch from device code ({}): write it as another [[launch]]", name);
  return fmt::format("a call of '{}', which the source does not define", name);
}

}  // namespace

std::vector<std::string> forbidden_things(std::string_view cubin, std::string_view ptx) {
  const auto image = read_image(cubin);
  if (!image) return {"an image that cannot be examined (it is no 64-bit ELF file)"};
  const auto mentions = count_identifiers(ptx);
  std::set<std::string> things;
  for (const Symbol& symbol : image->symbols) {
    if (symbol.name.empty() || symbol.name.starts_with(".nv.") ||
        symbol.name.starts_with("__nv_reservedSMEM"))
      continue;
    if (symbol.section.empty()) {
      things.insert(describe_call(symbol.name));
    } else if (symbol.is_object && is_global_section(symbol.section) &&
               !is_compilers_own(symbol.name)) {
      // Named once in the PTX, at its declaration, it is a header's constant that nothing refers
      // to: its address is nowhere in the code.
      const auto found = mentions.find(symbol.name);
      if (found == mentions.end() || found->second != 1) things.insert(describe_global(symbol));
    }
  }
  return {things.begin(), things.end()};
}

bool has_module_data(std::string_view cubin) {
  constexpr std::string_view elf_magic = "\177ELF";
  // A candidate decides about the strings in its image, so PTX is told by not being one.
  if (!cubin.starts_with(elf_magic) && cubin.find(".version") < cubin.find(".address_size"))
    return cubin.find(".global .align") < cubin.size() ||
           cubin.find(".const .align") < cubin.size();
  const auto image = read_image(cubin);
  if (!image) return true;
  for (const auto& [name, bytes] : image->sections)
    if (bytes > 0 && (is_global_section(name) || name.starts_with(".nv.constant3"))) return true;
  return false;
}

namespace {

// The number just before a phrase: number_before("Used 14 registers, ...", " registers") is 14.
std::int64_t number_before(std::string_view line, std::string_view phrase, std::int64_t otherwise) {
  const std::size_t end = line.find(phrase);
  if (end == std::string_view::npos || end == 0) return otherwise;
  std::size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  return begin == end
             ? otherwise
             : std::strtoll(std::string(line.substr(begin, end - begin)).c_str(), nullptr, 10);
}

}  // namespace

std::vector<PtxasFigures> ptxas_figures(std::string_view log) {
  constexpr std::string_view opening = "Compiling entry function '";
  std::vector<PtxasFigures> figures;
  bool of_kernel = false;  // device functions that were not inlined have figures of their own,
                           // which the kernel's include
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(log.size(), line.size() + 1));
    if (const std::size_t name = line.find(opening); name != std::string_view::npos) {
      const std::string_view rest = line.substr(name + opening.size());
      figures.push_back({.kernel = std::string(rest.substr(0, rest.find('\'')))});
      of_kernel = true;
    } else if (figures.empty()) {
      continue;
    } else if (line.find("Function properties for ") != std::string_view::npos) {
      of_kernel = line.ends_with(" " + figures.back().kernel);
    } else if (of_kernel && line.find(" bytes stack frame") != std::string_view::npos) {
      figures.back().stack_bytes = number_before(line, " bytes stack frame", 0);
      figures.back().spill_stores = number_before(line, " bytes spill stores", 0);
      figures.back().spill_loads = number_before(line, " bytes spill loads", 0);
    } else if (line.find("Used ") != std::string_view::npos) {
      figures.back().registers = number_before(line, " registers", -1);
      figures.back().shared_bytes = number_before(line, " bytes smem", 0);
    }
  }
  return figures;
}

}  // namespace hone::device::cuda
