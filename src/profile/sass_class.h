#pragma once
// What kind of work an instruction does: the classes that profile/tags.h names, by the opcode
// alone. Pure functions over a constant table.
#include <string_view>
#include <vector>

#include "profile/sass_code.h"

namespace hone::profile {

extern const std::vector<std::string_view> sass_classes;

// "" where no class knows the opcode.
std::string_view class_of(const SassInstruction& instruction);

std::string_view base_of(std::string_view opcode);  // "LDG" of "LDG.E.128"
bool has_modifier(std::string_view opcode,
                  std::string_view modifier);  // a whole one: "128" is none of "LTC128B"

// Bits a thread moves by a load, store or copy.
int width_of(std::string_view opcode);

}  // namespace hone::profile
