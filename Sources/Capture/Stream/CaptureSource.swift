public import Frames
public import Media
internal import Synchronization
internal import Threads

/// The frames of a device as they come, read where the device has put them or decoded from there.
///
/// Frames that are held keep their buffers from the device, which drops what it has no buffer for. When the signal changes, the device is
/// set to it, and frames of another size may follow.
public final class CaptureSource: LiveSource {
  /// Makes what decodes a coded stream; called on the thread that captures, and at first on the one that makes the source.
  public typealias Decoders = @Sendable (CaptureFormat.Coding) throws -> any CaptureDecoder
  /// Opens a device again that was unplugged.
  public typealias Opener = @Sendable () throws -> CaptureDevice

  /// How it goes on after what happens to a device.
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
    /// What `setRate` was called with, until the thread has done it.
    var wish: Rational??
    /// Until the thread has it.
    var stream: CaptureStream?
  }

  let options: Options
  private let state: Mutex<State>
  private let threads = ThreadGroup()
  private let stopping = Atomic(false)

  /// What it delivers now.
  public var setup: CaptureSetup { state.withLock { $0.setup } }
  /// What the source says of its light now.
  public var metadata: HDRMetadata { state.withLock { $0.metadata } }
  /// Frames per second that the device offers at this size and format, highest first; none if it does not say.
  public var rates: [Rational] { state.withLock { $0.rates } }
  var isStopped: Bool { stopping.load(ordering: .acquiring) }

  /// - Parameters:
  ///   - device: Set up, and not used by anything else. If it is kept, one that is plugged in again may get another path.
  ///   - setup: What it was set up to.
  ///   - framesInFlight: Frames that may be held at a time, such as `StreamPipeline.sourceFramesInFlight`.
  ///   - decoder: Makes what decodes a coded stream; nil: coded formats are refused.
  ///   - request: What the mode was chosen by, and is chosen by again when the signal has changed; nil: the widest that keeps the rate.
  ///   - isPatient: A device that was unplugged is waited for; otherwise the stream ends.
  ///   - reopen: Opens a device that was unplugged; nil: by its path.
  ///   - onEvent: Is told what happens, on the thread that captures.
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
    // Without a signal there is nothing to begin: the thread waits for one.
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

  /// The stream goes with its thread, and nothing else holds the device open.
  private func thread(isStreaming: Bool, delivering intake: any LiveReceiver) -> CaptureThread? {
    guard let stream = state.withLock({ $0.stream.take() }) else { return nil }
    return CaptureThread(self, stream, isStreaming: isStreaming, delivering: intake)
  }

  public func stop() {
    stopping.store(true, ordering: .releasing)
    threads.wait()
  }

  /// Changes how many frames the device sends, for example while they cannot be rendered as fast as they come. Frames pause for a moment;
  /// `Event.rate` says what it is afterwards. From any thread.
  /// - Parameter rate: One of `rates`, or near one; nil: as the mode was chosen.
  public func setRate(_ rate: Rational?) { state.withLock { $0.wish = .some(rate) } }

  /// What `setRate` was called with since it was asked last.
  func takeWish() -> Rational?? { state.withLock { $0.wish.take() } }

  /// Makes known what is delivered from now on.
  func publish(_ stream: CaptureStream) {
    state.withLock { ($0.setup, $0.metadata, $0.rates) = (stream.setup, stream.metadata, stream.rates) }
  }
}
