#pragma once
// PTX as a sequence of statements: what NVRTC writes and what candidates put in with inline
// assembly. Only as much is understood as finding the instructions of each kernel takes. Pure.
#include <string_view>
#include <vector>

namespace hone::device {

struct PtxStatement {
  enum class Kind : unsigned char { instruction, directive, label, open, close };
  Kind kind = Kind::instruction;
  std::size_t at = 0;       // where it begins in the text, its guard (@%p1) included
  std::string_view text;    // without its guard and its semicolon; a label without its colon
  std::string_view opcode;  // of an instruction: "mbarrier.try_wait.parity.shared::cta.b64"
};

// In the order of the text. An `.entry` or `.func` is one directive (its parameters included),
// followed by `open`.
std::vector<PtxStatement> ptx_statements(std::string_view ptx);

}  // namespace hone::device
