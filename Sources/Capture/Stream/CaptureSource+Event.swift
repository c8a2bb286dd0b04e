public import Frames

extension CaptureSource {
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
