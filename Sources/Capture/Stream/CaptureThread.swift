internal import Frames
internal import Glibc
internal import Media

/// The work of a source's thread: delivers frames, and recovers the device after interruptions.
final class CaptureThread {
  /// The next step.
  enum Step {
    /// Deliver frames as they arrive.
    case stream
    /// Set the device up again as soon as there is a signal.
    case settle
    /// Reopen the device as soon as it is plugged in.
    case reopen
  }

  let source: CaptureSource
  let intake: any LiveReceiver
  /// nil: the device is gone. Nothing else keeps it open, otherwise a replugged device would get another path.
  var device: CaptureDevice?
  /// nil: the device is being set up.
  var stream: CaptureStream?
  var clock: CaptureClock
  var step: Step
  /// Consecutive errors without a frame in between.
  var failures = 0
  /// Consecutive setups without a frame in between.
  var settled = 0
  /// The device was unplugged and has not delivered a frame since.
  var wasUnplugged = false
  /// The signal loss reported last.
  var loss: SignalLoss?
  private var isPaused = false
  private var lastBuffer = ContinuousClock.now
  private var lastLook = ContinuousClock.now

  /// Milliseconds between checks whether to stop.
  static let patience: Int32 = 100
  /// Maximum consecutive restarts after an error.
  static let attempts = 3
  /// Time without a frame after which the device counts as silent.
  private static let silence = Duration.seconds(1)
  /// Polling interval for metadata, colours and a missing signal, where no event reports them.
  private static let interval = Duration.milliseconds(500)

  init(_ source: CaptureSource, _ stream: CaptureStream, isStreaming: Bool, delivering intake: any LiveReceiver) {
    (self.source, self.stream, device, self.intake) = (source, stream, stream.device, intake)
    clock = CaptureClock(rate: stream.setup.mode.rate)
    step = isStreaming ? .stream : .settle
  }

  /// Delivers frames until the source is stopped or the device fails.
  func run() {
    var failure: CaptureError?
    while !source.isStopped, failure == nil {
      do throws(CaptureError) {
        switch step {
        case .stream: try takeFrames()
        case .settle: try settle()
        case .reopen: reopen()
        }
      } catch {
        do throws(CaptureError) { step = try next(after: error) } catch { failure = error }
      }
    }
    dropStream()
    device = nil
    intake.end(throwing: failure)
  }

  /// Ends the stream. Held frames stay valid.
  func dropStream() {
    stream?.buffers.stop()
    stream?.buffers.finish()
    stream = nil
  }

  func report(_ event: CaptureSource.Event) { source.options.onEvent?(event) }

  func pause() {
    if !isPaused { intake.pause() }
    isPaused = true
  }

  // MARK: - Frames

  /// Delivers frames until another step is due.
  private func takeFrames() throws(CaptureError) {
    lastBuffer = .now
    while !source.isStopped, step == .stream, let device, let stream {
      let ready = device.file.wait(milliseconds: Self.patience)
      let hasEvents = ready.contains(.event) && takeEvents(of: device)
      if step != .stream { return }
      if let wish = source.takeWish() {
        try setRate(wish)
        continue
      }
      try look(at: device)
      if step != .stream { return }
      if !ready.isEmpty, let filled = try stream.buffers.dequeue() {
        lastBuffer = .now
        try take(filled)
        if filled.isLast { step = .settle }
      } else if !ready.isEmpty, !hasEvents {
        // Without a pause, an error, event or empty buffer would be polled in a busy loop.
        usleep(ready == .buffer ? 1000 : UInt32(Self.patience) * 1000)
      }
    }
  }

  private func take(_ filled: CaptureBuffers.Filled) throws(CaptureError) {
    guard let stream else { return }
    let arrival = clock.take(filled)
    let isCoded = stream.setup.mode.format.coding != nil
    if isCoded { clock.keep(arrival) }
    let frames: [CodedFrame]?
    do throws(CaptureError) {
      frames = try stream.frames(of: filled, at: arrival.time)
    } catch {
      clock.lose(arrival.lost)
      throw error
    }
    guard let frames, !frames.isEmpty else { return clock.lose(arrival.lost + (frames == nil ? 1 : 0)) }
    deliversAgain(stream)
    for (index, frame) in frames.enumerated() {
      let instant = isCoded ? clock.instant(of: frame.time) ?? arrival.instant : arrival.instant
      intake.deliver(frame, arrival: instant, lostBefore: index == 0 ? arrival.lost : 0)
    }
  }

  private func deliversAgain(_ stream: CaptureStream) {
    (failures, settled) = (0, 0)
    if isPaused { intake.resume() }
    isPaused = false
    if loss != nil { report(.signal(stream.setup)) }
    loss = nil
  }

  // MARK: - Changes in mid-stream

  /// - Returns: Whether there were any events.
  private func takeEvents(of device: CaptureDevice) -> Bool {
    let events = device.takeEvents()
    if events.contains(.sourceChange) { step = .settle }
    if events.contains(.metadataChange) { refresh() }
    return !events.isEmpty
  }

  private func refresh() {
    if stream?.refresh() == true, let stream { source.publish(stream) }
  }

  /// Polls at intervals for changes that no event has reported.
  private func look(at device: CaptureDevice) throws(CaptureError) {
    let now = ContinuousClock.now
    guard now - lastLook > Self.interval else { return }
    lastLook = now
    refresh()
    guard now - lastBuffer > Self.silence, let stream else { return }
    pause()
    if let signal = try device.signal() {
      if case .absent = signal { step = .settle }
      if let before = stream.setup.signal, !signal.isSame(as: before) { step = .settle }
    } else if let loss = device.inputs.first(where: \.isSelected)?.loss {
      lose(loss)
    }
  }

  /// Reports a signal loss once.
  func lose(_ reason: SignalLoss) {
    if loss != reason { report(.noSignal(reason)) }
    loss = reason
  }

  private func setRate(_ rate: Rational?) throws(CaptureError) {
    try stream?.setRate(rate)
    guard let stream else { return }
    clock.setRate(stream.setup.mode.rate)
    source.publish(stream)
    report(.rate(stream.setup.mode.rate))
  }
}
