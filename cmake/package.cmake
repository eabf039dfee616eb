# The .deb files of `make package` (tools/package), one per component of cmake/install.cmake. CPack
# makes them; cmake/deb_files.cmake adds what Debian wants in each.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
set(VYRE_MAINTAINER "The authors of vyre <vyre@localhost>" CACHE STRING
  "Who answers for packages: Name <mail address>")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME vyre)
set(CPACK_PACKAGE_CONTACT "${VYRE_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each component has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/deb_files.cmake)
set(CPACK_VYRE_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(same "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(CPACK_COMPONENTS_ALL runtime development documentation)
set(why "Vyre searches the configurations of a compute kernel (workgroup size, tile
shape, unrolling) on the device at hand, measures them with statistics that
survive noise, checks their results, and keeps each decision with its
evidence.
")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME vyre)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "ocl-icd-libopencl1 | libopencl1, pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS vyre-doc)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "autotuner for compute kernels (command)
${why}
This package has the command vyre, which tunes OpenCL, CUDA and HIP kernels,
and vyre-worker, the process in which their configurations run.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libvyre-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libfmt-dev, zlib1g-dev")
if(VYRE_GLSLANG_LIBRARIES)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", glslang-dev, spirv-tools")
endif()
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "vyre ${same}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS vyre-doc)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "autotuner for compute kernels (development files)
${why}
This package has the headers, the static library, and files by which CMake
and pkg-config find them.")

set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_NAME vyre-doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOCUMENTATION_DESCRIPTION "autotuner for compute kernels (documentation)
${why}
This package has the documents, the documentation of the C++ interface and
examples.")

if(VYRE_SHARED)
  list(APPEND CPACK_COMPONENTS_ALL library)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libvyre${vyre_so_version})
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_GENERATE_SHLIBS ON)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "vyre ${same}")
  set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "autotuner for compute kernels (shared library)
${why}
This package has the shared library.")
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libvyre${vyre_so_version} ${same}")
endif()
include(CPack)
