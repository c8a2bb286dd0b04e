internal import NIOCore
internal import NIOHTTP1

/// Counts since the server started.
final class ServerCounts {
  /// The start time.
  let began = NIODeadline.now()
  /// Responses by the first digit of their status.
  private(set) var answers: [Int: Int] = [:]
  /// Refusals by their reason.
  private(set) var rejections: [Refusal.Reason: Int] = [:]
  /// Connections closed because there were too many.
  var crowded = 0
  /// Fragments sent to viewers, and fragments skipped for slow ones.
  var (sentFragments, skippedFragments) = (0, 0)
  /// Bytes before encryption.
  var sentBytes = 0

  func count(_ status: HTTPResponseStatus) { answers[Int(status.code) / 100, default: 0] += 1 }

  func reject(_ reason: Refusal.Reason) { rejections[reason, default: 0] += 1 }
}
