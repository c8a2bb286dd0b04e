import ColorScience
import Foundation
import Frames
import Media
import Synchronization
import TestSupport
import Testing

import Capture

/// What the HDMI receiver of tools/vm/modules/hdr_source.c does when its signal, or the receiver itself, comes and goes; its coded formats.
extension HDRSourceTests {
  /// A source; nothing else holds the device open, which would keep its name from the one that is plugged in again.
  private static func source(
    _ request: ModeChoice.Request, _ isPatient: Bool,
    _ decoder: (@Sendable (CaptureFormat.Coding) throws -> any CaptureDecoder)?, _ events: Events
  ) throws -> CaptureSource {
    let device = try device()
    return try CaptureSource(
      device, device.setUp(device.choose(request).mode), framesInFlight: 4, decoder: decoder, request: request,
      isPatient: isPatient, onEvent: { events.add($0) })
  }

  /// Captures until `body` is done, with what the source says in the list.
  private static func live(
    _ request: ModeChoice.Request, isPatient: Bool = false,
    decoder: (@Sendable (CaptureFormat.Coding) throws -> any CaptureDecoder)? = nil,
    _ body: (CaptureSourceTests.Receiver, Events) throws -> Void
  ) throws {
    let events = Events()
    let source = try source(request, isPatient, decoder, events)
    let receiver = CaptureSourceTests.Receiver(keeps: 1)
    try source.start(delivering: receiver)
    defer {
      source.stop()
      receiver.heard.withLock { $0.frames = [] }
    }
    try body(receiver, events)
  }

  private static func request(_ code: String) -> ModeChoice.Request {
    var request = ModeChoice.Request()
    request.format = FourCC(rawValue: code.utf8.enumerated().reduce(0) { $0 | UInt32($1.element) << (8 * $1.offset) })
    return request
  }

  private final class Events: Sendable {
    private let heard = Mutex<[CaptureSource.Event]>([])

    func add(_ event: CaptureSource.Event) { heard.withLock { $0.append(event) } }

    /// Waits for an event.
    func wait(for isEvent: (CaptureSource.Event) -> Bool) -> Bool {
      comesTrue { heard.withLock { $0.contains(where: isEvent) } }
    }
  }

  /// Waits for more frames, and returns the last.
  private static func next(_ receiver: CaptureSourceTests.Receiver, _ count: Int = 10) throws -> CodedFrame {
    let before = receiver.heard.withLock { $0.count }
    CaptureSourceTests.wait(receiver, for: before + count)
    return try receiver.heard.withLock {
      #expect($0.count >= before + count && $0.error == nil)
      return try #require($0.frames.last)
    }
  }

  @Test func signalLostAndFound() throws {
    defer { try? Self.set("signal", 1) }
    try Self.live(Self.request("NV12")) { receiver, events in
      _ = try Self.next(receiver)
      try Self.set("signal", 0)
      #expect(events.wait { if case .noSignal = $0 { true } else { false } })
      // What was filled before has arrived by now.
      usleep(200_000)
      let count = receiver.heard.withLock { $0.count }
      usleep(1_000_000)
      #expect(receiver.heard.withLock { $0.count } == count)
      try Self.set("signal", 1)
      #expect(events.wait { if case .signal(let setup) = $0 { setup.mode.size.width == 320 } else { false } })
      #expect(Self.number(try Self.next(receiver)) != nil)
      #expect(receiver.heard.withLock { $0.states } == ["paused", "resumed"])
    }
  }

  @Test(arguments: ["P010", "NV12", "RGB3"]) func sizeChanges(_ code: String) throws {
    defer { try? Self.set("signal", 1) }
    try Self.live(Self.request(code)) { receiver, events in
      #expect(try Self.next(receiver).size == Size(width: 320, height: 180))
      try Self.set("signal", 2)
      #expect(events.wait { if case .signal(let setup) = $0 { setup.mode.size.width == 640 } else { false } })
      let large = try Self.next(receiver)
      #expect(large.size == Size(width: 640, height: 360) && Self.number(large) != nil)
      try Self.set("signal", 1)
      #expect(events.wait { if case .signal(let setup) = $0 { setup.mode.size.width == 320 } else { false } })
      let small = try Self.next(receiver)
      #expect(small.size == Size(width: 320, height: 180) && Self.number(small) != nil)
    }
  }

  @Test func pluggedInAgain() throws {
    defer { try? Self.set("fault", 3) }
    try Self.live(Self.request("NV12"), isPatient: true) { receiver, events in
      _ = try Self.next(receiver)
      // While a frame is held, the device file is open, and the kernel gives its name to no other device.
      receiver.heard.withLock { $0.frames = [] }
      try Self.set("fault", 2)
      #expect(events.wait { if case .unplugged = $0 { true } else { false } })
      receiver.heard.withLock { $0.frames = [] }
      usleep(1_000_000)
      try Self.set("fault", 3)
      #expect(events.wait { if case .reconnected = $0 { true } else { false } })
      #expect(Self.number(try Self.next(receiver)) != nil)
    }
  }

  /// Keeps the access units, and makes a frame of each.
  private final class Recorder: CaptureDecoder, Sendable {
    let units = Mutex<[[UInt8]]>([])

    func decode(_ data: RawSpan, at time: FrameTime) throws -> [CodedFrame] {
      let bytes = data.withUnsafeBytes { Array($0) }
      units.withLock { $0.append(bytes) }
      let layout = PixelLayout(.ycbcr420, bitDepth: 8)
      return [CodedFrame(size: Size(width: 2, height: 2), layout: layout, color: .bt709, time: time)]
    }
  }

  @Test(arguments: ["MJPG", "H264", "HEVC"]) func accessUnits(_ code: String) throws {
    let units = (1...7).map { unit in (0..<unit * unit * 5000).map { UInt8(truncatingIfNeeded: $0 * unit + $0 >> 8) } }
    let file = open("/sys/kernel/debug/hdr_source/units", O_WRONLY)
    try #require(file >= 0)
    for unit in units { #expect(write(file, unit, unit.count) == unit.count) }
    close(file)
    let recorder = Recorder()
    try Self.live(Self.request(code), decoder: { _ in recorder }) { receiver, _ in
      CaptureSourceTests.wait(receiver, for: 60)
      #expect(receiver.heard.withLock { $0.count } >= 60)
    }
    let heard = recorder.units.withLock { $0 }
    for (index, unit) in heard.enumerated() { #expect(unit == units[index % units.count], "unit \(index)") }
  }
}
