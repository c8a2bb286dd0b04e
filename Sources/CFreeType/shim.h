// FreeType as a Clang module. Its headers are found by pkg-config.
#pragma once
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
