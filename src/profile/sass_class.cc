#include "profile/sass_class.h"

#include <map>

namespace hone::profile {

const std::vector<std::string_view> sass_classes = {
    "f32",         "f64",          "f16",        "tensor",      "integer",       "address",
    "special",     "convert",      "move",       "uniform",     "load_global",   "store_global",
    "load_shared", "store_shared", "load_local", "store_local", "load_constant", "atomic",
    "copy_async",  "copy_bulk",    "barrier",    "fence",       "branch",        "predicate",
    "shuffle",     "other"};

namespace {

// By the opcode without modifiers, sm_80 to sm_120. Exceptions that hang on modifiers and operands
// are in class_of.
const std::map<std::string_view, std::vector<std::string_view>> opcodes = {
    {"f32",
     {"FADD", "FADD2", "FMUL", "FMUL2", "FFMA", "FFMA2", "FFMA32I", "FADD32I", "FMUL32I", "FMNMX",
      "FMNMX3", "FSET", "FSWZADD", "FHADD", "FHFMA"}},
    {"f64", {"DADD", "DFMA", "DMUL", "DSETP", "DMNMX"}},
    {"f16",
     {"HADD2", "HADD2_32I", "HFMA2", "HFMA2_32I", "HMUL2", "HMUL2_32I", "HMNMX2", "HSET2", "VHMNMX",
      "QADD4", "QFMA4", "QMUL4"}},
    {"tensor",
     {"HMMA", "IMMA", "DMMA", "BMMA", "QMMA", "OMMA", "HGMMA", "IGMMA", "QGMMA", "BGMMA", "UTCHMMA",
      "UTCIMMA", "UTCQMMA", "UTCOMMA"}},
    {"integer", {"IADD",   "IADD2",   "IADD3",  "IADD32I",     "IMAD",      "IMUL",     "IABS",
                 "IMNMX",  "VIADD",   "VIMNMX", "VIMNMX3",     "VIADDMNMX", "IDP",      "IDP4A",
                 "SHF",    "SHL",     "SHR",    "LOP",         "LOP3",      "LOP32I",   "BMSK",
                 "BREV",   "FLO",     "POPC",   "SGXT",        "PRMT",      "VABSDIFF", "VABSDIFF4",
                 "ISCADD", "SCATTER", "GATHER", "GENMETADATA", "SPMETADATA"}},
    {"address", {"LEA"}},
    {"special", {"MUFU"}},
    {"convert", {"F2F", "F2FP", "F2I", "F2IP", "I2F", "I2FP", "I2I", "I2IP", "FRND"}},
    // Tensor memory is read into registers and written from them, as a move is.
    {"move",
     {"MOV", "MOV32I", "MOV64IUR", "SEL", "FSEL", "CS2R", "S2R", "S2UR", "CS2UR", "R2UR", "B2R",
      "R2B", "LDTM", "STTM"}},
    {"uniform",
     {"UIADD3", "UIADD3_64", "UIMAD", "ULEA",   "ULOP",   "ULOP3",  "ULOP32I", "USHF",   "USHL",
      "USHR",   "UMOV",      "USEL",  "UISETP", "UPRMT",  "UFLO",   "UPOPC",   "UBMSK",  "UBREV",
      "USGXT",  "UP2UR",     "UR2UP", "UPLOP3", "UPSETP", "UCLEA",  "UF2FP",   "UF2I",   "UF2IP",
      "UF2F",   "UI2F",      "UI2FP", "UI2I",   "UI2IP",  "UIABS",  "UIMNMX",  "UVIADD", "UVIMNMX",
      "UFADD",  "UFFMA",     "UFMUL", "UFHADD", "UFHFMA", "UFMNMX", "UFRND",   "UFSEL",  "UFSET",
      "UFSETP", "UMUFU",     "VOTEU", "ULEPC",  "UREDGR"}},
    {"load_global", {"LDG", "LD", "LDGMC"}},
    {"store_global", {"STG", "ST", "USTGR"}},
    {"load_shared", {"LDS", "LDSM"}},
    {"store_shared", {"STS", "STSM", "STAS", "UMEMSETS"}},
    {"load_local", {"LDL"}},
    {"store_local", {"STL"}},
    {"load_constant", {"LDC", "ULDC", "LDCU"}},
    {"atomic", {"ATOM", "ATOMG", "ATOMS", "RED", "REDG", "REDAS"}},
    {"copy_async", {"LDGSTS", "LDGDEPBAR"}},
    {"copy_bulk",
     {"UBLKCP", "UBLKPF", "UBLKRED", "UTMALDG", "UTMASTG", "UTMAPF", "UTMAREDG", "UTMACMDFLUSH",
      "UTMACCTL", "UTCCP"}},
    {"barrier",
     {"BAR", "SYNCS", "ARRIVES", "UCGABAR_ARV", "UCGABAR_WAIT", "WARPGROUP", "WARPGROUPSET",
      "UTCBAR"}},
    {"fence", {"MEMBAR", "ERRBAR", "CGAERRBAR", "FENCE"}},
    {"branch", {"BRA", "BRX",      "BRXU",  "JMP",           "JMX",   "JMXU",  "CALL",
                "RET", "EXIT",     "BSSY",  "BSYNC",         "BREAK", "BMOV",  "KILL",
                "BPT", "WARPSYNC", "YIELD", "ENDCOLLECTIVE", "LEPC",  "RPCMOV"}},
    {"predicate",
     {"ISETP", "FSETP", "HSETP2", "PSETP", "PLOP3", "P2R", "R2P", "VOTE", "FCHK", "CSMTEST",
      "ELECT", "ISET"}},
    {"shuffle", {"SHFL", "MATCH", "REDUX", "CREDUX", "MOVM"}},
    // Waiting, caches, textures and what only graphics uses.
    {"other", {"NOP",
               "DEPBAR",
               "NANOSLEEP",
               "CCTL",
               "CCTLL",
               "CCTLT",
               "USETMAXREG",
               "USETSHMSZ",
               "ACQBULK",
               "ACQSHMINIT",
               "PREEXIT",
               "PMTRIG",
               "QSPC",
               "GETLMEMBASE",
               "SETLMEMBASE",
               "SETCTAID",
               "UGETNEXTWORKID",
               "UVIRTCOUNT",
               "UTCATOMSWS",
               "UTCSHIFT",
               "TEX",
               "TLD",
               "TLD4",
               "TMML",
               "TXD",
               "TXQ",
               "SUATOM",
               "SULD",
               "SURED",
               "SUST",
               "SUQUERY",
               "AL2P",
               "ALD",
               "AST",
               "IPA",
               "ISBERD",
               "ISBEWR",
               "LDTRAM",
               "OUT",
               "PIXLD",
               "FOOTPRINT"}},
};

std::map<std::string_view, std::string_view> by_opcode() {
  std::map<std::string_view, std::string_view> table;
  for (const auto& [name, list] : opcodes)
    for (const auto opcode : list) table[opcode] = name;
  return table;
}

// A 64-bit sum of pointer and offset, by halves or whole, is address arithmetic; plain integers are
// 32 bits wide.
bool forms_address(std::string_view base, std::string_view opcode) {
  if (base == "IMAD") return has_modifier(opcode, "WIDE") || has_modifier(opcode, "X");
  return (base == "IADD3" || base == "IADD") &&
         (has_modifier(opcode, "X") || has_modifier(opcode, "64"));
}

// Compilers make constants by arithmetic with zero, on whichever unit is idle.
bool only_moves(std::string_view base, const SassInstruction& instruction) {
  if (base == "IMAD")
    return has_modifier(instruction.opcode, "MOV") ||
           (has_modifier(instruction.opcode, "U32") &&
            instruction.operands.find("RZ, RZ,") != std::string::npos);
  return base == "HFMA2" && instruction.operands.find("-RZ, RZ,") != std::string::npos;
}

}  // namespace

std::string_view base_of(std::string_view opcode) { return opcode.substr(0, opcode.find('.')); }

bool has_modifier(std::string_view opcode, std::string_view modifier) {
  while (true) {
    const auto dot = opcode.find('.');
    if (dot == std::string_view::npos) return false;
    opcode.remove_prefix(dot + 1);
    if (base_of(opcode) == modifier) return true;
  }
}

std::string_view class_of(const SassInstruction& instruction) {
  static const auto table = by_opcode();
  const std::string_view base = base_of(instruction.opcode);
  const auto found = table.find(base);
  if (found == table.end()) return "";
  if (instruction.predicate == "!PT" || instruction.predicate == "!UPT")
    return "other";  // never runs
  if (only_moves(base, instruction)) return "move";
  if (forms_address(base, instruction.opcode)) return "address";
  if (base == "HADD2" && has_modifier(instruction.opcode, "F32") &&
      instruction.operands.find("-RZ") != std::string::npos)
    return "convert";  // half to single
  if (base == "CCTL" && has_modifier(instruction.opcode, "IVALL"))
    return "fence";  // a fence's second half
  return found->second;
}

int width_of(std::string_view opcode) {
  constexpr int word = 32;
  const std::string_view base = base_of(opcode);
  if (base == "LDSM" || base == "STSM")  // matrices of 8 x 8: a word a thread for each
    return has_modifier(opcode, "4") ? 4 * word : has_modifier(opcode, "2") ? 2 * word : word;
  for (const auto& [modifier, bits] : {std::pair{"256", 256},
                                       {"128", 128},
                                       {"64", 64},
                                       {"U8", 8},
                                       {"S8", 8},
                                       {"U16", 16},
                                       {"S16", 16}})
    if (has_modifier(opcode, modifier)) return bits;
  return word;
}

}  // namespace hone::profile
