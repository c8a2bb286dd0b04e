internal import NIOCore
internal import NIOHTTP1
internal import PreviewProtocol

/// The active streams and their viewers.
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
  ///   - most: Maximum number of viewers at a time.
  ///   - report: Sends a report to the renderer; false if it does not read.
  init(
    most: Int, limits: Limits, counts: ServerCounts, loop: any EventLoop, report: @escaping (ServerReport) -> Bool
  ) {
    (self.most, self.limits, self.counts) = (most, limits, counts)
    (self.loop, self.report) = (loop, report)
  }

  /// The number of streams that have started.
  var count: Int { streams.values.filter { $0.initialization != nil }.count }

  // MARK: Viewers

  /// Requests a stream from the renderer.
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
      // The stream ended while it was being offered: the viewer can try again.
      return viewer.exchange.refuse(.busy("The stream has just ended: ask again."))
    }
    viewer.begin(offer)
    stream.viewers.append(viewer)
    if stream.hasBegun { ask(offer.stream) }
  }

  func refuse(_ number: Int, _ refusal: Refusal) {
    guard let viewer = viewers[number], viewer.stream == nil else { return }
    // The renderer does not know the viewer: its departure is not reported.
    viewers[number] = nil
    viewer.exchange.refuse(refusal)
  }

  /// Refuses viewers whose requests have timed out, and requests key frames for viewers that have caught up.
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

  /// Ends a stream; its viewers can request another.
  func end(_ number: Int) {
    guard let stream = streams.removeValue(forKey: number) else { return }
    for viewer in stream.viewers { viewer.exchange.end() }
  }

  /// Ends all streams when the preview ends.
  func endAll() {
    for viewer in Array(viewers.values) where viewer.stream == nil { viewer.exchange.refuse(.ending) }
    for number in Array(streams.keys) { end(number) }
  }

  // MARK: Key frames

  /// Resumes a viewer at the next key frame, once its queued output has been sent.
  private func recovered(_ viewer: Viewer) {
    guard viewer.waitsForKeyFrame, let stream = viewer.stream, streams[stream]?.hasBegun == true else { return }
    ask(stream)
  }

  /// Requests a key frame, once until it arrives, at a rate that other viewers can tolerate.
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

/// A stream.
private final class ServedStream {
  /// The initialization segment; nil until it arrives.
  var initialization: ByteBuffer?
  var viewers: [Viewer] = []
  /// A fragment has arrived: new viewers must wait for a key frame.
  var hasBegun = false
  /// A key frame has been or will be requested, and has not arrived.
  var isAsked = false
  var lastAsked: NIODeadline?
}
