import CV4L2
import ColorScience
import Foundation
import Frames
import Media
import Synchronization
import TestSupport
import Testing

import Capture

/// Signals that change, go and come back.
@Suite struct CaptureSignalTests {
  typealias Receiver = CaptureSourceTests.Receiver

  /// Keeps what a source reports.
  final class Log: Sendable {
    let events = Mutex<[CaptureSource.Event]>([])

    var texts: [String] {
      events.withLock { $0 }.map { event in
        switch event {
        case .noSignal(let loss): "\(loss)"
        case .signal(let setup): "\(setup.mode.size.width)x\(setup.mode.size.height)"
        case .restarted(let code): "restarted \(code)"
        case .unplugged: "unplugged"
        case .reconnected: "reconnected"
        case .rate(let rate): "rate \(rate?.description ?? "unknown")"
        }
      }
    }

    func add(_ event: CaptureSource.Event) { events.withLock { $0.append(event) } }

    func waits(for text: String) -> Bool { comesTrue(every: 0.001) { texts.contains(text) } }
  }

  static func script(_ width: UInt32 = 64, _ height: UInt32 = 48) -> ScriptedDevice {
    let script = ScriptedDevice()
    (script.timings, script.followsTimings, script.interval) = (.success(.of(width, height)), true, 1)
    return script
  }

  static func source(
    _ script: ScriptedDevice, _ log: Log, request: ModeChoice.Request = .init(), isPatient: Bool = false,
    reopen: CaptureSource.Opener? = nil
  ) throws -> CaptureSource {
    let device = try CaptureDevice(script, path: "/dev/video9")
    try device.lockToSignal()
    return try CaptureSource(
      device, device.setUp(device.choose(request).mode), framesInFlight: 4, request: request, isPatient: isPatient,
      reopen: reopen, onEvent: log.add)
  }

