# Run by CPack on the trees that become packages (cmake/package.cmake): adds to each its copyright and
# its changelogs, compresses manual pages, and takes compilers' notes out of archives.
cmake_policy(SET CMP0057 NEW)
find_program(gzip gzip REQUIRED)
find_program(strip strip REQUIRED)
find_program(python python3 REQUIRED)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} name)
  set(tree ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}/usr)
  set(doc ${tree}/share/doc/${CPACK_DEBIAN_${name}_PACKAGE_NAME})
  file(MAKE_DIRECTORY ${doc})
  configure_file(${CPACK_VYRE_SOURCE}/cmake/debian/copyright ${doc}/copyright COPYONLY)
  configure_file(${CPACK_VYRE_SOURCE}/CHANGELOG.md ${doc}/changelog COPYONLY)
  run(${python} ${CPACK_VYRE_SOURCE}/cmake/debian/changelog.py ${CPACK_VYRE_SOURCE}/CHANGELOG.md
    ${CPACK_DEBIAN_PACKAGE_RELEASE} ${CPACK_PACKAGE_CONTACT} ${doc}/changelog.Debian)
  file(GLOB_RECURSE archives ${tree}/*.a)
  if(archives)
    run(${strip} --strip-debug --remove-section=.comment --remove-section=.note
      --enable-deterministic-archives ${archives})
  endif()
  file(GLOB pages ${tree}/share/man/*/*.[1-8])
  run(${gzip} -9n ${doc}/changelog ${doc}/changelog.Debian ${pages})
endforeach()
