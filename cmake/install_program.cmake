# Installs the program, its manual page, and its completion for bash, zsh and fish; the program writes them itself.

if(NOT onefold_in_system)
  file(RELATIVE_PATH to_library /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  set_target_properties(onefold_program PROPERTIES INSTALL_RPATH $ORIGIN/${to_library})
endif()
install(TARGETS onefold_program COMPONENT program)

if(CMAKE_CROSSCOMPILING)  # then it cannot be asked
  return()
endif()

set(written "")
# onefold_written(<file> <folder> <arguments>): what the program writes when it gets the arguments, installed there.
function(onefold_written name folder)
  set(file ${PROJECT_BINARY_DIR}/written/${name})
  set(compress "")
  if(onefold_in_system AND name MATCHES "[.]1$")  # as Debian wants its manual pages
    set(compress COMMAND gzip -9nf ${file})
    string(APPEND name .gz)
  endif()
  set(installed ${PROJECT_BINARY_DIR}/written/${name})
  add_custom_command(OUTPUT ${installed} COMMAND onefold_program ${ARGN} > ${file} ${compress} DEPENDS onefold_program)
  install(FILES ${installed} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/${folder} COMPONENT program)
  set(written ${written} ${installed} PARENT_SCOPE)
endfunction()

# Debian's zsh does not look into site-functions of /usr, which is for what the administrator installs.
set(zsh_folder zsh/site-functions)
if(onefold_in_system AND EXISTS /etc/debian_version)
  set(zsh_folder zsh/vendor-completions)
endif()

file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/written)
onefold_written(onefold.1 man/man1 manual)
onefold_written(onefold bash-completion/completions completion bash)
onefold_written(_onefold ${zsh_folder} completion zsh)
onefold_written(onefold.fish fish/vendor_completions.d completion fish)
add_custom_target(onefold_written ALL DEPENDS ${written})
