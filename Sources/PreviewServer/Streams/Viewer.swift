internal import NIOCore
internal import NIOHTTP1
internal import PreviewProtocol

/// A client that watches a stream, or waits for one.
final class Viewer {
  let number: Int
  let exchange: Exchange
  /// The time of its request.
  let asked: NIODeadline
  /// nil until the renderer has assigned a stream.
  private(set) var stream: Int?
  /// Fragments without a key frame are useless.
  private(set) var waitsForKeyFrame = true
  /// The numbers of fragments.
  private(set) var (sent, skipped) = (0, 0)
  private var hasInitialization = false
  private let limits: Limits
  private let counts: ServerCounts

  init(_ number: Int, exchange: Exchange, asked: NIODeadline, limits: Limits, counts: ServerCounts) {
    (self.number, self.exchange, self.asked) = (number, exchange, asked)
    (self.limits, self.counts) = (limits, counts)
  }

  /// Starts the response.
  func begin(_ offer: StreamOffer) {
    stream = offer.stream
    var headers = HTTPHeaders()
    headers.add(name: "Content-Type", value: HeaderText.plain(offer.contentType))
    headers.add(name: "Headroom-Stream", value: HeaderText.json(offer.description))
    exchange.begin(headers)
  }

  /// Sends a fragment, unless the viewer lags: then it gets nothing until all output has been sent, and resumes at a
  /// key frame.
  func offer(_ fragment: ByteBuffer, isKey: Bool, after initialization: ByteBuffer, now: NIODeadline) {
    if waitsForKeyFrame, !isKey || !exchange.isDrained { return skip() }
    if exchange.isBehind(lateSeconds: limits.lateSeconds, now: now) {
      waitsForKeyFrame = true
      return skip()
    }
    waitsForKeyFrame = false
    if !hasInitialization {
      hasInitialization = true
      exchange.write(initialization)
    }
    exchange.write(fragment)
    sent += 1
    counts.sentFragments += 1
  }

  private func skip() {
    // Before the first fragment nothing is missed.
    guard hasInitialization else { return }
    skipped += 1
    counts.skippedFragments += 1
  }
}
