internal import Foundation

/// The load from other programs during a measurement.
struct ForeignLoad {
  private let start = Clock.monotonic.now
  private let busy = Self.busySeconds()

  /// Average number of processors used by other programs (neither this one nor its children) since the start.
  var cores: Double {
    max(0, (Self.busySeconds() - busy) / (Clock.monotonic.now - start))
  }

  private static func busySeconds() -> Double { allSeconds() - ownSeconds() }

  /// User, nice, system, interrupt and stolen time of all processors.
  private static func allSeconds() -> Double {
    let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
    let ticks = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().compactMap { Double($0) }
    // The order is user, nice, system, idle, waiting, interrupts, soft interrupts, stolen.
    let busy = ticks.enumerated().filter { [0, 1, 2, 5, 6, 7].contains($0.offset) }
    return busy.reduce(0) { $0 + $1.element } / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private static func ownSeconds() -> Double {
    [RUSAGE_SELF, RUSAGE_CHILDREN].reduce(0) { sum, who in
      var used = rusage()
      unsafe getrusage(who.rawValue, &used)
      return sum + used.cpuSeconds
    }
  }
}

extension rusage {
  /// User and system time.
  var cpuSeconds: Double { ru_utime.seconds + ru_stime.seconds }
}

extension timeval {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) * 1e-6 }
}
