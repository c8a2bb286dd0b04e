public import Frames

extension CaptureSource {
  /// What happens to a device in mid-stream.
  public enum Event: Sendable, Hashable {
    /// There is nothing to capture for now. Frames pause, and go on when there is a signal.
    case noSignal(SignalLoss)
    /// There is a signal again, or another one: what is delivered from now on.
    case signal(CaptureSetup)
    /// Frames were lost to an error, after which the device was started again: a value of `errno`; 0: the decoder was.
    case restarted(afterErrorCode: Int32)
    /// The device has gone.
    case unplugged
    /// The device is back.
    case reconnected
    /// The device sends as many frames per second from now on; nil: it does not say how many.
    case rate(Rational?)
  }
}
