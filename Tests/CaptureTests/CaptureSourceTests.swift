import CV4L2
import Foundation
import Frames
import Media
import Synchronization
import TestSupport
import Testing

import Capture

/// Frames as they come from a device, its faults included.
@Suite struct CaptureSourceTests {
  /// Keeps what is delivered.
  final class Receiver: LiveReceiver, Sendable {
    struct Heard {
      var frames: [CodedFrame] = []
      var count = 0
      var lost: [Int] = []
      var arrivals: [ContinuousClock.Instant] = []
      var states: [String] = []
      var error: (any Error)?
    }

    let capacity = 2
    let heard = Mutex(Heard())
    private let keeps: Int
    private let ended = DispatchSemaphore(value: 0)

    init(keeps: Int = .max) { self.keeps = keeps }

    func deliver(_ frame: CodedFrame, arrival: ContinuousClock.Instant, lostBefore: Int) {
      heard.withLock {
        $0.frames.append(frame)
        if $0.frames.count > keeps { $0.frames.removeFirst() }
        $0.lost.append(lostBefore)
        $0.arrivals.append(arrival)
        $0.count += 1
      }
    }

    func pass(_ data: any PassingData) {}
    func pause() { heard.withLock { $0.states.append("paused") } }
    func resume() { heard.withLock { $0.states.append("resumed") } }

    func end(throwing error: (any Error)?) {
      heard.withLock { $0.error = error }
      ended.signal()
    }

    /// Whether it has ended within some seconds.
    func waitForEnd(seconds: Double = 20) -> Bool { ended.wait(timeout: .now() + seconds) == .success }
  }

  private static func source(_ script: ScriptedDevice, framesInFlight: Int = 4) throws -> CaptureSource {
    let device = try CaptureDevice(script, path: "/dev/video9")
    return try CaptureSource(device, device.setUp(device.choose().mode), framesInFlight: framesInFlight)
  }

  /// Waits until that many frames have arrived.
  static func wait(_ receiver: Receiver, for count: Int) {
    _ = comesTrue(every: 0.001) { receiver.heard.withLock { $0.count } >= count }
  }

  /// Compares a frame with the bytes of its buffer, whose planes follow each other in rows of one stride; chroma planes of their own have half
  /// of it. Source: Linux, Documentation/userspace-api/media/v4l/pixfmt-yuv-planar.rst.
  private static func isSame(_ frame: CodedFrame, _ bytes: [[UInt8]], padding: Int) -> Bool {
    let (layout, size) = (frame.layout, frame.size)
    let stride = layout.planeSize(0, of: size).width * layout.bytesPerSample + padding
    var start = 0
    for plane in 0..<layout.planeCount {
      let extent = layout.planeSize(plane, of: size)
      let memory = bytes.count > 1 ? bytes[plane] : bytes[0]
      let own = layout.packing == .planar && plane > 0 ? stride / 2 : stride
      for y in 0..<extent.height {
        for x in 0..<extent.width {
          let offset = start + y * own + x * layout.bytesPerSample
          let word =
            layout.bytesPerSample == 1 ? Int(memory[offset]) : Int(memory[offset]) | Int(memory[offset + 1]) << 8
          if frame.sample(plane: plane, x: x, y: y) != word { return false }
        }
      }
      start = bytes.count > 1 ? 0 : start + own * extent.height
    }
    return true
  }

  /// Every format arrives bit for bit, with rows that are padded and with planes of their own.
  @Test(arguments: CaptureFormat.known.filter { $0.coding == nil })
  func everyFormat(_ format: CaptureFormat) throws {
    for padding in [0, 32] {
      let script = ScriptedDevice()
      if format.hasSeparatePlanes { script.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING) }
      script.modes = [.init(code: format.code)]
      (script.padding, script.frames) = (padding, 5)
      script.dataOffset = format.hasSeparatePlanes ? 2 * padding : 0
      var generator = SystemRandomNumberGenerator()
      var sent: [[[UInt8]]] = []
      script.fill = { n, planes in
        let bytes = planes.map { plane in (0..<plane.count).map { _ in UInt8.random(in: 0...255, using: &generator) } }
        for (plane, bytes) in zip(planes, bytes) { plane.copyBytes(from: bytes) }
        sent.append(bytes)
        return (bytes.map(\.count), UInt32(n))
      }
      let source = try Self.source(script, framesInFlight: 5)
      let receiver = Receiver()
      try source.start(delivering: receiver)
      Self.wait(receiver, for: 5)
      source.stop()
      let frames = receiver.heard.withLock { $0.frames }
      #expect(frames.count == 5 && frames[0].layout == format.layout)
      for (frame, bytes) in zip(frames, sent) {
        #expect(Self.isSame(frame, bytes.map { Array($0.dropFirst(script.dataOffset)) }, padding: padding))
      }
      for (earlier, later) in zip(frames, frames.dropFirst()) { #expect(later.time.seconds > earlier.time.seconds) }
    }
  }

