# glslang and SPIRV-Tools, which make SPIR-V of GLSL for Vulkan. Both are linked statically. Where one
# is missing the library is built without them, and the backend `vulkan` says so when it compiles.
# The libraries are looked for by name: Debian's CMake package of glslang fails without glslang-tools,
# and the names that a version has not (14 merged two of them) are left out.
find_path(VYRE_GLSLANG_HEADERS glslang/Include/glslang_c_interface.h)
find_path(VYRE_SPIRV_TOOLS_HEADERS spirv-tools/optimizer.hpp)
set(VYRE_GLSLANG_LIBRARIES "")
set(VYRE_GLSLANG_FLAGS "")  # for users of the installed archive
set(missing "")
if(NOT VYRE_GLSLANG_HEADERS)
  list(APPEND missing glslang_c_interface.h)
endif()
if(NOT VYRE_SPIRV_TOOLS_HEADERS)
  list(APPEND missing spirv-tools/optimizer.hpp)
endif()
# In the order of linking: each uses those behind it.
foreach(name glslang glslang-default-resource-limits SPIRV MachineIndependent GenericCodeGen OSDependent
        OGLCompiler SPIRV-Tools-opt SPIRV-Tools)
  find_library(VYRE_LIBRARY_${name} NAMES lib${name}.a ${name})
  if(VYRE_LIBRARY_${name})
    list(APPEND VYRE_GLSLANG_LIBRARIES ${VYRE_LIBRARY_${name}})
    string(APPEND VYRE_GLSLANG_FLAGS " -l${name}")
  elseif(NOT name MATCHES "^(OSDependent|OGLCompiler)$")
    list(APPEND missing lib${name})
  endif()
endforeach()

if(missing)
  list(JOIN missing ", " missing)
  message(STATUS "No SPIR-V compiler, so no kernels for Vulkan: ${missing} not found (Debian: glslang-dev, spirv-tools)")
  set(VYRE_GLSLANG_LIBRARIES "")
  set(VYRE_GLSLANG_FLAGS "")
endif()

# vyre_use_glslang: `target` compiles GLSL. Users of the installed archive link the same libraries.
function(vyre_use_glslang target)
  if(NOT VYRE_GLSLANG_LIBRARIES)
    return()
  endif()
  set_property(SOURCE src/backend/vulkan/spirv.cc APPEND PROPERTY
    COMPILE_DEFINITIONS VYRE_HAS_GLSLANG)
  target_include_directories(${target} PRIVATE ${VYRE_GLSLANG_HEADERS} ${VYRE_SPIRV_TOOLS_HEADERS})
  string(REPLACE " -l" ";" names "${VYRE_GLSLANG_FLAGS}")
  list(REMOVE_ITEM names "")
  foreach(file name IN ZIP_LISTS VYRE_GLSLANG_LIBRARIES names)
    target_link_libraries(${target} PRIVATE
      $<BUILD_INTERFACE:${file}> $<INSTALL_INTERFACE:${name}>)
  endforeach()
endfunction()
