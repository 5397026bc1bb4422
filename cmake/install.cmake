# Where an installed hone lies, and what `make package` packs. The man page and the shells'
# completions are written by the binary itself, so that they say what it says.
include(GNUInstallDirs)
install(TARGETS hone RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
set(made ${CMAKE_BINARY_DIR}/install)
install(CODE "
  file(MAKE_DIRECTORY \"${made}\")
  foreach(words man \"completion bash\" \"completion zsh\" \"completion fish\")
    separate_arguments(list UNIX_COMMAND \"\${words}\")
    string(REPLACE \" \" \"-\" name \"\${words}\")
    execute_process(COMMAND \"$<TARGET_FILE:hone>\" \${list}
                    OUTPUT_FILE \"${made}/\${name}\" RESULT_VARIABLE code)
    if(NOT code EQUAL 0)
      message(FATAL_ERROR \"hone \${words} ended with \${code}\")
    endif()
  endforeach()
")
install(FILES ${made}/man DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 RENAME hone.1)
set(share ${CMAKE_INSTALL_DATADIR})
install(FILES ${made}/completion-bash DESTINATION ${share}/bash-completion/completions RENAME hone)
install(FILES ${made}/completion-zsh DESTINATION ${share}/zsh/site-functions RENAME _hone)
install(FILES ${made}/completion-fish DESTINATION ${share}/fish/vendor_completions.d
        RENAME hone.fish)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY bench/results DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench PATTERN recorded EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME hone)
set(CPACK_PACKAGE_VENDOR "The Hone project")
set(CPACK_PACKAGE_CONTACT "The Hone project <hone@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "judge GPU kernels and make them faster")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGE_FILE_NAME
    "hone-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
# The portable binary needs the C library alone. References are compiled where they are judged, and
# kernels without a GPU run by PoCL: both are wanted at once by most, and neither to start it.
set(HONE_OLDEST_GLIBC 2.34 CACHE STRING
    "The oldest C library that the shipped binary runs on; tools/check_glibc.sh checks it")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= ${HONE_OLDEST_GLIBC})")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, pocl-opencl-icd, ocl-icd-libopencl1")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libcurl4, python3")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
include(CPack)
