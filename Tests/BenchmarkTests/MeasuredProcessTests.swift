import Testing

import headroom_bench

@Suite struct MeasuredProcessTests {
  /// 256 MiB more are 256 MiB more, neither MB nor thousands of KiB.
  @Test func peakMemoryIsInMiB() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    func peak(_ size: Int) throws -> Double {
      try MeasuredProcess(program: "/usr/bin/python3", arguments: ["-c", "bytearray(\(size) << 20)"]).run(in: scratch)
        .peakMemoryMiB
    }
    #expect(try abs(peak(768) - peak(512) - 256) < 2)
  }
}
