# vyre_embed(SOURCES FUNCTION HEADER FILES...): appends to the list SOURCES a generated .cc with
# FUNCTION, which HEADER (below src/, in the namespace of its layer) declares.
function(vyre_embed sources function header)
  set(output ${CMAKE_BINARY_DIR}/${function}.cc)
  string(REGEX REPLACE "/.*" "" layer ${header})
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DHEADER=${header} -DNAMESPACE=vyre::${layer}
            -DFUNCTION=${function} "-DFILES=${ARGN}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake VERBATIM)
  set(${sources} ${${sources}} ${output} PARENT_SCOPE)
endfunction()
