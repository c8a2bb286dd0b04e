import CV4L2
import Foundation
import Frames
import Media
import Synchronization
import Testing

import Capture

/// Devices that fail in every way there is.
@Suite struct CaptureFaultTests {
  typealias Receiver = CaptureSourceTests.Receiver

  private static let codes = [
    EINVAL, EIO, ENODEV, EBUSY, EAGAIN, ENOMEM, EPIPE, ENOTTY, EFAULT, ENOLINK, ENOLCK, ERANGE, ENODATA, 9999,
  ]
  private static let requests: [UInt] = [
    DeviceRequests.queryCapabilities.code, DeviceRequests.enumerateFormats.code, DeviceRequests.getFormat.code,
    DeviceRequests.setFormat.code, DeviceRequests.requestBuffers.code, DeviceRequests.queryBuffer.code,
    DeviceRequests.queueBuffer.code, DeviceRequests.dequeueBuffer.code, DeviceRequests.startStream.code,
    DeviceRequests.stopStream.code, DeviceRequests.getParameters.code, DeviceRequests.setParameters.code,
    DeviceRequests.tryFormat.code, DeviceRequests.getControls.code, DeviceRequests.enumerateSizes.code,
    DeviceRequests.enumerateIntervals.code, DeviceRequests.setTimings.code, DeviceRequests.queryTimings.code,
    DeviceRequests.subscribeEvent.code, DeviceRequests.dequeueEvent.code, DeviceRequests.enumerateInputs.code,
    DeviceRequests.getInput.code, DeviceRequests.setInput.code, DeviceRequests.queryControl.code,
    DeviceRequests.queryMenu.code,
  ]
  private static let timings: [v4l2_dv_timings] = [
    .of(64, 48), .of(64, 48, clock: .max), .of(32, 16, clock: 1), .of(0, 0), .of(100_000, 100_000), .of(.max, .max),
    .of(1, 1),
  ]

  /// What one device does, all of it by one number.
  private struct Scenario {
    /// Seconds that it may stream; some have time to recover.
    let duration: Double
    var random: SeededGenerator
    let script = ScriptedDevice()
    let isPatient: Bool
    /// What happens while it streams.
    var incidents: [(ScriptedDevice) -> Void] = []

    init(_ seed: UInt64) {
      random = SeededGenerator(seed: seed)
      isPatient = Bool.random(using: &random)
      duration = Int.random(in: 0...4, using: &random) == 0 ? 0.6 : 0.02
      addFormat()
      addContents()
      addSignal()
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        script.faults.append(
          .init(
            request: requests.randomElement(using: &random)!, from: Int.random(in: 1...12, using: &random),
            count: [1, 2, .max].randomElement(using: &random)!, code: codes.randomElement(using: &random)!))
      }
      for _ in 0..<Int.random(in: 0...3, using: &random) { addIncident() }
    }