  /// A frame that is held keeps its buffer; the device goes on with the others, and memory outlives the source.
  @Test func heldFramesKeepTheirBuffers() throws {
    let script = ScriptedDevice()
    script.fill = { n, planes in
      planes[0].storeBytes(of: UInt16(n), as: UInt16.self)
      return (planes.map(\.count), UInt32(n))
    }
    var source: CaptureSource? = try Self.source(script)
    let receiver = Receiver(keeps: 3)
    try source?.start(delivering: receiver)
    Self.wait(receiver, for: 1)
    // On a busy machine it is not the first by far.
    let (first, count) = receiver.heard.withLock { ($0.frames[0], $0.count) }
    let number = first.sample(plane: 0, x: 0, y: 0)
    Self.wait(receiver, for: count + 100)
    source?.stop()
    source = nil
    #expect(first.sample(plane: 0, x: 0, y: 0) == number)
    // The memory of the others has gone.
    #expect(script.mapped == 4)
    receiver.heard.withLock { $0.frames = [] }
    #expect(first.sample(plane: 0, x: 0, y: 0) == number && script.mapped == 1)
    withExtendedLifetime(first) {}
  }

  @Test func memoryIsGivenBack() throws {
    let script = ScriptedDevice()
    let receiver = Receiver(keeps: 2)
    do {
      let source = try Self.source(script)
      try source.start(delivering: receiver)
      Self.wait(receiver, for: 20)
      source.stop()
    }
    #expect(script.mapped == 2)
    receiver.heard.withLock { $0.frames = [] }
    #expect(script.mapped == 0)
  }

  /// Gaps of the sequence, and buffers without a whole frame, are frames that were lost.
  @Test func lostFramesAreCounted() throws {
    let script = ScriptedDevice()
    let sequence: [UInt32] = [.max - 1, .max, 2, 3, 4, 5, 50_000]
    script.fill = { n, planes in (planes.map { n == 3 || n == 4 ? $0.count / 2 : $0.count }, sequence[n]) }
    script.frames = sequence.count
    let source = try Self.source(script)
    let receiver = Receiver()
    try source.start(delivering: receiver)
    Self.wait(receiver, for: 5)
    source.stop()
    // Two between the largest number and 2; two that were short; a new count.
    #expect(receiver.heard.withLock { $0.lost } == [0, 0, 2, 2, 0])
  }

  @Test func latencyBeginsWithTheCapture() throws {
    let script = ScriptedDevice()
    script.frames = 3
    let source = try Self.source(script)
    let receiver = Receiver()
    let start = ContinuousClock.now
    try source.start(delivering: receiver)
    Self.wait(receiver, for: 3)
    source.stop()
    for arrival in receiver.heard.withLock({ $0.arrivals }) {
      #expect(arrival > start - .milliseconds(5) && arrival <= .now)
    }
  }

  /// A device that delivers nothing is paused, not ended; one that is unplugged has ended.
  @Test func silenceAndUnplugging() throws {
    let script = ScriptedDevice()
    script.frames = 3
    let source = try Self.source(script)
    let receiver = Receiver()
    try source.start(delivering: receiver)
    _ = comesTrue { !receiver.heard.withLock { $0.states }.isEmpty }
    script.locked { script.frames = 6 }
    Self.wait(receiver, for: 6)
    #expect(receiver.heard.withLock { $0.states } == ["paused", "resumed"])
    script.locked {
      script.faults = [.init(request: DeviceRequests.dequeueBuffer.code, count: .max, code: ENODEV)]
      script.frames = 7
    }
    #expect(receiver.waitForEnd())
    #expect(receiver.heard.withLock { $0.error } as? CaptureError == .isGone(path: "/dev/video9"))
    source.stop()
  }

  /// An error of the bus is survived, if it passes; what is held meanwhile stays as it is.
  @Test(arguments: [1, 3, 4, Int.max]) func errorsOfTheBus(_ count: Int) throws {
    let script = ScriptedDevice()
    script.fill = { n, planes in
      planes[0].storeBytes(of: UInt16(n), as: UInt16.self)
      return (planes.map(\.count), UInt32(n))
    }
    script.faults = [.init(request: DeviceRequests.dequeueBuffer.code, from: 5, count: count, code: EIO)]
    let source = try Self.source(script)
    let receiver = Receiver(keeps: 4)
    try source.start(delivering: receiver)
    if count <= 3 {
      Self.wait(receiver, for: 20)
      #expect(receiver.heard.withLock { $0.count } >= 20)
      #expect(receiver.heard.withLock { $0.lost[4] } >= count)
    } else {
      #expect(receiver.waitForEnd())
      let expected = CaptureError.requestFailed(path: "/dev/video9", request: "DQBUF", code: EIO)
      #expect(receiver.heard.withLock { $0.error } as? CaptureError == expected)
    }
    source.stop()
  }

  /// No buffer is lost where the device is begun again while frames are held and given back.
  @Test func buffersSurviveRestarts() throws {
    let script = ScriptedDevice()
    script.faults = stride(from: 3, to: 2000, by: 3).map {
      .init(request: DeviceRequests.dequeueBuffer.code, from: $0, count: 1, code: EIO)
    }
    let source = try Self.source(script)
    let receiver = Receiver(keeps: 4)
    try source.start(delivering: receiver)
    // Another thread lets go of frames all the time.
    let isDone = Atomic(false)
    DispatchQueue.global().async {
      while !isDone.load(ordering: .acquiring) { receiver.heard.withLock { $0.frames.removeAll() } }
    }
    Self.wait(receiver, for: 800)
    isDone.store(true, ordering: .releasing)
    #expect(receiver.heard.withLock { $0.count } >= 800)
    source.stop()
  }
}
