internal import CFFmpeg
internal import Synchronization

/// Which packets a decoder logged an error for. FFmpeg only logs most damage, missing references among it, and hands the
/// picture on as if it were whole.
final class DecoderErrors: Sendable {
  /// Cap on packets that wait for their picture. Anything beyond what a decoder buffers belongs to pictures that will
  /// never be output.
  private static let capacity = 1024

  private struct State {
    var packets: Set<Int64> = []
    /// The packets that were sent before decoding began.
    var begin: Int64 = 0
  }

  private let state = Mutex(State())

  /// Fields that H.264 keeps as references at most (Rec. ITU-T H.264 (08/2021), A.3.1).
  private static let maximumReferences: Int64 = 32
  /// What FFmpeg says of an order to forget a picture that it never had.
  private static let unknownReference = "mmco: unref short failure"

  /// An error was logged while packet `number` was decoded; called on any thread.
  func note(_ number: Int64, _ message: String) {
    state.withLock { state in
      // The stream may drop references from before the access point where decoding began.
      if message.hasPrefix(Self.unknownReference), number - state.begin <= Self.maximumReferences { return }
      if state.packets.count >= Self.capacity { state.packets.removeAll() }
      state.packets.insert(number)
    }
  }

  /// Whether there was an error in the packet that a picture came of; it is forgotten.
  func take(_ number: Int64) -> Bool {
    state.withLock { state in
      let wasAnyPacket = state.packets.remove(hr_no_packet()) != nil
      return state.packets.remove(number) != nil || wasAnyPacket
    }
  }

  /// Forgets everything, for a seek.
  /// - Parameter sent: Packets that the decoder got so far.
  func forget(sent: Int64) { state.withLock { $0 = State(begin: sent) } }
}
