// libsixel as a Clang module.
#pragma once

#include <sixel.h>
