import ColorScience
import Foundation
import Frames
import Synchronization
import Testing

import Capture

/// The device of tools/vm/modules/hdr_source.c, in the virtual machine of tools/check-capture: ten bits, HDR10 metadata, and faults.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["HEADROOM_CAPTURE_VM"] != nil))
struct HDRSourceTests {
  private static let parameters = "/sys/module/hdr_source/parameters/"

  private static func set(_ name: String, _ value: Int) throws {
    try Data("\(value)\n".utf8).write(to: URL(fileURLWithPath: parameters + name))
  }

  private static func device() throws -> CaptureDevice {
    try #require(CaptureDevice.paths().lazy.compactMap { try? CaptureDevice($0) }.first { $0.name == "HDR source" })
  }

  private static func source(_ code: FourCC? = nil) throws -> CaptureSource {
    let device = try device()
    var request = ModeChoice.Request()
    request.format = code
    return try CaptureSource(device, device.setUp(device.choose(request).mode), framesInFlight: 4)
  }

  /// Calls `body` while the device delivers to a receiver that keeps some frames.
  private static func capturing(
    _ code: FourCC? = nil, keeps: Int, _ body: (CaptureSourceTests.Receiver) throws -> Void
  ) throws {
    let source = try source(code)
    let receiver = CaptureSourceTests.Receiver(keeps: keeps)
    try source.start(delivering: receiver)
    defer { source.stop() }
    try body(receiver)
  }

  /// The number of a frame by its first word, if all others follow from it; nil: some do not.
  private static func number(_ frame: CodedFrame) -> Int? {
    let first = frame.sample(plane: 0, x: 0, y: 0) >> 6
    var index = 0
    for plane in 0..<frame.layout.planeCount {
      let extent = frame.layout.planeSize(plane, of: frame.size)
      for y in 0..<extent.height {
        for x in 0..<extent.width {
          guard frame.sample(plane: plane, x: x, y: y) == ((first + index) % 1024) << 6 else { return nil }
          index += 1
        }
      }
    }
    // 769 is odd, so it has an inverse modulo 1024: 769 · 257 = 193 · 1024 + 1.
    return first * 257 % 1024
  }

  @Test func whatItSays() throws {
    let device = try Self.device()
    #expect(device.formats == [FourCC("P010"), FourCC("Y210")])
    // As many bits, the same gamut, more chroma.
    #expect(try device.choose().mode.description == "Y210 320x180 at 50.0")
    let setup = try Self.source(FourCC("P010")).setup
    #expect(setup.color == ColorDescription(primaries: .bt2020, transfer: .pq, matrix: .bt2020NCL))
    #expect(device.metadata.contentLight == ContentLight(maxCLL: 900, maxFALL: 300))
    let display = try #require(device.metadata.masteringDisplay)
    #expect(display.red == .init(x: 34_000, y: 16_000) && display.green == .init(x: 13_250, y: 34_500))
    #expect(display.blue == .init(x: 7500, y: 3000) && display.white == .init(x: 15_635, y: 16_450))
    #expect(display.maxLuminance == 10_000_000 && display.minLuminance == 50)
  }

  @Test(arguments: [FourCC("P010"), FourCC("Y210")]) func bitForBit(_ code: FourCC) throws {
    // Compared while the device goes on: what is held must not change.
    try Self.capturing(code, keeps: 1) { receiver in
      var (numbers, seen): ([Int], Int) = ([], 0)
      let end = Date(timeIntervalSinceNow: 120)
      while numbers.count < 120, Date() < end {
        let (frame, count) = receiver.heard.withLock { ($0.frames.last, $0.count) }
        guard let frame, count > seen else {
          usleep(500)
          continue
        }
        seen = count
        numbers.append(try #require(Self.number(frame), "frame \(count)"))
      }
      #expect(numbers.count == 120)
      for (earlier, later) in zip(numbers, numbers.dropFirst()) { #expect((later - earlier + 1024) % 1024 < 512) }
    }
  }

  @Test func droppedFramesAreCounted() throws {
    try Self.set("dropped", 5)
    defer { try? Self.set("dropped", 0) }
    try Self.capturing(keeps: 1) { receiver in
      CaptureSourceTests.wait(receiver, for: 41)
      let lost = receiver.heard.withLock { $0.lost.prefix(41).reduce(0, +) }
      // Every fifth, and perhaps some that an emulated processor was too slow for.
      #expect((10...20).contains(lost), "\(lost)")
    }
  }

  @Test func errorsOfTheBusAreSurvived() throws {
    try Self.capturing(keeps: 2) { receiver in
      CaptureSourceTests.wait(receiver, for: 10)
      try Self.set("fault", 1)
      CaptureSourceTests.wait(receiver, for: 40)
      #expect(receiver.heard.withLock { $0.count } >= 40 && receiver.heard.withLock { $0.error } == nil)
    }
  }

  /// The last: afterwards there is no device.
  @Test func zUnplugged() throws {
    try Self.capturing(keeps: 2) { receiver in
      CaptureSourceTests.wait(receiver, for: 10)
      let held = try #require(receiver.heard.withLock { $0.frames.last })
      try Self.set("fault", 2)
      #expect(receiver.waitForEnd())
      guard case .isGone = receiver.heard.withLock({ $0.error }) as? CaptureError else {
        Issue.record("\(String(describing: receiver.heard.withLock { $0.error }))")
        return
      }
      // What is held can be read to its end.
      #expect(Self.number(held) != nil)
    }
  }
}
