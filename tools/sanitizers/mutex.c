// Tells ThreadSanitizer that a contended `Mutex` orders what it guards. Its slow paths are in the standard library, which is not
// instrumented. Preloaded, these functions stand in front of them.
//
// Names: _MutexHandle._lockSlow(UInt32), ._tryLockSlow() and ._unlockSlow() of the module Synchronization, as of Swift 6.3.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *handle

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool try_lock_slow(SELF) __asm__(TRY);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

static void tell(const char *name, void *handle) {
  void (*function)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, name);
  if (function) function(handle);
}

SWIFT void lock_slow(uint32_t thread, SELF) {
  SWIFT void (*real)(uint32_t, SELF) = (void *)dlsym(RTLD_NEXT, LOCK);
  real(thread, handle);
  tell("__tsan_acquire", handle);
}

SWIFT bool try_lock_slow(SELF) {
  SWIFT bool (*real)(SELF) = (void *)dlsym(RTLD_NEXT, TRY);
  bool is_locked = real(handle);
  if (is_locked) tell("__tsan_acquire", handle);
  return is_locked;
}

SWIFT void unlock_slow(SELF) {
  SWIFT void (*real)(SELF) = (void *)dlsym(RTLD_NEXT, UNLOCK);
  tell("__tsan_release", handle);
  real(handle);
}
