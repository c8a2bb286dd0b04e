// What Swift's Glibc module leaves out.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

/// Renames where there is nothing under the new name yet; -1 and `errno` otherwise. ENOSYS and EINVAL: the kernel or the
/// file system does not know how.
static inline __attribute__((unused)) int hr_rename_to_free_name(const char *from, const char *to) {
#ifdef SYS_renameat2
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1u /* RENAME_NOREPLACE */);
#else
  errno = ENOSYS;
  return -1;
#endif
}
