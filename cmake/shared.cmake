# `vyre_shared`, libvyre.so: the objects of the archive, linked once more. The command and Python's
# module go on linking the archive, so that they start without it. docs/adr/0015 says what it exports.
set(vyre_so_version ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
configure_file(cmake/libvyre.map.in ${CMAKE_BINARY_DIR}/libvyre.map @ONLY)
file(CONFIGURE OUTPUT shared.cc CONTENT "")  # CMake wants a source; all code is in the archive
add_library(vyre_shared SHARED ${CMAKE_CURRENT_BINARY_DIR}/shared.cc)
add_library(vyre::shared ALIAS vyre_shared)
target_link_libraries(vyre_shared PUBLIC vyre_options PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,vyre>)
target_include_directories(vyre_shared PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(vyre_shared PROPERTIES OUTPUT_NAME vyre EXPORT_NAME shared
  VERSION ${PROJECT_VERSION} SOVERSION ${vyre_so_version}
  LINK_DEPENDS ${CMAKE_BINARY_DIR}/libvyre.map)
# Calls within the library go straight to their function, as in the archive.
target_link_options(vyre_shared PRIVATE -Wl,--version-script=${CMAKE_BINARY_DIR}/libvyre.map
  -Wl,-Bsymbolic-functions -Wl,--no-undefined)
vyre_harden(vyre_shared)
add_dependencies(vyre_cli vyre_shared)  # so that a build with the command can be installed
