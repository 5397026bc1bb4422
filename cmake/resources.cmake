# Embeds every file under resources/ in the binary: one assembler file that includes their bytes,
# and a table of names.
set(resources ${CMAKE_SOURCE_DIR}/resources)
file(GLOB_RECURSE hone_resource_files CONFIGURE_DEPENDS RELATIVE ${resources} ${resources}/*)
list(FILTER hone_resource_files EXCLUDE REGEX "__pycache__/")
list(SORT hone_resource_files)
set(asm ".section .rodata\n")
set(externs "")
set(rows "")
set(index 0)
set(paths "")
foreach(file ${hone_resource_files})
  set(path ${resources}/${file})
  list(APPEND paths ${path})
  set(name hone_resource_${index})
  string(APPEND asm ".global ${name}\n.global ${name}_end\n.balign 16\n"
         "${name}:\n.incbin \"${path}\"\n${name}_end:\n.byte 0\n")
  string(APPEND externs "extern const char ${name}[], ${name}_end[];\n")
  string(APPEND rows "    {\"${file}\", ${name}, ${name}_end},\n")
  math(EXPR index "${index} + 1")
endforeach()
string(APPEND asm ".section .note.GNU-stack,\"\",@progbits\n")
set(table "// Made by cmake/resources.cmake from the files under resources/.
#include \"base/embedded.h\"
extern \"C\" {
${externs}}
namespace hone::base {
const EmbeddedFile embedded_files[] = {
${rows}    {nullptr, nullptr, nullptr}};
}  // namespace hone::base
")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/resources.S CONTENT "${asm}" @ONLY)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/resources_table.cc CONTENT "${table}" @ONLY)
set_source_files_properties(${CMAKE_BINARY_DIR}/resources.S PROPERTIES OBJECT_DEPENDS "${paths}")
add_library(hone_resources STATIC ${CMAKE_BINARY_DIR}/resources.S
            ${CMAKE_BINARY_DIR}/resources_table.cc)
target_include_directories(hone_resources PRIVATE ${CMAKE_SOURCE_DIR}/src)
