internal import NIOCore
internal import NIOHTTP1
internal import PreviewProtocol

/// The streams that are served, and who watches them.
final class StreamTable {
  private(set) var viewers: [Int: Viewer] = [:]
  private var streams: [Int: ServedStream] = [:]
  private var next = 1
  private let most: Int
  private let limits: Limits
  private let counts: ServerCounts
  private let loop: any EventLoop
  private let report: (ServerReport) -> Bool

  /// - Parameters:
  ///   - most: Viewers at a time.
  ///   - report: Tells the renderer; false if it does not listen.
  init(
    most: Int, limits: Limits, counts: ServerCounts, loop: any EventLoop, report: @escaping (ServerReport) -> Bool
  ) {
    (self.most, self.limits, self.counts) = (most, limits, counts)
    (self.loop, self.report) = (loop, report)
  }

  /// Streams that have begun.
  var count: Int { streams.values.filter { $0.initialization != nil }.count }

  // MARK: Viewers

  /// Asks the renderer for a stream.
  func join(_ exchange: Exchange, query: [String: String], now: NIODeadline) {
    guard viewers.count < most else { return exchange.refuse(.busy("There are too many viewers.")) }
    let viewer = Viewer(next, exchange: exchange, asked: now, limits: limits, counts: counts)
    next += 1
    guard report(.joined(viewer: viewer.number, query: query)) else {
      return exchange.refuse(.busy("The preview does not answer."))
    }
    viewers[viewer.number] = viewer
    exchange.onEnd = { [weak self] in self?.leave(viewer) }
    exchange.onDrained = { [weak self] in self?.recovered(viewer) }
  }

  private func leave(_ viewer: Viewer) {
    guard viewers.removeValue(forKey: viewer.number) != nil else { return }
    if let stream = viewer.stream { streams[stream]?.viewers.removeAll { $0 === viewer } }
    _ = report(.left(viewer: viewer.number))
  }

  func accept(_ number: Int, _ offer: StreamOffer) {
    guard let viewer = viewers[number], viewer.stream == nil else { return }
    guard let stream = streams[offer.stream] else {
      // It has ended while it was offered: the viewer may ask again.
      return viewer.exchange.refuse(.busy("The stream has just ended: ask again."))
    }
    viewer.begin(offer)
    stream.viewers.append(viewer)
    if stream.hasBegun { ask(offer.stream) }
  }

  func refuse(_ number: Int, _ refusal: Refusal) {
    guard let viewer = viewers[number], viewer.stream == nil else { return }
    // The renderer has not kept it: it is not told that the viewer leaves.
    viewers[number] = nil
    viewer.exchange.refuse(refusal)
  }

  /// Gives up those whom the renderer does not answer, and asks for those who can go on.
  func sweep(now: NIODeadline) {
    for viewer in viewers.values where viewer.exchange.isDrained { recovered(viewer) }
    for viewer in viewers.values where viewer.stream == nil {
      guard (now - viewer.asked).seconds > limits.answerSeconds else { continue }
      viewer.exchange.refuse(Refusal(.serviceUnavailable, .renderer, "The preview does not answer."))
    }
  }

  // MARK: Streams

  func initialize(_ number: Int, _ bytes: [UInt8]) {
    let stream = streams[number] ?? ServedStream()
    streams[number] = stream
    stream.initialization = ByteBuffer(bytes: bytes)
  }

  func send(_ number: Int, _ fragment: ServerMessage.Fragment, _ bytes: [UInt8], now: NIODeadline) {
    guard let stream = streams[number], let initialization = stream.initialization else { return }
    stream.hasBegun = true
    if fragment.isKey { stream.isAsked = false }
    let buffer = ByteBuffer(bytes: bytes)
    for viewer in stream.viewers { viewer.offer(buffer, isKey: fragment.isKey, after: initialization, now: now) }
  }

  /// Its viewers may ask for another.
  func end(_ number: Int) {
    guard let stream = streams.removeValue(forKey: number) else { return }
    for viewer in stream.viewers { viewer.exchange.end() }
  }

  /// The preview is over.
  func endAll() {
    for viewer in Array(viewers.values) where viewer.stream == nil { viewer.exchange.refuse(.ending) }
    for number in Array(streams.keys) { end(number) }
  }

  // MARK: Key frames

  /// What waited for a viewer has been sent: it goes on with the next key frame.
  private func recovered(_ viewer: Viewer) {
    guard viewer.waitsForKeyFrame, let stream = viewer.stream, streams[stream]?.hasBegun == true else { return }
    ask(stream)
  }

  /// Asks for a key frame, once until it comes, and not more often than the other viewers should bear.
  private func ask(_ number: Int) {
    guard let stream = streams[number], !stream.isAsked else { return }
    stream.isAsked = true
    let now = NIODeadline.now()
    let due = stream.lastAsked.map { $0 + .seconds(limits.keyFrameSeconds) } ?? now
    stream.lastAsked = max(now, due)
    guard due > now else {
      _ = report(.needsKeyFrame(stream: number))
      return
    }
    loop.assumeIsolated().scheduleTask(deadline: due) { [weak self, weak stream] in
      guard let self, let stream, stream.isAsked, streams[number] === stream else { return }
      _ = report(.needsKeyFrame(stream: number))
    }
  }
}

/// One stream.
private final class ServedStream {
  /// What a player needs first; nil until it has come.
  var initialization: ByteBuffer?
  var viewers: [Viewer] = []
  /// A fragment has come: who joins now waits for a key frame.
  var hasBegun = false
  /// A key frame was asked for, or will be, and has not come.
  var isAsked = false
  var lastAsked: NIODeadline?
}
