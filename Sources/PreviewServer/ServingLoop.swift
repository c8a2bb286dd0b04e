internal import Glibc
internal import NIOCore
internal import PreviewProtocol
internal import Threads

/// A running server: its socket and event loop.
struct ServingLoop {
  private let listener: Listener
  private let channel: any Channel
  private let loop: any EventLoop
  private let limits: Limits
  private let ended: EventLoopPromise<Int32>

  /// Listens, and reports the address.
  init(
    _ entrance: Entrance, limits: Limits, loop: any EventLoop, reports: ReportQueue
  ) throws(ServingError) {
    let (configuration, place, tls) = (entrance.configuration, entrance.place, entrance.tls)
    let limits = limits.fittingDescriptors
    (self.loop, self.limits) = (loop, limits)
    listener = Listener(tls: tls, loop: loop)
    channel = try listener.accept(from: entrance)
    ended = loop.makePromise()
    let bound = channel.localAddress ?? place.address
    let gate = Gate(
      token: entrance.token, names: place.names, isSecure: tls != nil, port: bound.port ?? configuration.port)
    let hub = listener.hub
    // Before the address is reported: until then, connections are refused.
    let ready = loop.submit {
      hub.value = Hub(configuration, gate: gate, limits: limits, loop: loop) { reports.send($0) }
      loop.scheduleRepeatedTask(initialDelay: .seconds(Int64(1)), delay: .seconds(Int64(1))) { _ in
        hub.value?.sweep()
      }
    }
    do { try ready.wait() } catch { throw .system(EAGAIN) }
    let url = place.url(bound: bound, isSecure: tls != nil)
    reports.send(.listening(.init(url: url, code: QRCode.lines(of: url))))
  }

  /// Serves until the link or the server ends.
  /// - Returns: 0 if the renderer ended it, 1 if the renderer has died.
  func run(_ link: NetworkLink, threads: ThreadGroup) -> Int32 {
    let (hub, finish) = (listener.hub, finish)
    do throws(ThreadError) {
      try MessageReader.start(link, on: loop, threads: threads) { message in
        if message == .finish { finish(0) } else { hub.value?.receive(message) }
      } end: {
        finish(1)
      }
    } catch { loop.execute { finish(1) } }
    return (try? ended.futureResult.wait()) ?? 1
  }

  /// Shuts down, and gives clients a moment; only the first call has an effect.
  private var finish: @Sendable (Int32) -> Void {
    { [listener, channel, ended, limits, loop] status in
      guard let hub = listener.hub.value, !hub.isFinishing else { return }
      channel.close(promise: nil)
      hub.finish()
      let deadline = NIODeadline.now() + .seconds(limits.finishSeconds)
      loop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(20)) { [listener] task in
        let now = NIODeadline.now()
        guard now > deadline || listener.hub.value?.connections.isOver(now: now) != false else { return }
        task.cancel()
        ended.succeed(status)
      }
    }
  }
}
