// libjxl: JPEG XL pictures.
#pragma once

#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/resizable_parallel_runner.h>
