// libheif: HEIC and AVIF pictures.
#pragma once

#include <libheif/heif.h>
