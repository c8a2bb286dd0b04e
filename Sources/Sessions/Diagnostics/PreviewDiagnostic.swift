public import Capture
public import Frames

/// About a preview, and what a device does meanwhile.
public enum PreviewDiagnostic: Sendable, Hashable, Codable {
  /// The mode that a device is set to, and why; modes of the same size that are as fast and narrower; wider ones that are slower.
  case mode(device: String, String, ModeChoice.Reason, narrower: [String], slower: [String])
  /// The device has nothing to capture, and why.
  case noSignal(String)
  /// The device has a signal again, or another one: its mode.
  case signal(String)
  /// Frames were lost to an error of the device, after which it was started again: a value of `errno`; 0: of its decoder.
  case restarted(code: Int32)
  /// The device has gone, and is waited for.
  case unplugged
  /// The device is back.
  case reconnected
  /// The device sends as many frames a second from now on; nil: it does not say how many.
  case rate(Double?)
  /// Rendering cannot keep up: pictures have half their width and height from now on, or all of it again.
  case scale(isHalved: Bool)
  /// A recording begins.
  case records(name: String)
  /// A recording is complete.
  case recorded(name: String, frames: Int)
  /// A recording lacks frames: what writes it was too slow, or rendering was, or it was paused.
  case recordingDropped(Int)
  /// A recording begins to lack frames.
  case recordingIsSlow
  /// The encoder does not take the input's samples as they are: light is recorded.
  case recordsLight(encoder: String)
  /// A recording of a file has pictures only: streams of the file that it lacks.
  case recordsNoOtherStreams(audio: Int, subtitles: Int)
  /// A recording has failed, and why; the preview goes on.
  case recordingFailed(String)
  /// What was recorded until then is kept under this name: the frames that can be read of it.
  case recordingIsKept(name: String, frames: Int)
  /// The signal has another size: the recording keeps its own, and pictures are scaled.
  case recordingKeepsItsSize(Size)
  /// There is neither a display nor a terminal.
  case hasNoScreen
  /// Standard output cannot be recorded to a second time.
  case cannotRecordAgain
  /// The encoder's fastest preset is used, because nothing else was asked for.
  case recordsFast(preset: String)
  /// Pictures that were written.
  case snapshot([String])
  /// A snapshot has failed, and why.
  case snapshotFailed(String)
  /// The light of the display is that of the display itself, and cannot be changed.
  case displayDecides
  /// What was asked for is impossible now, and why.
  case isImpossible(String)
  /// Frames of the source that were shown, dropped because showing them took too long, and lost before they arrived.
  case shown(frames: Int, dropped: Int, lost: Int)
  /// Milliseconds from capture to presentation: the median, and what 99 % do not exceed.
  case latency(median: Double, highest: Double)
}
