public import Frames
public import Media
internal import Synchronization
internal import Threads

/// The frames of a device as they arrive, read from its buffers in place or decoded.
///
/// Held frames keep their buffers from the device, which drops frames when it has no free buffer. When the signal
/// changes, the device is set to it, and frames of another size may follow.
public final class CaptureSource: LiveSource {
  /// Creates the decoder of a coded stream; called on the capture thread, the first time on the thread that creates the
  /// source.
  public typealias Decoders = @Sendable (CaptureFormat.Coding) throws -> any CaptureDecoder
  /// Reopens a device that was unplugged.
  public typealias Opener = @Sendable () throws -> CaptureDevice

  /// How to handle changes of the device.
  struct Options: Sendable {
    let framesInFlight: Int
    let decoders: Decoders?
    let request: ModeChoice.Request
    let isPatient: Bool
    let reopen: Opener
    let input: Int?
    let onEvent: (@Sendable (Event) -> Void)?
  }

  private struct State {
    var setup: CaptureSetup
    var metadata: HDRMetadata
    var rates: [Rational]
    /// The rate requested with `setRate`, until the thread has applied it.
    var wish: Rational??
    /// The stream, until the thread takes it over.
    var stream: CaptureStream?
  }

  let options: Options
  private let state: Mutex<State>
  private let threads = ThreadGroup()
  private let stopping = Atomic(false)

  /// The current setup.
  public var setup: CaptureSetup { state.withLock { $0.setup } }
  /// The source's current HDR metadata.
  public var metadata: HDRMetadata { state.withLock { $0.metadata } }
  /// Frames per second that the device offers at this size and format, highest first; empty: not reported.
  public var rates: [Rational] { state.withLock { $0.rates } }
  var isStopped: Bool { stopping.load(ordering: .acquiring) }

  /// - Parameters:
  ///   - device: Set up, and used by nothing else. If it is retained, it may get another path when replugged.
  ///   - setup: The setup of the device.
  ///   - framesInFlight: Maximum number of frames held at a time, such as `StreamPipeline.sourceFramesInFlight`.
  ///   - decoder: Creates the decoder of a coded stream; nil: coded formats are refused.
  ///   - request: The request for the mode, reused when the signal changes; nil: the widest mode at full rate.
  ///   - isPatient: Waits for an unplugged device to return; otherwise the stream ends.
  ///   - reopen: Reopens an unplugged device; nil: by its path.
  ///   - onEvent: Receives events, on the capture thread.
  /// - Throws: `CaptureError`.
  public init(
    _ device: CaptureDevice, _ setup: CaptureSetup, framesInFlight: Int, decoder: Decoders? = nil,
    request: ModeChoice.Request? = nil, isPatient: Bool = false, reopen: Opener? = nil,
    onEvent: (@Sendable (Event) -> Void)? = nil
  ) throws(CaptureError) {
    let path = device.path
    options = Options(
      framesInFlight: framesInFlight, decoders: decoder, request: request ?? ModeChoice.Request(),
      isPatient: isPatient, reopen: reopen ?? { try CaptureDevice(path) },
      input: device.selectedInput, onEvent: onEvent)
    device.subscribeToChanges()
    let stream = try CaptureStream(device, setup, framesInFlight: framesInFlight, decoders: decoder)
    state = Mutex(State(setup: setup, metadata: stream.metadata, rates: stream.rates, stream: stream))
  }

  public func start(delivering intake: any LiveReceiver) throws {
    guard let stream = state.withLock({ $0.stream }) else { return }
    // Without a signal the stream cannot start: the thread waits for one.
    var isStreaming = false
    if !stream.setup.isWithoutSignal {
      do throws(CaptureError) {
        try stream.buffers.start()
        isStreaming = true
      } catch {
        guard error.lossOfSignal != nil else { throw error }
      }
    }
    do {
      try threads.start { [self, isStreaming] in
        thread(isStreaming: isStreaming, delivering: intake)?.run()
      }
    } catch {
      stream.buffers.stop()
      throw error
    }
  }

  /// The stream is handed to its thread; nothing else keeps the device open.
  private func thread(isStreaming: Bool, delivering intake: any LiveReceiver) -> CaptureThread? {
    guard let stream = state.withLock({ $0.stream.take() }) else { return nil }
    return CaptureThread(self, stream, isStreaming: isStreaming, delivering: intake)
  }

  public func stop() {
    stopping.store(true, ordering: .releasing)
    threads.wait()
  }

  /// Changes the frame rate of the device, for example when frames arrive faster than they can be rendered. Frames
  /// pause briefly; `Event.rate` reports the resulting rate. Callable from any thread.
  /// - Parameter rate: One of `rates`, or near one; nil: the rate of the chosen mode.
  public func setRate(_ rate: Rational?) { state.withLock { $0.wish = .some(rate) } }

  /// Takes the rate requested since the last call.
  func takeWish() -> Rational?? { state.withLock { $0.wish.take() } }

  /// Publishes the current stream's properties.
  func publish(_ stream: CaptureStream) {
    state.withLock { ($0.setup, $0.metadata, $0.rates) = (stream.setup, stream.metadata, stream.rates) }
  }

  /// A change of a device in mid-stream.
  public enum Event: Sendable, Hashable {
    /// There is no signal. Frames pause until it returns.
    case noSignal(SignalLoss)
    /// The signal has returned or changed: the new setup.
    case signal(CaptureSetup)
    /// The stream was restarted after an error that lost frames: an `errno` value; 0: the decoder was restarted.
    case restarted(afterErrorCode: Int32)
    /// The device is gone.
    case unplugged
    /// The device is back.
    case reconnected
    /// The device now sends this many frames per second; nil: not reported.
    case rate(Rational?)
  }
}

/// Decodes coded streams of devices: MJPEG, H.264, HEVC. `Capture` contains no codec.
///
/// Used by one thread at a time.
public protocol CaptureDecoder: AnyObject, Sendable {
  /// Decodes the contents of one buffer.
  /// - Parameters:
  ///   - data: The bytes of the buffer.
  ///   - time: The capture time, passed on to the frames.
  /// - Returns: The completed frames, in presentation order; none before the first key frame. Damaged ones are marked.
  /// - Throws: Only if nothing more can be decoded. Damaged data is not an error.
  func decode(_ data: RawSpan, at time: FrameTime) throws -> [CodedFrame]
}
