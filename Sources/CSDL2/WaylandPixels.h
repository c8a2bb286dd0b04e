// Pixels in shared memory on the Wayland surface of a window: what SDL 2 has no call for. One thread uses it.
#pragma once

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wayland-client.h>

// Two that the compositor may read from, and one to write into.
#define HEADROOM_BUFFERS 3

typedef struct headroom_wayland_buffer {
  struct wl_buffer *buffer;
  void *pixels;
  int width, height;
  // The compositor reads from it.
  int is_busy;
} headroom_wayland_buffer;

typedef struct headroom_wayland {
  struct wl_display *display;
  struct wl_surface *surface;
  // Events of these objects, apart from SDL's.
  struct wl_event_queue *queue;
  struct wl_shm *shm;
  headroom_wayland_buffer buffers[HEADROOM_BUFFERS];
  int last;
} headroom_wayland;

static inline void headroom_on_global(void *data, struct wl_registry *registry, uint32_t name, const char *interface,
                                      uint32_t version) {
  headroom_wayland *wayland = (headroom_wayland *)data;
  (void)version;
  if (!wayland->shm && !strcmp(interface, "wl_shm"))
    wayland->shm = (struct wl_shm *)wl_registry_bind(registry, name, &wl_shm_interface, 1);
}

static inline void headroom_on_global_removed(void *data, struct wl_registry *registry, uint32_t name) {
  (void)data, (void)registry, (void)name;
}

static inline void headroom_on_release(void *data, struct wl_buffer *buffer) {
  (void)buffer;
  ((headroom_wayland_buffer *)data)->is_busy = 0;
}

static const struct wl_registry_listener headroom_registry_listener = {headroom_on_global, headroom_on_global_removed};
static const struct wl_buffer_listener headroom_buffer_listener = {headroom_on_release};

static inline void headroom_wayland_free(headroom_wayland_buffer *buffer) {
  if (buffer->buffer) wl_buffer_destroy(buffer->buffer);
  if (buffer->pixels) munmap(buffer->pixels, (size_t)buffer->width * buffer->height * 4);
  memset(buffer, 0, sizeof *buffer);
}

static inline void headroom_wayland_close(headroom_wayland *wayland) {
  for (int index = 0; index < HEADROOM_BUFFERS; index++) headroom_wayland_free(&wayland->buffers[index]);
  if (wayland->shm) wl_shm_destroy(wayland->shm);
  if (wayland->queue) wl_event_queue_destroy(wayland->queue);
  free(wayland);
}

// NULL: the compositor takes no pixels in shared memory.
static inline headroom_wayland *headroom_wayland_open(struct wl_display *display, struct wl_surface *surface) {
  headroom_wayland *wayland = (headroom_wayland *)calloc(1, sizeof *wayland);
  if (!wayland) return NULL;
  wayland->display = display;
  wayland->surface = surface;
  wayland->queue = wl_display_create_queue(display);
  struct wl_display *wrapper = wayland->queue ? (struct wl_display *)wl_proxy_create_wrapper(display) : NULL;
  if (wrapper) {
    wl_proxy_set_queue((struct wl_proxy *)wrapper, wayland->queue);
    struct wl_registry *registry = wl_display_get_registry(wrapper);
    wl_proxy_wrapper_destroy(wrapper);
    wl_registry_add_listener(registry, &headroom_registry_listener, wayland);
    wl_display_roundtrip_queue(display, wayland->queue);
    wl_registry_destroy(registry);
  }
  if (wayland->shm) return wayland;
  headroom_wayland_close(wayland);
  return NULL;
}

static inline int headroom_wayland_make(headroom_wayland *wayland, headroom_wayland_buffer *buffer, int width,
                                        int height) {
  headroom_wayland_free(buffer);
  size_t size = (size_t)width * height * 4;
  if (size > INT32_MAX) return 0;
  int file = (int)syscall(SYS_memfd_create, "headroom", 1u /* close on exec */);
  if (file < 0) return 0;
  void *pixels = MAP_FAILED;
  if (ftruncate(file, (off_t)size) == 0) pixels = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (pixels != MAP_FAILED) {
    struct wl_shm_pool *pool = wl_shm_create_pool(wayland->shm, file, (int32_t)size);
    buffer->buffer = wl_shm_pool_create_buffer(pool, 0, width, height, width * 4, WL_SHM_FORMAT_XRGB8888);
    wl_shm_pool_destroy(pool);
    wl_buffer_add_listener(buffer->buffer, &headroom_buffer_listener, buffer);
    buffer->pixels = pixels;
    buffer->width = width;
    buffer->height = height;
  }
  close(file);
  return buffer->buffer != NULL;
}

static inline headroom_wayland_buffer *headroom_wayland_next(headroom_wayland *wayland) {
  for (int turn = 0; turn < 2; turn++) {
    for (int index = 0; index < HEADROOM_BUFFERS; index++)
      if (!wayland->buffers[index].is_busy) return &wayland->buffers[index];
    if (wl_display_roundtrip_queue(wayland->display, wayland->queue) < 0) return NULL;
  }
  // A compositor that keeps all of them may show a picture that is torn.
  return &wayland->buffers[(wayland->last + 1) % HEADROOM_BUFFERS];
}

// Shows pixels, row by row without gaps; 0: it cannot.
static inline int headroom_wayland_show(headroom_wayland *wayland, const void *pixels, int width, int height) {
  if (wl_display_dispatch_queue_pending(wayland->display, wayland->queue) < 0) return 0;
  headroom_wayland_buffer *buffer = headroom_wayland_next(wayland);
  if (!buffer) return 0;
  if (buffer->width != width || buffer->height != height) {
    if (!headroom_wayland_make(wayland, buffer, width, height)) return 0;
  }
  memcpy(buffer->pixels, pixels, (size_t)width * height * 4);
  buffer->is_busy = 1;
  wayland->last = (int)(buffer - wayland->buffers);
  wl_surface_attach(wayland->surface, buffer->buffer, 0, 0);
  wl_surface_damage_buffer(wayland->surface, 0, 0, width, height);
  wl_surface_commit(wayland->surface);
  return wl_display_flush(wayland->display) >= 0 || wl_display_get_error(wayland->display) == 0;
}