  /// The sizes of the frames that have come, without repetitions.
  static func sizes(_ receiver: Receiver) -> [Int] {
    receiver.heard.withLock { $0.frames }.map(\.size.width).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// Timings come first: they reset colours and size.
  @Test func timingsComeFirst() throws {
    let script = Self.script(96, 64)
    let device = try CaptureDevice(script, path: "/dev/video9")
    try device.lockToSignal()
    let setup = try device.setUp(device.choose().mode)
    #expect(setup.mode.size == Size(width: 96, height: 64))
    #expect(setup.signal == .present(size: Size(width: 96, height: 64), rate: nil))
    #expect(script.settings.prefix(3) == ["timings", "timings", "format"])
  }

  /// Frames of the new size follow, and held ones stay as they are, whether or not the device can do without their buffers.
  @Test(arguments: [true, false]) func changeOfSize(_ canOrphan: Bool) throws {
    let script = Self.script()
    // Events name their input.
    (script.inputs, script.input) = ([("HDMI 0", 0), ("HDMI 1", 0)], 1)
    script.canOrphan = canOrphan
    script.fill = { n, planes in
      planes[0].storeBytes(of: UInt16(n), as: UInt16.self)
      return (planes.map(\.count), UInt32(n))
    }
    let (log, receiver) = (Log(), Receiver(keeps: 4))
    var request = ModeChoice.Request()
    // Asked for, but not in the new signal.
    (request.size, request.rate) = (Size(width: 64, height: 48), Rational(50, 1))
    let source = try Self.source(script, log, request: request)
    try source.start(delivering: receiver)
    CaptureSourceTests.wait(receiver, for: 10)
    // The device must not run out of buffers: then it would be asked.
    let held = receiver.heard.withLock { Array($0.frames.suffix(2)) }
    let numbers = held.map { $0.sample(plane: 0, x: 0, y: 0) }
    script.locked { script.timings = .success(.of(96, 64)) }
    script.report(V4L2_EVENT_SOURCE_CHANGE)
    if !canOrphan {
      // Nothing can be set up while somebody holds a frame; the device waits for that.
      usleep(100_000)
      receiver.heard.withLock { $0.frames = [] }
    }
    if canOrphan {
      #expect(log.waits(for: "96x64"))
      #expect(held.map { $0.sample(plane: 0, x: 0, y: 0) } == numbers)
      CaptureSourceTests.wait(receiver, for: receiver.heard.withLock { $0.count } + 10)
      #expect(Self.sizes(receiver) == [96] && source.setup.mode.size.width == 96)
      #expect(receiver.heard.withLock { $0.states } == ["paused", "resumed"])
      #expect(receiver.heard.withLock { $0.lost.reduce(0, +) } == 0)
    }
    withExtendedLifetime(held) {}
    source.stop()
    receiver.heard.withLock { $0.frames = [] }
    #expect(script.misqueued == 0)
  }

  /// A device that cannot do without the buffers of held frames is set up as soon as they are let go; if they never are, it
  /// gives up.
  @Test(arguments: [true, false]) func heldFramesOfOldKernels(_ letsGo: Bool) throws {
    let script = Self.script()
    script.canOrphan = false
    let (log, receiver) = (Log(), Receiver(keeps: 2))
    let source = try Self.source(script, log)
    try source.start(delivering: receiver)
    CaptureSourceTests.wait(receiver, for: 10)
    script.locked { script.timings = .success(.of(96, 64)) }
    script.report(V4L2_EVENT_SOURCE_CHANGE)
    #expect(comesTrue(every: 0.001) { receiver.heard.withLock { $0.states.contains("paused") } })
    if letsGo {
      receiver.heard.withLock { $0.frames = [] }
      #expect(log.waits(for: "96x64"))
      CaptureSourceTests.wait(receiver, for: receiver.heard.withLock { $0.count } + 3)
      #expect(Self.sizes(receiver) == [96])
    } else {
      #expect(receiver.waitForEnd())
      let expected = CaptureError.requestFailed(path: "/dev/video9", request: "REQBUFS", code: EBUSY)
      #expect(receiver.heard.withLock { $0.error } as? CaptureError == expected)
    }
    source.stop()
  }

  /// Without a signal nothing comes, and it goes on with what comes then; with events and without.
  @Test(arguments: [true, false]) func lossOfSignal(_ hasEvents: Bool) throws {
    let script = Self.script()
    if !hasEvents { script.faults = [.init(request: DeviceRequests.subscribeEvent.code, count: .max, code: ENOTTY)] }
    let (log, receiver) = (Log(), Receiver(keeps: 2))
    let source = try Self.source(script, log)
    try source.start(delivering: receiver)
    CaptureSourceTests.wait(receiver, for: 5)
    script.locked { (script.timings, script.frames) = (.failure(.init(code: ENOLINK)), script.sent) }
    script.report(V4L2_EVENT_SOURCE_CHANGE)
    #expect(log.waits(for: "no signal"))
    script.locked { script.timings = .failure(.init(code: ENOLCK)) }
    #expect(log.waits(for: "no lock on the signal"))
    script.locked { (script.timings, script.frames) = (.success(.of(96, 64)), .max) }
    script.report(V4L2_EVENT_SOURCE_CHANGE)
    #expect(log.waits(for: "96x64"))
    CaptureSourceTests.wait(receiver, for: receiver.heard.withLock { $0.count } + 5)
    #expect(log.texts == ["no signal", "no lock on the signal", "96x64"] && Self.sizes(receiver) == [96])
    #expect(receiver.heard.withLock { $0.states } == ["paused", "resumed"])
    source.stop()
    #expect(receiver.heard.withLock { $0.error } == nil)
  }

  /// A device without a signal at first is waited for; one that refuses to stream for that reason too.
  @Test(arguments: [true, false]) func noSignalAtFirst(_ isKnown: Bool) throws {
    let script = Self.script()
    let failure = ScriptedDevice.Fault(request: DeviceRequests.startStream.code, count: 1, code: ENOLINK)
    if isKnown { script.timings = .failure(.init(code: ENOLINK)) } else { script.faults = [failure] }
    let (log, receiver) = (Log(), Receiver(keeps: 2))
    let source = try Self.source(script, log)
    try source.start(delivering: receiver)
    if isKnown { #expect(log.waits(for: "no signal")) }
    script.locked { script.timings = .success(.of(64, 48)) }
    CaptureSourceTests.wait(receiver, for: 5)
    #expect(receiver.heard.withLock { $0.count } >= 5 && log.texts.last == "64x48")
    source.stop()
  }

  /// Analogue inputs have no timings; why nothing comes is in their status.
  @Test func statusOfAnInput() throws {
    let script = ScriptedDevice()
    (script.inputs, script.frames) = ([("Composite", 0)], 3)
    let (log, receiver) = (Log(), Receiver(keeps: 2))
    let source = try Self.source(script, log)
    try source.start(delivering: receiver)
    CaptureSourceTests.wait(receiver, for: 3)
    script.locked { script.inputs = [("Composite", UInt32(V4L2_IN_ST_NO_H_LOCK))] }
    #expect(log.waits(for: "no lock on the signal"))
    script.locked { script.frames = .max }
    CaptureSourceTests.wait(receiver, for: 10)
    #expect(log.texts == ["no lock on the signal", "64x48"])
    source.stop()
  }

  /// The end of a stream that belongs to a change: the last buffer, and an error behind it.
  @Test(arguments: [true, false]) func lastBuffers(_ isMarked: Bool) throws {
    let script = Self.script()
    if isMarked {
      script.isLast = { $0 == 4 }
    } else {
      script.faults = [.init(request: DeviceRequests.dequeueBuffer.code, from: 6, count: 1, code: EPIPE)]
    }
    let (log, receiver) = (Log(), Receiver(keeps: 2))
    let source = try Self.source(script, log)
    try source.start(delivering: receiver)
    CaptureSourceTests.wait(receiver, for: 20)
    #expect(log.texts == ["64x48"] && receiver.heard.withLock { $0.lost.reduce(0, +) } == 0)
    source.stop()
  }

  /// A change in each buffer, and events that nothing takes, are no reason to run hot or to stop.
  @Test func endlessChanges() throws {
    let script = Self.script()
    script.hasStuckEvent = true
    let (log, receiver) = (Log(), Receiver(keeps: 2))
    let source = try Self.source(script, log)
    try source.start(delivering: receiver)
    CaptureSourceTests.wait(receiver, for: 5)
    script.locked { script.isLast = { _ in true } }
    CaptureSourceTests.wait(receiver, for: receiver.heard.withLock { $0.count } + 5)
    #expect(receiver.heard.withLock { $0.count } >= 10)
    source.stop()
  }

  /// Colours and metadata that change reach the frames that follow.
  @Test(arguments: [true, false]) func changeOfColours(_ hasEvents: Bool) throws {
    let script = Self.script()
    script.color = (3, 0, 0, 0)
    let (log, receiver) = (Log(), Receiver(keeps: 1))
    let source = try Self.source(script, log)
    try source.start(delivering: receiver)
    CaptureSourceTests.wait(receiver, for: 3)
    #expect(source.setup.color == .bt709 && source.metadata == HDRMetadata())
    script.locked {
      script.color = (10, 7, 6, 2)
      script.contentLight = v4l2_ctrl_hdr10_cll_info(max_content_light_level: 900, max_pic_average_light_level: 300)
    }
    if hasEvents { script.report(V4L2_EVENT_CTRL) }
    let light = ContentLight(maxCLL: 900, maxFALL: 300)
    #expect(comesTrue(every: 0.001) { receiver.heard.withLock { $0.frames.last?.metadata.contentLight } == light })
    let frame = try #require(receiver.heard.withLock { $0.frames.last })
    #expect(frame.color == ColorDescription(primaries: .bt2020, transfer: .pq, matrix: .bt2020NCL))
    #expect(source.setup.color == frame.color && source.metadata == frame.metadata)
    #expect(receiver.heard.withLock { $0.states } == [])
    source.stop()
  }

  /// Changes one after the other leave nothing behind, also where frames of each are held for a while.
  @Test func manyChanges() throws {
    let script = Self.script()
    script.isLast = { $0 % 3 == 2 }
    let (log, receiver) = (Log(), Receiver(keeps: 7))
    let source = try Self.source(script, log)
    try source.start(delivering: receiver)
    for count in stride(from: 20, through: 300, by: 20) {
      CaptureSourceTests.wait(receiver, for: count)
      // Seven that are held, and one set of buffers.
      #expect(script.mapped <= 14)
    }
    source.stop()
    #expect(log.texts.count >= 90 && receiver.heard.withLock { $0.count } >= 300)
    receiver.heard.withLock { $0.frames = [] }
    #expect(script.mapped == 0 && script.orphans.isEmpty && script.misqueued == 0)
  }
}
