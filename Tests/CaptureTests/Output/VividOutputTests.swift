import CV4L2
import ColorScience
import Foundation
import Frames
import Synchronization
import Testing

import Capture

/// Frames through the kernel: what goes into the output of vivid comes out of its capture side, which it is looped to. In the virtual machine
/// of tools/check-capture.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["HEADROOM_CAPTURE_VM"] != nil))
struct VividOutputTests {
  /// The instance with one HDMI input and one HDMI output.
  static let bus = "platform:vivid-002"
  /// What the HDMI output is set to at first.
  private static let size = Size(width: 1280, height: 720)

  private static func capture() throws -> CaptureDevice {
    try #require(CaptureDevice.paths().lazy.compactMap { try? CaptureDevice($0) }.first { $0.bus == bus })
  }

  private static func outputPath() throws -> String {
    try #require(CaptureDevice.paths().first { (try? OutputDevice($0)) != nil })
  }

  /// Sets a control of the driver, by its name.
  private static func set(_ name: String, _ value: Int32, of path: String) throws {
    let file = open(path, O_RDWR)
    defer { close(file) }
    var query = v4l2_queryctrl()
    repeat {
      query.id |= V4L2_CTRL_FLAG_NEXT_CTRL
      try #require(ioctl(file, request(36, v4l2_queryctrl.self), &query) == 0, "\(name)")
    } while withUnsafeBytes(of: query.name, { !$0.starts(with: name.utf8 + [0]) })
    var control = v4l2_control(id: query.id, value: value)
    try #require(ioctl(file, request(28, v4l2_control.self), &control) == 0, "\(name)")
  }

  /// Source: Linux, include/uapi/asm-generic/ioctl.h, `_IOWR`.
  private static func request<Argument>(_ number: UInt, _: Argument.Type) -> UInt {
    3 << 30 | UInt(MemoryLayout<Argument>.size) << 16 | UInt(UInt8(ascii: "V")) << 8 | number
  }

  private static func isSame(_ frame: CodedFrame, _ other: CodedFrame) -> Bool {
    frame.layout == other.layout && frame.size == other.size
      && (0..<frame.layout.planeCount).allSatisfy { index in
        frame.withPlane(index) { plane in
          other.withPlane(index) { other in
            (0..<plane.size.height).allSatisfy { memcmp(plane.row($0), other.row($0), plane.size.width) == 0 }
          }
        }
      }
  }

  /// Pictures that differ in every sample.
  private static func pictures(_ layout: PixelLayout) -> [CodedFrame] {
    (0..<4).map { number in
      let frame = CodedFrame(size: size, layout: layout, color: .bt709)
      for index in 0..<layout.planeCount {
        frame.withPlane(index) { plane in
          for y in 0..<plane.size.height {
            let row = plane.row(y).assumingMemoryBound(to: UInt8.self)
            for x in 0..<plane.size.width {
              row[x] = UInt8(truncatingIfNeeded: 60 * number + 3 * x + 7 * y + 11 * index)
            }
          }
        }
      }
      return frame
    }
  }

  @Test(arguments: [false, true]) func outputArrives(isMapped: Bool) throws {
    let device = try Self.capture()
    try Self.set("Loop Video", 1, of: device.path)
    try Self.set("OSD Text Mode", 2, of: device.path)
    let output = try OutputDevice(Self.outputPath(), isMapped: isMapped)
    let color = ColorDescription(primaries: .bt2020, transfer: .pq, matrix: .bt2020NCL)
    let pictures = Self.pictures(try output.setUp(size: Self.size, rate: Rational(60, 1), color: color))
    defer { output.finish() }

    var request = ModeChoice.Request()
    (request.format, request.size) = (FourCC("YU12"), Self.size)
    let setup = try device.setUp(device.choose(request).mode)
    // Linux 6.1's vivid does not keep the transfer function of its output.
    #expect(setup.color.primaries == color.primaries && setup.color.matrix == color.matrix)
    let source = try CaptureSource(device, setup, framesInFlight: 4)
    let receiver = CaptureSourceTests.Receiver(keeps: 1)
    try source.start(delivering: receiver)
    defer {
      source.stop()
      receiver.heard.withLock { $0.frames = [] }
    }
    // What the capture side shows before the output has begun is its own.
    var (found, others): (Set<Int>, Int) = ([], 0)
    let end = Date(timeIntervalSinceNow: 120)
    var written = 0
    while found.count < pictures.count, Date() < end {
      try output.write(pictures[written / 8 % pictures.count])
      written += 1
      guard let frame = receiver.heard.withLock({ $0.frames.last }) else { continue }
      if let index = pictures.firstIndex(where: { Self.isSame($0, frame) }) {
        found.insert(index)
      } else if !found.isEmpty {
        others += 1
      }
    }
    #expect(found.count == pictures.count && others == 0, "\(found), \(others) others of \(written)")
  }
}
