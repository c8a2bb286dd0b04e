import CConfinement
import Glibc

/// Sandboxes the network process: an attacker who takes it over can use its connections, and nothing else on the
/// machine.
///
/// A mechanism that the kernel lacks is skipped; the others remain.
enum Confinement {
  /// Drops inherited state: descriptors except the link, the working directory, and all means of gaining privileges.
  static func begin() {
    if hr_call(Int(SYS_close_range), 3, Int(UInt32.max), 0) != 0 {
      for descriptor in 3..<max(4, min(Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))), 1 << 16)) { close(descriptor) }
    }
    let nothing = unsafe open("/dev/null", O_RDWR)
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] { dup2(nothing, descriptor) }
    if nothing > STDERR_FILENO { close(nothing) }
    _ = unsafe chdir("/")
    _ = hr_call(Int(SYS_prctl), Int(PR_SET_NO_NEW_PRIVS), 1, 0)
  }

  /// Drops the privileges of the process, while it has a single thread: later threads inherit the restrictions.
  static func complete() {
    dropCapabilities()
    denyFilesAndPorts()
    filterCalls()
  }

  /// Source: Linux, capabilities(7), capset(2).
  private static func dropCapabilities() {
    // In turn, until there are no more.
    var number = 0
    while hr_call(Int(SYS_prctl), Int(PR_CAPBSET_DROP), number, 0) == 0 { number += 1 }
    _ = hr_call(Int(SYS_prctl), Int(PR_CAP_AMBIENT), Int(PR_CAP_AMBIENT_CLEAR_ALL), 0)
    var header = __user_cap_header_struct(version: UInt32(_LINUX_CAPABILITY_VERSION_3), pid: 0)
    var none = [__user_cap_data_struct](repeating: __user_cap_data_struct(), count: 2)
    unsafe withUnsafeMutablePointer(to: &header) { header in
      _ = unsafe none.withUnsafeMutableBufferPointer { none in
        hr_call(Int(SYS_capset), Int(bitPattern: header), Int(bitPattern: none.baseAddress), 0)
      }
    }
  }

  /// Denies opening files, and binding or connecting ports; open ones stay usable.
  ///
  /// Source: Linux, Documentation/userspace-api/landlock.rst: access rights by ABI version.
  private static func denyFilesAndPorts() {
    let version = hr_call(Int(SYS_landlock_create_ruleset), 0, 0, Int(LANDLOCK_CREATE_RULESET_VERSION))
    guard version >= 1 else { return }
    let files = [0, 13, 14, 15, 15][Int(min(version, 4))] + (version >= 5 ? 1 : 0)
    var handled: (files: UInt64, ports: UInt64) = (1 << UInt64(files) - 1, 0b11)
    let size = version >= 4 ? 16 : 8
    let rules = unsafe withUnsafeMutablePointer(to: &handled) {
      hr_call(Int(SYS_landlock_create_ruleset), Int(bitPattern: $0), size, 0)
    }
    guard rules >= 0 else { return }
    _ = hr_call(Int(SYS_landlock_restrict_self), rules, 0, 0)
    close(Int32(rules))
  }

  // MARK: System calls

  /// The system calls of an event loop, its threads and memory.
  private static var calls: [Int32] {
    var calls = [
      // Connections, and the link.
      SYS_accept4, SYS_read, SYS_readv, SYS_write, SYS_writev, SYS_recvfrom, SYS_recvmsg, SYS_sendto, SYS_sendmsg,
      SYS_shutdown, SYS_close, SYS_fcntl, SYS_getsockopt, SYS_setsockopt, SYS_getsockname, SYS_getpeername, SYS_listen,
      // Events.
      SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_eventfd2, SYS_timerfd_create, SYS_timerfd_settime,
      SYS_ppoll,
      // Memory.
      SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_brk,
      // Threads and signals.
      SYS_clone, SYS_clone3, SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_membarrier, SYS_sched_yield,
      SYS_sched_getaffinity, SYS_setpriority, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
      SYS_rt_sigtimedwait,
      SYS_sigaltstack, SYS_restart_syscall, SYS_prctl, SYS_exit, SYS_exit_group,
      // Time, random numbers, and process identity.
      SYS_clock_gettime, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_getrandom, SYS_getpid, SYS_gettid,
      SYS_prlimit64, SYS_sysinfo, SYS_uname, SYS_fstat,
    ]
    #if arch(x86_64)
      calls += [SYS_epoll_create, SYS_epoll_wait, SYS_poll]
    #endif
    return calls
  }

  /// Makes all other system calls fail with EPERM.
  ///
  /// Source: Linux, Documentation/userspace-api/seccomp_filter.rst; include/uapi/linux/audit.h, AUDIT_ARCH_.
  private static func filterCalls() {
    #if arch(x86_64)
      let architecture: UInt32 = 0xC000_003E
    #elseif arch(arm64)
      let architecture: UInt32 = 0xC000_00B7
    #else
      return
    #endif
    let (load, equal, atLeast, done) = (UInt16(0x20), UInt16(0x15), UInt16(0x35), UInt16(0x06))
    let calls = calls
    let count = UInt8(calls.count)
    // The system call number is at offset 0, the architecture at 4; jumps count from the next instruction.
    var program = [
      sock_filter(code: load, jt: 0, jf: 0, k: 4), sock_filter(code: equal, jt: 0, jf: count + 2, k: architecture),
      sock_filter(code: load, jt: 0, jf: 0, k: 0),
      // x32 system calls (__X32_SYSCALL_BIT) have different numbers.
      sock_filter(code: atLeast, jt: count, jf: 0, k: 0x4000_0000),
    ]
    for (index, call) in calls.enumerated() {
      program.append(sock_filter(code: equal, jt: count - UInt8(index), jf: 0, k: UInt32(call)))
    }
    program += [
      sock_filter(code: done, jt: 0, jf: 0, k: UInt32(SECCOMP_RET_ERRNO) | UInt32(EPERM)),
      sock_filter(code: done, jt: 0, jf: 0, k: UInt32(SECCOMP_RET_ALLOW)),
    ]
    unsafe program.withUnsafeMutableBufferPointer { program in
      var filter = unsafe sock_fprog(len: UInt16(program.count), filter: program.baseAddress)
      _ = unsafe withUnsafeMutablePointer(to: &filter) {
        hr_call(Int(SYS_seccomp), Int(SECCOMP_SET_MODE_FILTER), 0, Int(bitPattern: $0))
      }
    }
  }
}
