// NVRTC has what kernels need of it.
#pragma once