    private mutating func addFormat() {
      let format = CaptureFormat.known.randomElement(using: &random)!
      script.modes = [.init(code: format.code, rates: [(1, 50), (1, 25)])]
      if format.hasSeparatePlanes || Bool.random(using: &random) {
        script.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING)
      }
      script.padding = Int.random(in: 0...64, using: &random) & ~1
      script.mostBuffers = Int.random(in: 0...7, using: &random) == 0 ? Int.random(in: 0...2, using: &random) : 8
      script.canOrphan = Bool.random(using: &random)
      guard Int.random(in: 0...9, using: &random) == 0 else { return }
      let (stride, length) = (
        UInt32.random(in: 0...9999, using: &random), UInt32.random(in: 0...99_999, using: &random)
      )
      script.change = { format in
        guard format.type == V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue else { return }
        (format.fmt.pix.bytesperline, format.fmt.pix.sizeimage) = (stride, length)
      }
    }

    private mutating func addContents() {
      (script.frames, script.interval) = (12, Int.random(in: 0...2, using: &random))
      let isShort = Int.random(in: 0...3, using: &random) == 0
      var sizes = random
      script.fill = { _, planes in
        (
          planes.map { isShort ? Int.random(in: 0...2 * $0.count, using: &sizes) : $0.count },
          UInt32.random(in: 0...20, using: &sizes)
        )
      }
      if Int.random(in: 0...7, using: &random) == 0 {
        let last = Int.random(in: 0...6, using: &random)
        script.isLast = { $0 == last }
      }
      if Int.random(in: 0...7, using: &random) == 0 { script.hasStuckEvent = true }
    }

    private mutating func addSignal() {
      guard Bool.random(using: &random) else { return }
      script.timings = .success(timings.randomElement(using: &random)!)
      script.followsTimings = Bool.random(using: &random)
      script.inputs = [("HDMI", UInt32.random(in: 0...(.max), using: &random))]
    }

    private mutating func addIncident() {
      let next = timings.randomElement(using: &random)!
      let code = codes.randomElement(using: &random)!
      switch Int.random(in: 0...4, using: &random) {
      case 0: incidents.append { $0.unplug() }
      case 1:
        incidents.append { script in
          script.locked { script.timings = .success(next) }
          script.report(V4L2_EVENT_SOURCE_CHANGE)
        }
      case 2:
        incidents.append { script in
          script.locked { script.timings = .failure(.init(code: code)) }
          script.report(V4L2_EVENT_SOURCE_CHANGE)
        }
      case 3: incidents.append { $0.report(V4L2_EVENT_CTRL) }
      default: incidents.append { script in script.locked { script.frames += 6 } }
      }
    }
  }

  /// A decoder that fails sometimes.
  private final class Decoder: CaptureDecoder {
    private let random: Mutex<SeededGenerator>

    init(_ seed: UInt64) { random = Mutex(SeededGenerator(seed: seed)) }

    func decode(_ data: RawSpan, at time: FrameTime) throws -> [CodedFrame] {
      // All of it can be read.
      let sum = (0..<data.byteCount).reduce(0) { $0 &+ Int(data.unsafeLoad(fromByteOffset: $1, as: UInt8.self)) }
      guard random.withLock({ Int.random(in: 0...5, using: &$0) }) > 0 || sum == .min else {
        throw CaptureError.cannotDecode(path: "", reason: "It is broken.")
      }
      return [
        CodedFrame(size: Size(width: 8, height: 8), layout: .init(.ycbcr420, bitDepth: 8), color: .bt709, time: time)
      ]
    }
  }

  /// Streams for a moment while things happen, and stops.
  private static func run(_ scenario: Scenario, _ seed: UInt64, _ receiver: Receiver) throws {
    let script = scenario.script
    var random = scenario.random
    let device = try CaptureDevice(script, path: "/dev/video9")
    let decoders: CaptureSource.Decoders = { _ in Decoder(seed) }
    let isDecoding = Bool.random(using: &random)
    _ = device.report
    try device.lockToSignal()
    let source = try CaptureSource(
      device, device.setUp(device.choose().mode), framesInFlight: 4,
      decoder: isDecoding ? decoders : nil, isPatient: scenario.isPatient,
      reopen: { try CaptureDevice(script, path: "/dev/video9") })
    try source.start(delivering: receiver)
    for incident in scenario.incidents {
      usleep(2000)
      incident(script)
      if Bool.random(using: &random) { source.setRate([nil, Rational(25, 1)].randomElement(using: &random)!) }
    }
    let end = Date(timeIntervalSinceNow: scenario.duration)
    while receiver.heard.withLock({ $0.error == nil && $0.count < 18 }), Date() < end { usleep(500) }
    source.stop()
  }

  /// Runs one device.
  /// - Returns: What was wrong.
  private static func faults(_ seed: UInt64) -> [String] {
    let scenario = Scenario(seed)
    let receiver = Receiver(keeps: 2)
    let begin = ContinuousClock.now
    var wrong: [String] = []
    func expect(_ isSo: Bool, _ what: String) { if !isSo { wrong.append("seed \(seed): \(what)") } }
    func expectSentence(_ error: any Error) {
      expect(error is CaptureError && "\(error)".hasSuffix(".") && !"\(error)".contains(".."), "\(error)")
    }
    do { try run(scenario, seed, receiver) } catch { expectSentence(error) }
    expect(ContinuousClock.now - begin < .seconds(60), "hangs")
    if let error = receiver.heard.withLock({ $0.error }) { expectSentence(error) }
    // Frames can be read to their ends.
    for frame in receiver.heard.withLock({ $0.frames }) {
      for plane in 0..<frame.layout.planeCount {
        let extent = frame.layout.planeSize(plane, of: frame.size)
        _ = frame.sample(plane: plane, x: extent.width - 1, y: extent.height - 1)
      }
    }
    receiver.heard.withLock { $0.frames = [] }
    expect(scenario.script.mapped == 0 && scenario.script.orphans.isEmpty, "memory is left")
    return wrong
  }

  /// Whatever a driver answers: an error in words or frames, and no crash, no hang, no leak.
  @Test func randomFaults() {
    let wrong = Mutex<[String]>([])
    let threads = DispatchGroup()
    // Most of the time they wait.
    for first in 0..<25 {
      threads.enter()
      Thread.detachNewThread {
        for number in 0..<40 {
          let found = Self.faults(UInt64(first * 40 + number) &* 7919 &+ 1)
          wrong.withLock { $0 += found }
        }
        threads.leave()
      }
    }
    threads.wait()
    #expect(wrong.withLock { $0 } == [])
  }
}

struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
