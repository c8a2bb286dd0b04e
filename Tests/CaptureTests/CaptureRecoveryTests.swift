import CV4L2
import Foundation
import Frames
import Media
import Synchronization
import TestSupport
import Testing

import Capture

/// Rates that are changed in mid-stream, and devices that are unplugged.
@Suite struct CaptureRecoveryTests {
  typealias Receiver = CaptureSourceTests.Receiver
  typealias Signals = CaptureSignalTests

  @Test func changeOfRate() throws {
    let script = ScriptedDevice()
    script.modes = [.init(code: FourCC("P010"), rates: [(1, 50), (1, 25), (1, 100)])]
    script.interval = 1
    let (log, receiver) = (Signals.Log(), Receiver(keeps: 3))
    let source = try Signals.source(script, log)
    #expect(source.rates == [Rational(100, 1), Rational(50, 1), Rational(25, 1)])
    try source.start(delivering: receiver)
    CaptureSourceTests.wait(receiver, for: 5)
    source.setRate(Rational(25, 1))
    #expect(log.waits(for: "rate 25/1"))
    CaptureSourceTests.wait(receiver, for: receiver.heard.withLock { $0.count } + 5)
    #expect(source.setup.mode.rate == Rational(25, 1))
    #expect(receiver.heard.withLock { $0.frames.last?.time.duration } == 40_000)
    for absurd in [Rational(0, 0), Rational(-1, 1), Rational(.max, 1)] { source.setRate(absurd) }
    source.setRate(nil)
    #expect(log.waits(for: "rate 100/1"))
    source.stop()
    #expect(receiver.heard.withLock { $0.error } == nil && script.misqueued == 0)
  }

  /// What was unplugged comes back, at the same input, with what it has then.
  @Test func unpluggedAndBack() throws {
    let script = Signals.script()
    script.inputs = [("HDMI 0", 0), ("HDMI 1", 0)]
    script.input = 1
    let next = Signals.script(96, 64)
    next.inputs = script.inputs
    script.fill = { n, planes in
      planes[0].initializeMemory(as: UInt8.self, repeating: 7)
      return (planes.map(\.count), UInt32(n))
    }
    let tries = Atomic(0)
    let (log, receiver) = (Signals.Log(), Receiver(keeps: 3))
    let source = try Signals.source(script, log, isPatient: true) {
      guard tries.add(1, ordering: .relaxed).newValue > 2 else {
        throw CaptureError.cannotOpen(path: "/dev/video9", code: ENOENT)
      }
      return try CaptureDevice(next, path: "/dev/video9")
    }
    try source.start(delivering: receiver)
    CaptureSourceTests.wait(receiver, for: 5)
    let held = try #require(receiver.heard.withLock { $0.frames.last })
    script.unplug()
    #expect(log.waits(for: "96x64"))
    CaptureSourceTests.wait(receiver, for: receiver.heard.withLock { $0.count } + 5)
    #expect(log.texts == ["unplugged", "reconnected", "96x64"] && Signals.sizes(receiver) == [96])
    #expect(next.settings.first == "input 1" && receiver.heard.withLock { $0.states } == ["paused", "resumed"])
    #expect(held.sample(plane: 0, x: 63, y: 47) == 0x707)
    source.stop()
    #expect(receiver.heard.withLock { $0.error } == nil && script.mapped == 1)
    withExtendedLifetime(held) {}
  }

  /// Nothing holds a device that has gone: another would get another path.
  @Test func goneDevicesAreLetGo() throws {
    let script = Signals.script()
    weak var last: CaptureDevice?
    let receiver = Receiver(keeps: 0)
    func source() throws -> CaptureSource {
      let device = try CaptureDevice(script, path: "/dev/video9")
      last = device
      return try CaptureSource(
        device, device.setUp(device.choose().mode), framesInFlight: 4, isPatient: true,
        reopen: { throw CaptureError.isGone(path: "/dev/video9") })
    }
    let capturing = try source()
    try capturing.start(delivering: receiver)
    CaptureSourceTests.wait(receiver, for: 5)
    #expect(last != nil)
    script.unplug()
    #expect(comesTrue(every: 0.001) { last == nil })
    capturing.stop()
  }

  /// One that stays away can be stopped, and one that nobody waits for ends.
  @Test(arguments: [true, false]) func unpluggedForGood(_ isPatient: Bool) throws {
    let script = Signals.script()
    let (log, receiver) = (Signals.Log(), Receiver(keeps: 0))
    let source = try Signals.source(script, log, isPatient: isPatient) {
      throw CaptureError.isGone(path: "/dev/video9")
    }
    try source.start(delivering: receiver)
    CaptureSourceTests.wait(receiver, for: 5)
    script.unplug()
    #expect(log.waits(for: "unplugged"))
    if !isPatient { #expect(receiver.waitForEnd()) }
    source.stop()
    let error = receiver.heard.withLock { $0.error }
    #expect(error as? CaptureError == (isPatient ? nil : .isGone(path: "/dev/video9")))
    #expect(log.texts == ["unplugged"] && script.mapped == 0)
  }
}
