internal import FFmpegIO
internal import Foundation
internal import Frames
internal import Media
internal import PreviewProtocol
internal import Sessions
internal import Synchronization

/// A slot for a stream to other devices: its form, whether it has viewers, and its encoder.
///
/// The rendering thread checks whether a frame is wanted, and renders it; the slot's thread encodes it and sends it to
/// the server.
final class StreamSlot: FrameSink, @unchecked Sendable {
  // @unchecked: `stream` is used with `lock` held while a frame is encoded; `state` is locked; the rest is immutable.

  /// Events of the streams in a slot, on the slot's thread.
  enum Event {
    /// The stream `present` has started.
    case began
    /// No stream can be encoded in this form now, or ever: the reason.
    case failed(StreamForm, any Error, isLasting: Bool)
    /// It gets fewer frames, in favour of other streams.
    case isSlow
  }

  private struct State {
    var form: StreamForm?
    /// Frames before this time have another form.
    var begin = Int64.min
    var isWanted = false
    var wantsKey = false
    var description: StreamDescription?
    var encoded = (frames: 0, bytes: 0)
    /// Until then it accepts no frames if there are other streams.
    var rest: ContinuousClock.Instant?
    /// Number of frames dropped for that reason.
    var skipped = 0
    /// Description of `stream` for other threads.
    var present: (number: Int, contentType: String)?
  }

  /// The stream being encoded.
  private struct Stream {
    let number: Int
    let encoder: SegmentEncoder
    let format: PixelFormat
    let form: StreamForm
    var lastKey = -Double.infinity
  }

  private let state = Mutex(State())
  private let lock = NSLock()
  private var stream: Stream?
  private let plan: PreviewPlan
  private let clock: StreamClock
  private let server: ServerProcess
  private let number: @Sendable () -> Int
  private let onEvent: @Sendable (Event) -> Void

  /// Minimum seconds between requested key frames: a slow viewer must not turn all frames into key frames.
  private static let keyDistance = 0.5
  /// Maximum encoding time per frame that does not delay other streams.
  private static let quickness = Duration.milliseconds(20)
  /// Number of dropped frames before a warning.
  private static let slowFrames = 30

  /// - Parameters:
  ///   - number: Returns the number of a new stream.
  ///   - onEvent: Receives events.
  init(
    _ plan: PreviewPlan, _ clock: StreamClock, _ server: ServerProcess, number: @escaping @Sendable () -> Int,
    onEvent: @escaping @Sendable (Event) -> Void
  ) {
    (self.plan, self.clock, self.server) = (plan, clock, server)
    (self.number, self.onEvent) = (number, onEvent)
  }

  // MARK: Any thread

  /// The form of the stream; nil: the slot is free.
  var form: StreamForm? { state.withLock { $0.form } }

  /// Description of its frames; nil: none rendered yet.
  var description: StreamDescription? { state.withLock { $0.description } }

  /// Number of frames and bytes encoded.
  var encoded: (frames: Int, bytes: Int) { state.withLock { $0.encoded } }

  /// Requests a key frame next.
  func askForKey() { state.withLock { $0.wantsKey = true } }

  /// A requested key frame has not been encoded yet.
  var lacksKey: Bool { state.withLock { $0.isWanted && $0.wantsKey } }

  /// Reserves the slot for a form; nothing is rendered before `begin(_:at:)`.
  func reserve(_ form: StreamForm) { state.withLock { $0.form = form } }

  /// Releases the slot when it has no viewers.
  func release() {
    lock.withLock {
      state.withLock { state in
        let encoded = state.encoded
        state = State()
        state.encoded = encoded
      }
      end()
    }
  }

  /// The stream being encoded; nil: none.
  var present: (number: Int, contentType: String)? { state.withLock { $0.present } }

  // MARK: The rendering thread

  /// Frames should be rendered.
  var isWanted: Bool { state.withLock { $0.isWanted } }

  /// Throttles a stream whose encoder takes so long that other streams would wait for the CPU.
  /// - Returns: Whether to drop the frame.
  func rests(at now: ContinuousClock.Instant) -> Bool {
    let (isResting, isSlow) = state.withLock { state -> (Bool, Bool) in
      guard let rest = state.rest, now < rest else { return (false, false) }
      state.skipped += 1
      return (true, state.skipped == Self.slowFrames)
    }
    if isSlow { onEvent(.isSlow) }
    return isResting
  }

