// The parts of SDL 2 that make windows, without its headers of vector instructions.
#pragma once

#include <SDL2/SDL_error.h>
#include <SDL2/SDL_events.h>
#include <SDL2/SDL_hints.h>
#include <SDL2/SDL_version.h>
#include <SDL2/SDL_video.h>
