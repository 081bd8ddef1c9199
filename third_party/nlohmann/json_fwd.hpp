// Not of nlohmann-json: the copy beside this is one file, which declares and defines.
#include "json.hpp"
