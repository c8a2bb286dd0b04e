// libtiff, whose variadic functions Swift cannot call.
#pragma once

#include <tiffio.h>
