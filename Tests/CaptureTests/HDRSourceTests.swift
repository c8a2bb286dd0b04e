import ColorScience
import Foundation
import Frames
import Synchronization
import Testing

import Capture

/// The device of tools/vm/modules/hdr_source.c, in the virtual machine of tools/check-capture: ten bits, HDR10 metadata, and faults.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["HEADROOM_CAPTURE_VM"] != nil))
struct HDRSourceTests {
  static let uncoded = ["P010", "Y210", "NV12", "NV16", "YUYV", "UYVY", "RGB3"].map { FourCC($0) }
  static let coded = ["MJPG", "H264", "HEVC"].map { FourCC($0) }
  private static let parameters = "/sys/module/hdr_source/parameters/"

  static func set(_ name: String, _ value: Int) throws {
    try Data("\(value)\n".utf8).write(to: URL(fileURLWithPath: parameters + name))
  }

  static func device() throws -> CaptureDevice {
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
    defer {
      source.stop()
      // The device is busy while a frame is held.
      receiver.heard.withLock { $0.frames = [] }
    }
    try body(receiver)
  }

  /// The number of a frame by its first sample, if all others follow from it; nil: some do not.
  static func number(_ frame: CodedFrame) -> Int? {
    let (bits, shift) = (frame.layout.bitDepth, frame.layout.sampleShift)
    let mask = 1 << bits - 1
    let first = frame.sample(plane: 0, x: 0, y: 0) >> shift
    var index = 0
    for plane in 0..<frame.layout.planeCount {
      let isSame = frame.withPlane(plane) { plane in
        (0..<plane.size.height).allSatisfy { y in
          let row = plane.row(y)
          let isSame = (0..<plane.size.width).allSatisfy { x in
            let sample =
              bits == 8
              ? Int(row.load(fromByteOffset: x, as: UInt8.self))
              : Int(row.load(fromByteOffset: 2 * x, as: UInt16.self))
            return sample == ((first + index + x + (index + x) >> bits) & mask) << shift
          }
          index += plane.size.width
          return isSame
        }
      }
      guard isSame else { return nil }
    }
    // 769 is odd, so it has an inverse: 769 · 257 = 193 · 1024 + 1.
    return first * 257 & mask
  }

  @Test func whatItSays() throws {
    let device = try Self.device()
    #expect(device.formats == Self.uncoded + Self.coded)
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

  @Test(arguments: uncoded) func bitForBit(_ code: FourCC) throws {
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
      let count = ["P010", "Y210"].contains(code.text) ? 1024 : 256
      for (earlier, later) in zip(numbers, numbers.dropFirst()) {
        #expect((1..<count / 2).contains((later - earlier + count) % count))
      }
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

  @Test func unplugged() throws {
    defer { try? Self.set("fault", 3) }
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
