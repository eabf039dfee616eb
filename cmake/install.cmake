# What `cmake --install` lays down: command, libraries, headers, find_package(vyre), pkg-config. The
# components are the parts that `make package` makes packages of; the one of documents is installed by
# name only: cmake --install build/release --component documentation.
include(CMakePackageConfigHelpers)
set(VYRE_ZSH_COMPLETIONS ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
  CACHE STRING "Where zsh looks for completions, below the prefix")

install(TARGETS vyre_cli vyre_worker vyre_node RUNTIME COMPONENT runtime)
install(FILES cmake/vyre-worker.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
if(VYRE_PAGES)
  install(FILES ${VYRE_PAGES}/vyre.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
  install(FILES ${VYRE_PAGES}/vyre.bash RENAME vyre COMPONENT runtime
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${VYRE_PAGES}/_vyre DESTINATION ${VYRE_ZSH_COMPLETIONS} COMPONENT runtime)
  install(FILES ${VYRE_PAGES}/vyre.fish COMPONENT runtime
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

set(vyre_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vyre)
install(TARGETS vyre vyre_options EXPORT vyreTargets ARCHIVE COMPONENT development)
install(EXPORT vyreTargets NAMESPACE vyre:: DESTINATION ${vyre_cmake_dir} COMPONENT development)
if(VYRE_SHARED)
  install(TARGETS vyre_shared EXPORT vyreTargets
    LIBRARY COMPONENT library NAMELINK_COMPONENT development)
endif()
install(DIRECTORY include/vyre TYPE INCLUDE COMPONENT development)
configure_package_config_file(cmake/vyreConfig.cmake.in ${CMAKE_BINARY_DIR}/vyreConfig.cmake
  INSTALL_DESTINATION ${vyre_cmake_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/vyreConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/vyreConfig.cmake ${CMAKE_BINARY_DIR}/vyreConfigVersion.cmake
  DESTINATION ${vyre_cmake_dir} COMPONENT development)
# The .pc file finds its prefix from where it lies, so that an installed tree can be moved.
file(RELATIVE_PATH vyre_pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/vyre.pc.in ${CMAKE_BINARY_DIR}/vyre.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/vyre.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT development)

# As in the repository, so that the links between documents hold. The API is there if `make docs` ran.
set(documents COMPONENT documentation EXCLUDE_FROM_ALL)
install(FILES README.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR} ${documents})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} ${documents}
  PATTERN Doxyfile EXCLUDE PATTERN api.css EXCLUDE)
install(DIRECTORY build/docs/html DESTINATION ${CMAKE_INSTALL_DOCDIR} ${documents} OPTIONAL)
