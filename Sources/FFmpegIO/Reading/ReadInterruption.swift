internal import CFFmpeg
internal import Synchronization

/// Ends reads that wait for data, from any thread.
final class ReadInterruption: Sendable {
  private let isSet = Atomic(false)

  func set() { isSet.store(true, ordering: .relaxed) }

  var wasSet: Bool { isSet.load(ordering: .relaxed) }

  /// What FFmpeg asks while it waits; this object must outlive its user.
  var callback: AVIOInterruptCB {
    unsafe AVIOInterruptCB(
      callback: { opaque in
        guard let opaque = unsafe opaque else { return 0 }
        return unsafe Unmanaged<ReadInterruption>.fromOpaque(opaque).takeUnretainedValue().wasSet ? 1 : 0
      }, opaque: Unmanaged.passUnretained(self).toOpaque())
  }
}
