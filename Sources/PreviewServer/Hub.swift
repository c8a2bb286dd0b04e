internal import NIOCore
internal import PreviewProtocol

/// The shared state of all connections. Used on its event loop only.
final class Hub {
  let gate: Gate
  let limits: Limits
  let counts = ServerCounts()
  let connections: ConnectionTable
  let streams: StreamTable
  let events: EventTable
  var rates: AddressRates
  let isReadOnly: Bool
  /// The page's name for the content.
  let title: String
  /// The renderer's counts.
  private(set) var rendering = RenderingCounts()
  /// The preview has ended, and everything is shutting down.
  private(set) var isFinishing = false
  let asked: AskedRequests
  private let loop: any EventLoop

  /// - Parameter report: Sends a report to the renderer; false if it does not read.
  init(
    _ configuration: ServerConfiguration, gate: Gate, limits: Limits, loop: any EventLoop,
    report: @escaping (ServerReport) -> Bool
  ) {
    (self.gate, self.limits, self.loop) = (gate, limits, loop)
    (isReadOnly, title) = (configuration.isReadOnly, configuration.title)
    connections = ConnectionTable(limits: limits)
    events = EventTable(limits: limits)
    rates = AddressRates(limits: limits)
    asked = AskedRequests(limits: limits, report: report)
    streams = StreamTable(
      most: configuration.maximumViewers, limits: limits, counts: counts, loop: loop, report: report)
  }

  /// Handles a message of the renderer, except the first and last.
  func receive(_ message: ServerMessage) {
    switch message {
    case .configure, .finish: break
    case .state(let json, let counts):
      rendering = counts
      if events.state != json { events.change(json) }
    case .accepted(let viewer, let offer): streams.accept(viewer, offer)
    case .refused(let viewer, let status, let reason):
      streams.refuse(viewer, Refusal(.init(rendererStatus: status), .renderer, JSONText.escaped(reason)))
    case .initialization(let stream, let bytes): streams.initialize(stream, bytes)
    case .fragment(let stream, let fragment, let bytes): streams.send(stream, fragment, bytes, now: .now())
    case .streamEnded(let stream): streams.end(stream)
    case .answer(let request, let answer): asked.answer(request, answer)
    }
  }

  /// Called every second.
  func sweep() {
    let now = NIODeadline.now()
    connections.check(now: now)
    rates.sweep(now: now)
    streams.sweep(now: now)
    asked.sweep(now: now)
    events.sweep(now: now)
  }

  /// Shuts down gracefully: ends streams with their last chunk, events with a message, requests with a response.
  func finish() {
    guard !isFinishing else { return }
    isFinishing = true
    streams.endAll()
    asked.endAll()
    events.endAll()
    connections.finishIdle()
  }
}
