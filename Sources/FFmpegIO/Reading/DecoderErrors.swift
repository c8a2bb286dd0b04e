internal import CFFmpeg
internal import Synchronization

/// Which packets a decoder logged an error for. FFmpeg only logs most damage, missing references among it, and hands the
/// picture on as if it were whole.
final class DecoderErrors: Sendable {
  /// Packets whose picture has not come yet. More than a decoder holds back belong to pictures that never come.
  private static let capacity = 1024

  private let packets = Mutex<Set<Int64>>([])

  /// An error was logged while packet `number` was decoded; called on any thread.
  func note(_ number: Int64) {
    packets.withLock { packets in
      if packets.count >= Self.capacity { packets.removeAll() }
      packets.insert(number)
    }
  }

  /// Whether there was an error in the packet that a picture came of; it is forgotten.
  func take(_ number: Int64) -> Bool {
    packets.withLock { packets in
      let wasAnyPacket = packets.remove(hr_no_packet()) != nil
      return packets.remove(number) != nil || wasAnyPacket
    }
  }

  /// Forgets everything, for a seek.
  func forget() { packets.withLock { $0.removeAll() } }
}
