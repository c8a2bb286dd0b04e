internal import FFmpegIO
internal import Foundation
internal import Frames
internal import Media
internal import PreviewProtocol
internal import Sessions
internal import Synchronization

/// One of the streams for other devices: what it is, whether somebody watches it, and what encodes it.
///
/// The rendering thread asks whether a frame is wanted, and renders it; the slot's own thread encodes it and sends it to the
/// server.
final class StreamSlot: FrameSink, @unchecked Sendable {
  // @unchecked: `stream` is used with `lock` held, for as long as a frame takes to be encoded; `state` is locked; the rest is
  // immutable.

  /// What happens to the streams of a slot, on the slot's thread.
  enum Event {
    /// A stream has begun: that of `present`.
    case began
    /// No stream can be encoded in this form now, or ever, and why.
    case failed(StreamForm, any Error, isLasting: Bool)
    /// It gets fewer frames, for the sake of others.
    case isSlow
  }

  private struct State {
    var form: StreamForm?
    /// Frames before it are of another form.
    var begin = Int64.min
    var isWanted = false
    var wantsKey = false
    var description: StreamDescription?
    var encoded = (frames: 0, bytes: 0)
    /// Until when it takes no frame, if there are other streams.
    var rest: ContinuousClock.Instant?
    /// Frames that were left out for that reason.
    var skipped = 0
    /// What `stream` is, for other threads.
    var present: (number: Int, contentType: String)?
  }

  /// What is encoded now.
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

  /// Seconds between key frames that are asked for: whoever falls behind again and again would have only key frames coded for all.
  private static let keyDistance = 0.5
  /// An encoder that is done by then holds nobody up.
  private static let quickness = Duration.milliseconds(20)
  /// Frames that are left out before it is said.
  private static let slowFrames = 30

  /// - Parameters:
  ///   - number: Gives a stream its number.
  ///   - onEvent: Gets what happens.
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

  /// What its frames are; nil: none has been rendered.
  var description: StreamDescription? { state.withLock { $0.description } }

  /// Frames and bytes that were encoded.
  var encoded: (frames: Int, bytes: Int) { state.withLock { $0.encoded } }

  /// The next frame is to be one that decoders can begin with.
  func askForKey() { state.withLock { $0.wantsKey = true } }

  /// A key frame was asked for, and none came.
  var lacksKey: Bool { state.withLock { $0.isWanted && $0.wantsKey } }

  /// Takes the slot for a form; nothing is rendered before `begin(_:at:)`.
  func reserve(_ form: StreamForm) { state.withLock { $0.form = form } }

  /// Nobody watches any more.
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

  /// The stream that is encoded; nil: none is.
  var present: (number: Int, contentType: String)? { state.withLock { $0.present } }

  // MARK: The rendering thread

  /// Frames are to be rendered.
  var isWanted: Bool { state.withLock { $0.isWanted } }

  /// The encoder has taken so long that other streams would wait for the processors: this one gets fewer frames.
  /// - Returns: Whether the frame is left out.
  func rests(at now: ContinuousClock.Instant) -> Bool {
    let (isResting, isSlow) = state.withLock { state -> (Bool, Bool) in
      guard let rest = state.rest, now < rest else { return (false, false) }
      state.skipped += 1
      return (true, state.skipped == Self.slowFrames)
    }
    if isSlow { onEvent(.isSlow) }
    return isResting
  }

  /// Frames from now on have the form that was reserved.
  ///
  /// Nothing happens if it is another by now.
  func begin(_ form: StreamForm, at time: FrameTime?) {
    state.withLock { state in
      guard state.form == form else { return }
      (state.isWanted, state.wantsKey, state.begin) = (true, true, (time?.presentation ?? -1) + 1)
    }
  }

  /// What the frames are from now on.
  func describe(_ description: StreamDescription) { state.withLock { $0.description = description } }

  // MARK: The slot's thread

  func write(_ frame: CodedFrame) {
    let result = lock.withLock { () -> Result<Coded?, Fault> in
      let (form, isDue) = state.withLock { ($0.form, $0.isWanted && frame.time.presentation >= $0.begin) }
      guard let form, isDue else { return .success(nil) }
      do { return .success(try encode(frame, form)) } catch { return .failure(Fault(form: form, error: error)) }
    }
    // Nobody waits for the server or for listeners with the lock held.
    switch result {
    case .success(let coded):
      guard let coded else { return }
      if coded.isNew { onEvent(.began) }
      for segment in coded.segments { send(segment, of: coded.stream) }
    case .failure(let fault):
      onEvent(.failed(fault.form, fault.error, isLasting: fault.error is OpeningFailure))
    }
  }

  /// What a frame has become.
  private struct Coded {
    let stream: Int
    let segments: [MediaSegment]
    /// It is the first of its stream.
    let isNew: Bool
  }

  private struct Fault: Error {
    let form: StreamForm
    let error: any Error
  }

  /// The encoder takes no such frames, now or later.
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
