public import Frames

/// Something that delivers frames at its own pace, such as a capture device.
public protocol LiveSource: Sendable {
  /// Starts delivery from a thread of the source and returns at once. Called on the thread that called `run`.
  /// - Throws: An error that keeps the source from starting; `run` throws it, and `stop()` is not called.
  func start(delivering intake: any LiveReceiver) throws

  /// Ends delivery: after it returns, the source makes no call to the receiver. Called once if `start(delivering:)`
  /// succeeded, on the same thread, even if the source has already ended.
  func stop()
}

/// Receives the frames of a live source. No call waits for rendering or for a sink. From any thread.
///
/// Calls do nothing after `end(throwing:)`, and after the run was cancelled or has failed.
public protocol LiveReceiver: AnyObject, Sendable {
  /// Frames that may wait to be rendered; when full, a new frame replaces the oldest.
  var capacity: Int { get }

  /// Takes the next frame in presentation order.
  /// - Parameters:
  ///   - frame: Must not be modified afterwards.
  ///   - arrival: When the source received the frame; latency is measured from then.
  ///   - lostBefore: Frames since the previous one that never reached the source; at least 0.
  func deliver(_ frame: CodedFrame, arrival: ContinuousClock.Instant, lostBefore: Int)

  /// Takes data that is not rendered, such as audio. It precedes the next frame, and is never dropped.
  func pass(_ data: any PassingData)

  /// Reports that the source delivers nothing for now, but has not ended.
  func pause()

  /// Reports that the source delivers again.
  func resume()

  /// Reports the end of the source. Delivered frames are still rendered and written.
  /// - Parameter error: The failure that ended the source, if any; `run` throws it.
  func end(throwing error: (any Error)?)
}

extension LiveReceiver {
  /// Hands over a frame with none lost before it.
  public func deliver(_ frame: CodedFrame, arrival: ContinuousClock.Instant) {
    deliver(frame, arrival: arrival, lostBefore: 0)
  }

  /// Ends the stream without an error.
  public func end() { end(throwing: nil) }
}
