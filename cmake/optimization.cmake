# Optimizes the library in every build type: a parent project may have none, or Debug, and the folds without -O are slower than a plain loop.
# Flags that choose an optimization themselves, -O0 included, stay as they are: the presets dev, asan, tsan and coverage take -O1.

# onefold_choose_optimization(<language> <config> <variable>): -O3, or nothing where the configuration's flags have an -O already.
function(onefold_choose_optimization language config variable)
  string(TOUPPER "${config}" upper)
  get_directory_property(options COMPILE_OPTIONS)
  list(FILTER options EXCLUDE REGEX "[$]<")  # of some configurations or targets only
  string(JOIN " " flags "${CMAKE_${language}_FLAGS}" "${CMAKE_${language}_FLAGS_${upper}}" ${options})
  if(flags MATCHES "(^|[ =,])-O([0-9gsz]|fast)?([ ,]|$)")
    set(${variable} "" PARENT_SCOPE)
  else()
    set(${variable} -O3 PARENT_SCOPE)
  endif()
endfunction()

set(onefold_unoptimized "")  # the configurations that need -O3, for the summary
foreach(language CXX CUDA)
  if(CMAKE_CONFIGURATION_TYPES)
    set(onefold_optimization_${language} "")
    foreach(config IN LISTS CMAKE_CONFIGURATION_TYPES)
      onefold_choose_optimization(${language} ${config} flag)
      if(flag)
        string(APPEND onefold_optimization_${language} "$<$<CONFIG:${config}>:${flag}>")
        if(language STREQUAL "CXX")
          list(APPEND onefold_unoptimized ${config})
        endif()
      endif()
    endforeach()
  else()
    onefold_choose_optimization(${language} "${CMAKE_BUILD_TYPE}" onefold_optimization_${language})
  endif()
endforeach()

# onefold_optimize(<target>): for all that reduces, reads or measures.
function(onefold_optimize target)
  foreach(language CXX CUDA)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:${language}>:${onefold_optimization_${language}}>")
  endforeach()
endfunction()

# onefold_describe_build_type(<variable>): the build type, and what is added to it.
function(onefold_describe_build_type variable)
  set(description "${CMAKE_BUILD_TYPE}")
  if(CMAKE_CONFIGURATION_TYPES)
    string(JOIN ", " description ${CMAKE_CONFIGURATION_TYPES})
  elseif(NOT description)
    set(description "no build type")
  endif()
  if(onefold_optimization_CXX)
    string(APPEND description " (the library is compiled with -O3")
    if(CMAKE_CONFIGURATION_TYPES)
      string(JOIN " and " where ${onefold_unoptimized})
      string(APPEND description " in ${where}")
    endif()
    string(APPEND description ")")
  endif()
  set(${variable} "${description}" PARENT_SCOPE)
endfunction()
