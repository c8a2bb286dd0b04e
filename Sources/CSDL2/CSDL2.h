// The parts of SDL 2 that make windows, without its headers of vector instructions.
#pragma once

#include <SDL2/SDL_error.h>
#include <SDL2/SDL_events.h>
#include <SDL2/SDL_hints.h>
#include <SDL2/SDL_syswm.h>
#include <SDL2/SDL_version.h>
#include <SDL2/SDL_video.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include "WaylandPixels.h"

// From SDL.h, which includes the vector instructions.
#ifndef SDL_INIT_VIDEO
#define SDL_INIT_VIDEO 0x00000020u
#endif
extern DECLSPEC int SDLCALL SDL_InitSubSystem(Uint32 flags);
extern DECLSPEC void SDLCALL SDL_QuitSubSystem(Uint32 flags);

// A macro with casts in it.
static inline int headroom_window_centered(void) { return SDL_WINDOWPOS_CENTERED; }

// The server's side of a window, whose members depend on SDL's build.
typedef struct headroom_native_window {
  Display *x11_display;
  Window x11_window;
  struct wl_display *wayland_display;
  struct wl_surface *wayland_surface;
} headroom_native_window;

static inline headroom_native_window headroom_native(SDL_Window *window) {
  headroom_native_window native = {0};
  SDL_SysWMinfo info;
  SDL_VERSION(&info.version);
  if (!SDL_GetWindowWMInfo(window, &info)) return native;
#ifdef SDL_VIDEO_DRIVER_X11
  if (info.subsystem == SDL_SYSWM_X11) {
    native.x11_display = info.info.x11.display;
    native.x11_window = info.info.x11.window;
  }
#endif
#ifdef SDL_VIDEO_DRIVER_WAYLAND
  if (info.subsystem == SDL_SYSWM_WAYLAND) {
    native.wayland_display = info.info.wl.display;
    native.wayland_surface = info.info.wl.surface;
  }
#endif
  return native;
}

// An image over pixels that stay the caller's: members of XImage are a C compiler's to lay out.
static inline int headroom_put_image(Display *display, Window window, Visual *visual, int depth, GC context,
                                     void *pixels, int width, int height) {
  XImage *image = XCreateImage(display, visual, (unsigned)depth, ZPixmap, 0, (char *)pixels, (unsigned)width,
                               (unsigned)height, 32, width * 4);
  if (!image) return 0;
  const unsigned short one = 1;
  image->byte_order = *(const unsigned char *)&one ? LSBFirst : MSBFirst;
  if (image->bits_per_pixel == 32) XPutImage(display, window, context, image, 0, 0, 0, 0, (unsigned)width, (unsigned)height);
  int is_put = image->bits_per_pixel == 32;
  image->data = 0;
  XDestroyImage(image);
  return is_put;
}

// The pixels of a window that is in sight, row by row.
static inline int headroom_get_image(Display *display, Window window, Uint32 *pixels, int width, int height) {
  XImage *image = XGetImage(display, window, 0, 0, (unsigned)width, (unsigned)height, AllPlanes, ZPixmap);
  if (!image) return 0;
  int is_known = image->bits_per_pixel == 32 && image->width == width && image->height == height;
  for (int y = 0; is_known && y < height; y++)
    for (int x = 0; x < width; x++) pixels[(size_t)y * width + x] = (Uint32)XGetPixel(image, x, y);
  XDestroyImage(image);
  return is_known;
}
