// What Swift's Glibc module leaves out of Linux's confinement of processes.
#pragma once
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Makes a call of the system, whose function is variadic.
static inline __attribute__((unused)) long hr_call(long number, long a, long b, long c) {
  return syscall(number, a, b, c, 0L, 0L);
}
