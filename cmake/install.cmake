# What `cmake --install` lays down: library, headers, command, find_package(vyre), pkg-config.
include(CMakePackageConfigHelpers)
install(TARGETS vyre vyre_options EXPORT vyreTargets)
install(TARGETS vyre_cli vyre_worker RUNTIME)
install(DIRECTORY include/vyre TYPE INCLUDE)
set(vyre_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vyre)
install(EXPORT vyreTargets NAMESPACE vyre:: DESTINATION ${vyre_cmake_dir})
configure_package_config_file(cmake/vyreConfig.cmake.in ${CMAKE_BINARY_DIR}/vyreConfig.cmake
  INSTALL_DESTINATION ${vyre_cmake_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/vyreConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/vyreConfig.cmake ${CMAKE_BINARY_DIR}/vyreConfigVersion.cmake
  DESTINATION ${vyre_cmake_dir})
# The .pc file finds its prefix from where it lies, so that an installed tree can be moved.
file(RELATIVE_PATH vyre_pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/vyre.pc.in ${CMAKE_BINARY_DIR}/vyre.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/vyre.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