  /// Starts frames in the reserved form.
  ///
  /// Does nothing if another form has been reserved since.
  func begin(_ form: StreamForm, at time: FrameTime?) {
    state.withLock { state in
      guard state.form == form else { return }
      (state.isWanted, state.wantsKey, state.begin) = (true, true, (time?.presentation ?? -1) + 1)
    }
  }

  /// Sets the description of the frames from now on.
  func describe(_ description: StreamDescription) { state.withLock { $0.description = description } }

  // MARK: The slot's thread

  func write(_ frame: CodedFrame) {
    let result = lock.withLock { () -> Result<Coded?, Fault> in
      let (form, isDue) = state.withLock { ($0.form, $0.isWanted && frame.time.presentation >= $0.begin) }
      guard let form, isDue else { return .success(nil) }
      do { return .success(try encode(frame, form)) } catch { return .failure(Fault(form: form, error: error)) }
    }
    // Do not wait for the server or for event handlers with the lock held.
    switch result {
    case .success(let coded):
      guard let coded else { return }
      if coded.isNew { onEvent(.began) }
      for segment in coded.segments { send(segment, of: coded.stream) }
    case .failure(let fault):
      onEvent(.failed(fault.form, fault.error, isLasting: fault.error is OpeningFailure))
    }
  }

  /// An encoded frame.
  private struct Coded {
    let stream: Int
    let segments: [MediaSegment]
    /// The first frame of its stream.
    let isNew: Bool
  }

  private struct Fault: Error {
    let form: StreamForm
    let error: any Error
  }

  /// The encoder never accepts such frames.
  struct OpeningFailure: Error {
    let reason: any Error
  }

  func pass(_ data: any PassingData) {}

  private func encode(_ frame: CodedFrame, _ form: StreamForm) throws -> Coded {
    let isNew = stream?.format != frame.format || stream?.form.coding != form.coding
    let stream = try isNew ? open(frame, form) : self.stream ?? open(frame, form)
    let seconds = frame.time.seconds
    let isKey = state.withLock { state in
      guard state.wantsKey, seconds - stream.lastKey >= Self.keyDistance else { return false }
      state.wantsKey = false
      return true
    }
    let start = ContinuousClock.now
    let segments = try stream.encoder.write(frame, capturedAt: clock.date(of: frame.time), isKey: isKey)
    if segments.contains(where: \.isKey) { self.stream?.lastKey = seconds }
    let end = ContinuousClock.now
    state.withLock { $0.rest = end - start > Self.quickness ? end + (end - start) : nil }
    return Coded(stream: stream.number, segments: segments, isNew: isNew)
  }

  private func open(_ frame: CodedFrame, _ form: StreamForm) throws -> Stream {
    end()
    var settings = SegmentEncoder.Settings(
      codec: form.coding.codec, size: frame.size, layout: frame.layout, color: frame.color,
      frameRate: plan.rate ?? Self.assumedRate)
    settings.threads = plan.request.processing.threadCount
    let encoder: SegmentEncoder
    do { encoder = try SegmentEncoder(settings) } catch { throw OpeningFailure(reason: error) }
    let stream = Stream(number: number(), encoder: encoder, format: frame.format, form: form)
    self.stream = stream
    server.send(.initialization(stream: stream.number, bytes: encoder.initialization))
    state.withLock { ($0.wantsKey, $0.present) = (true, (stream.number, encoder.contentType)) }
    return stream
  }

  private static let assumedRate = Rational(30, 1)

  private func end() {
    guard let stream else { return }
    self.stream = nil
    state.withLock { $0.present = nil }
    server.send(.streamEnded(stream: stream.number))
  }

  private func send(_ segment: MediaSegment, of stream: Int) {
    server.send(
      .fragment(
        stream: stream, ServerMessage.Fragment(isKey: segment.isKey, sequence: segment.sequence), bytes: segment.bytes))
    state.withLock { $0.encoded = ($0.encoded.frames + 1, $0.encoded.bytes + segment.bytes.count) }
  }
}
