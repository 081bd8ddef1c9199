# nlohmann_json::nlohmann_json: of the parent project or the system (Debian package nlohmann-json3-dev), else the copy in third_party.
# Headers alone: who uses the library, even the static one, needs nothing of it.

if(NOT TARGET nlohmann_json::nlohmann_json)
  find_package(nlohmann_json QUIET)
endif()
set(onefold_json_note "json: nlohmann-json of the system")
if(NOT TARGET nlohmann_json::nlohmann_json)
  set(onefold_json_note "json: nlohmann-json 3.11.2 of third_party")
  add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
  target_include_directories(nlohmann_json::nlohmann_json INTERFACE ${PROJECT_SOURCE_DIR}/third_party)
endif()
