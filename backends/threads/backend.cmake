# What the backend of the standard library's threads stands on: the C library alone.
set(package_threads Threads)
set(debian_threads libc6-dev)
set(uses_threads Threads::Threads)
set(linked_threads -pthread)
# A scheduler knows no type and no operation: what takes minutes runs on the others.
set(skips_long_tests_threads ON)
