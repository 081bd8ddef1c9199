# The warnings that every target of the project is built with.
function(onefold_warnings target)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${ONEFOLD_WERROR}>:-Werror>>)
endfunction()
