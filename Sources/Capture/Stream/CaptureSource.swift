internal import CV4L2
public import Frames
internal import Glibc
public import Media
internal import Synchronization
internal import Threads

/// The frames of a device as they come, read where the device has put them.
///
/// Frames that are held keep their buffers from the device, which drops what it has no buffer for.
public final class CaptureSource: LiveSource {
  /// What it delivers.
  public let setup: CaptureSetup
  /// What the source says of its light.
  public let metadata: HDRMetadata
  private let device: CaptureDevice
  private let buffers: CaptureBuffers
  private let threads = ThreadGroup()
  private let isStopped = Atomic(false)

  /// Milliseconds after which a thread sees that it is to stop.
  private static let patience: Int32 = 100
  /// Buffers that a device fills while others are read.
  private static let spare = 3
  /// Seconds without a frame after which the device is said to deliver nothing.
  private static let silence = 1.0
  /// Times that a stream is begun again after an error, without a frame in between.
  private static let attempts = 3

  /// - Parameters:
  ///   - device: Set up, and not used by anything else.
  ///   - setup: What it was set up to.
  ///   - framesInFlight: Frames that may be held at a time, such as `StreamPipeline.sourceFramesInFlight`.
  /// - Throws: `CaptureError`.
  public init(_ device: CaptureDevice, _ setup: CaptureSetup, framesInFlight: Int) throws(CaptureError) {
    guard PlanePlaces(setup, used: setup.planes.map(\.length), starts: setup.planes.map { _ in 0 }) != nil else {
      let planes = setup.planes.map { "\($0.length) bytes in rows of \($0.stride)" }.joined(separator: ", ")
      throw .isInconsistent(path: device.path, reason: "\(setup.mode) does not fit in \(planes)")
    }
    (self.device, self.setup, metadata) = (device, setup, device.metadata)
    buffers = try CaptureBuffers(device, setup, count: framesInFlight + Self.spare)
  }

  public func start(delivering intake: any LiveReceiver) throws {
    try buffers.start()
    do {
      try threads.start { [self] in deliver(to: intake) }
    } catch {
      buffers.stop()
      throw error
    }
  }

  public func stop() {
    isStopped.store(true, ordering: .releasing)
    threads.wait()
    buffers.stop()
    buffers.finish()
  }

  private func deliver(to intake: any LiveReceiver) {
    var clock = CaptureClock(rate: setup.mode.rate)
    var lastFrame = ContinuousClock.now
    var (isSilent, failures) = (false, 0)
    while !isStopped.load(ordering: .acquiring) {
      let ready = device.file.wait(milliseconds: Self.patience)
      do throws(CaptureError) {
        guard !ready.isEmpty, let filled = try buffers.dequeue() else {
          if !isSilent, ContinuousClock.now - lastFrame > .seconds(Self.silence) {
            isSilent = true
            intake.pause()
          }
          // An error without a buffer to take would be polled for ever.
          if ready.contains(.error) { usleep(UInt32(Self.patience) * 1000) }
          continue
        }
        let arrival = clock.take(filled)
        guard let frame = buffers.frame(filled, color: setup.color, time: arrival.time, metadata: metadata) else {
          clock.lose(arrival.lost + 1)
          continue
        }
        (lastFrame, failures) = (.now, 0)
        if isSilent {
          isSilent = false
          intake.resume()
        }
        intake.deliver(frame, arrival: arrival.instant, lostBefore: arrival.lost)
      } catch {
        failures += 1
        guard case .requestFailed = error, failures <= Self.attempts, restart() else {
          return intake.end(throwing: error)
        }
        clock.lose(1)
      }
    }
    intake.end()
  }

  /// Drivers stop on an error of the bus, and some go on when they are begun again.
  private func restart() -> Bool {
    buffers.stop()
    return (try? buffers.start()) != nil
  }
}

/// When frames were captured, and how many were not.
struct CaptureClock {
  /// A frame on the clocks of the program.
  struct Arrival {
    let time: FrameTime
    let instant: ContinuousClock.Instant
    let lost: Int
  }

  private static let unit = Rational(1, 1_000_000)
  /// A larger jump means that the driver has started counting again, not that frames were lost.
  private static let mostLost: UInt32 = 10_000

  private let duration: Int64
  private var first: Int64?
  private var last: Int64?
  private var lastSequence: UInt32?
  /// Frames that came, but could not be used.
  private var unusable = 0

  /// - Parameter rate: Frames per second; nil: unknown.
  init(rate: Rational?) { duration = rate.map { Int64((1e6 / $0.value).rounded()) } ?? 0 }

  /// Frames have come that cannot be used.
  mutating func lose(_ count: Int) { unusable += count }

  /// A frame has been filled.
  mutating func take(_ filled: CaptureBuffers.Filled) -> Arrival {
    let now = Self.monotonic()
    let captured = filled.time ?? now
    let zero = first ?? captured
    first = zero
    // Times rise, whatever the driver says.
    let time = max(captured - zero, last.map { $0 + 1 } ?? 0)
    last = time
    let gap = lastSequence.map { filled.sequence &- $0 } ?? 1
    lastSequence = filled.sequence
    let lost = gap > 1 && gap <= Self.mostLost ? Int(gap) - 1 : 0
    defer { unusable = 0 }
    return Arrival(
      time: FrameTime(presentation: time, duration: duration, timeBase: Self.unit),
      instant: .now - .microseconds(min(max(now - captured, 0), 60_000_000)), lost: lost + unusable)
  }

  private static func monotonic() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
