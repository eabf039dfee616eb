# vyre_options: the flags that every target of ours is built with. Users of an installed vyre
# inherit the language level only.
add_library(vyre_options INTERFACE)
target_compile_features(vyre_options INTERFACE cxx_std_23)
target_compile_options(vyre_options INTERFACE
  $<BUILD_INTERFACE:-Wall> $<BUILD_INTERFACE:-Wextra> $<BUILD_INTERFACE:-Wconversion>
  $<BUILD_INTERFACE:-Wshadow> $<BUILD_INTERFACE:-Werror>
  # Float programs must mean the same in every build: no fused multiply-add behind our back.
  $<BUILD_INTERFACE:-ffp-contract=off>)
# GCC 12 sees overlapping and overlong copies in std::string where there are none (GCC bugs 105651
# and 105329); clang looks for the same and finds none.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(vyre_options INTERFACE
    $<BUILD_INTERFACE:-Wno-restrict> $<BUILD_INTERFACE:-Wno-array-bounds>
    $<BUILD_INTERFACE:-Wno-stringop-overflow>)
endif()
if(VYRE_SANITIZE)
  target_compile_options(vyre_options INTERFACE
    $<BUILD_INTERFACE:-fsanitize=${VYRE_SANITIZE}> $<BUILD_INTERFACE:-fno-omit-frame-pointer>
    $<BUILD_INTERFACE:-fno-sanitize-recover=all>
    $<BUILD_INTERFACE:-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/tools/sanitizers.ignore>)
  target_link_options(vyre_options INTERFACE $<BUILD_INTERFACE:-fsanitize=${VYRE_SANITIZE}>)
endif()

# vyre_harden: for the library and for the programs that users install. Addresses of functions are
# resolved at the start and then read only; a smashed stack and an overlong copy end the process; and
# the folder that it was built in is no part of the binary. The sanitizers do more of the same, and
# _FORTIFY_SOURCE hides calls from them; it also needs an optimised build.
function(vyre_harden target)
  target_compile_options(${target} PRIVATE -fstack-protector-strong
    -ffile-prefix-map=${PROJECT_BINARY_DIR}/=build/ -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
  target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now)
  if(NOT VYRE_SANITIZE)
    target_compile_options(${target} PRIVATE
      $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
  endif()
endfunction()
