import CV4L2
import Foundation
import Frames
import Synchronization
import Testing

import Capture

/// Signals of the kernel's own test driver, vivid, in the virtual machine of tools/check-capture.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["HEADROOM_CAPTURE_VM"] != nil))
struct VividSignalTests {
  typealias Receiver = CaptureSourceTests.Receiver
  typealias Log = CaptureSignalTests.Log

  private static func path() throws -> String {
    let path = CaptureDevice.paths().first { (try? CaptureDevice($0))?.name == "vivid" }
    return try #require(path)
  }

  /// Sets a control by its name, through a file of its own.
  private static func set(_ name: String, _ value: Int32, _ path: String) throws {
    let controls = try CaptureDevice(path).controls
    let control = try #require(controls.first { $0.name == name }, "\(name)")
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    var setting = v4l2_control(id: control.id, value: value)
    // VIDIOC_S_CTRL: 28, both ways.
    let code = UInt(3) << 30 | UInt(MemoryLayout<v4l2_control>.size) << 16 | UInt(UInt8(ascii: "V")) << 8 | 28
    #expect(ioctl(descriptor, code, &setting) == 0, "\(name): \(errno)")
  }

  /// A source of the HDMI input. Nothing else holds the device open: it would keep its number from one that is plugged in again.
  private static func source(_ path: String, isPatient: Bool, _ log: Log) throws -> CaptureSource {
    let device = try CaptureDevice(path)
    let input = device.inputs.first(where: \.hasTimings)
    try device.select(input: #require(input).number)
    try device.lockToSignal()
    var request = ModeChoice.Request()
    request.format = FourCC("YUYV")
    let mode = try device.choose(request).mode
    return try CaptureSource(
      device, device.setUp(mode), framesInFlight: 4, request: request, isPatient: isPatient, onEvent: log.add)
  }

  /// Calls `body` while the HDMI input of the device delivers.
  private static func capturing(
    _ path: String, isPatient: Bool = false, _ body: (Receiver, Log, CaptureSource) throws -> Void
  ) throws {
    let (log, receiver) = (Log(), Receiver(keeps: 1))
    let source = try source(path, isPatient: isPatient, log)
    try source.start(delivering: receiver)
    defer { source.stop() }
    CaptureSourceTests.wait(receiver, for: 5)
    try body(receiver, log, source)
  }

  @Test func listing() throws {
    let report = try CaptureDevice(Self.path()).report
    #expect(report.driver == "vivid" && report.inputs.count == 4 && report.inputs.contains(where: \.hasTimings))
    let controls = Dictionary(grouping: report.controls, by: \.kind).mapValues(\.count)
    for kind in [CaptureControl.Kind.integer, .boolean, .menu, .button, .bitmask, .string, .compound] {
      #expect(controls[kind, default: 0] > 0, "\(kind): \(controls)")
    }
    let pattern = try #require(report.controls.first { $0.name == "Test Pattern" })
    #expect(pattern.items.first?.name == "75% Colorbar" && pattern.value != nil)
    #expect(report.formats.allSatisfy { !$0.sizes.isEmpty && !$0.name.isEmpty })
  }

  /// The signal goes, loses its lock, is out of range, and comes back in another size, while a frame is held.
  @Test func changesOfTheSignal() throws {
    let path = try Self.path()
    try Self.capturing(path) { receiver, log, source in
      let before = source.setup.mode.size
      let held = try #require(receiver.heard.withLock { $0.frames.last })
      for (mode, text) in [(1, "no signal"), (2, "no lock on the signal"), (3, "a signal out of range")]
        as [(Int32, String)]
      {
        try Self.set("DV Timings Signal Mode", mode, path)
        #expect(log.waits(for: text))
      }
      let other = before.width == 1280 ? "1920x1080" : "1280x720"
      let controls = try CaptureDevice(path).controls
      let menu = try #require(controls.first { $0.name == "DV Timings" })
      let item = try #require(menu.items.first { $0.name.contains(other) }, "\(menu.items.map(\.name))")
      try Self.set("DV Timings", Int32(item.value), path)
      try Self.set("DV Timings Signal Mode", 4, path)
      #expect(log.waits(for: other))
      let count = receiver.heard.withLock { $0.count }
      CaptureSourceTests.wait(receiver, for: count + 5)
      let frame = try #require(receiver.heard.withLock { $0.frames.last })
      #expect("\(frame.size.width)x\(frame.size.height)" == other && frame.size == source.setup.mode.size)
      #expect(receiver.heard.withLock { $0.error } == nil && held.size == before)
      print("vivid signal: \(before.width)x\(before.height), \(log.texts.joined(separator: ", "))")
    }
  }

  /// Unplugged, and back at the same input.
  @Test func zUnpluggedAndBack() throws {
    let path = try Self.path()
    try Self.capturing(path, isPatient: true) { receiver, log, _ in
      let driver = "/sys/bus/platform/drivers/vivid/"
      try Data("vivid.0\n".utf8).write(to: URL(fileURLWithPath: driver + "unbind"))
      #expect(log.waits(for: "unplugged"))
      receiver.heard.withLock { $0.frames = [] }
      try Data("vivid.0\n".utf8).write(to: URL(fileURLWithPath: driver + "bind"))
      #expect(log.waits(for: "reconnected"), "\(CaptureDevice.paths())")
      let count = receiver.heard.withLock { $0.count }
      CaptureSourceTests.wait(receiver, for: count + 5)
      #expect(receiver.heard.withLock { $0.count } >= count + 5 && receiver.heard.withLock { $0.error } == nil)
      print("vivid unplugged: \(log.texts.joined(separator: ", "))")
    }
  }
}
