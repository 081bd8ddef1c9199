# What the oneTBB backend stands on.
set(package_tbb TBB)
set(debian_tbb libtbb-dev)
set(uses_tbb TBB::tbb)
set(linked_tbb -ltbb)
