internal import CFFmpeg
internal import Synchronization

/// Tracks the packets that a decoder logged errors for. FFmpeg only logs most damage, including missing references, and
/// returns the picture as if it were intact.
final class DecoderErrors: Sendable {
  /// Maximum number of packets that wait for their picture. More than a decoder buffers belong to pictures that will
  /// never be output.
  private static let capacity = 1024

  private struct State {
    var packets: Set<Int64> = []
    /// Packets sent before decoding began.
    var begin: Int64 = 0
  }

  private let state = Mutex(State())

  /// Maximum number of reference fields in H.264 (Rec. ITU-T H.264 (08/2021), A.3.1).
  private static let maximumReferences: Int64 = 32
  /// FFmpeg's message for an instruction to drop a missing picture.
  private static let unknownReference = "mmco: unref short failure"

  /// Records an error logged while packet `number` was decoded; called on any thread.
  func note(_ number: Int64, _ message: String) {
    state.withLock { state in
      // The stream may drop references that precede the access point where decoding began.
      if message.hasPrefix(Self.unknownReference), number - state.begin <= Self.maximumReferences { return }
      if state.packets.count >= Self.capacity { state.packets.removeAll() }
      state.packets.insert(number)
    }
  }

  /// Whether there was an error in a picture's packet; clears it.
  func take(_ number: Int64) -> Bool {
    state.withLock { state in
      let wasAnyPacket = state.packets.remove(hr_no_packet()) != nil
      return state.packets.remove(number) != nil || wasAnyPacket
    }
  }

  /// Resets the state for a seek.
  /// - Parameter sent: Number of packets sent so far.
  func forget(sent: Int64) { state.withLock { $0 = State(begin: sent) } }
}
