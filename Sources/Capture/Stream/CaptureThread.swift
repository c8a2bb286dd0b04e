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
  static let pollInterval: Int32 = 100
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
      let ready = device.file.wait(milliseconds: Self.pollInterval)
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
        usleep(ready == .buffer ? 1000 : UInt32(Self.pollInterval) * 1000)
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

  /// Milliseconds between checks for a signal, and for a device that was unplugged.
  private static let signalPause = 250
  private static let reopenPause = 500
  /// Microseconds between checks for events.
  private static let slice: UInt32 = 25_000

  // MARK: - A signal that changes

  /// Waits for a signal, sets the device to it, and restarts.
  func settle() throws(CaptureError) {
    pause()
    try stream?.buffers.release { source.isStopped }
    stream = nil
    // Limits how often the device is set up while its signal keeps changing.
    if settled > 0 { wait(milliseconds: Self.signalPause) }
    settled += 1
    guard let device, try hasSignal(device) else { return }
    let options = source.options
    let setup = try device.followSignal(options.request, isDecoding: options.decoders != nil)
    let stream = try CaptureStream(
      device, setup, framesInFlight: options.framesInFlight, decoders: options.decoders)
    try stream.buffers.start()
    self.stream = stream
    clock.begin(rate: setup.mode.rate)
    source.publish(stream)
    if wasUnplugged { report(.reconnected) }
    (wasUnplugged, loss, step) = (false, nil, .stream)
    report(.signal(setup))
  }

  /// Waits until there is a signal; false if the source is stopped.
  private func hasSignal(_ device: CaptureDevice) throws(CaptureError) -> Bool {
    while !source.isStopped {
      // Discards past events: the device's next report covers them.
      _ = device.takeEvents()
      guard case .absent(let reason) = try device.signal() else { return true }
      lose(reason)
      wait(milliseconds: Self.signalPause)
    }
    return false
  }

  /// Waits for an event of the device, or until the timeout expires.
  ///
  /// `poll` does not work here: without buffers it makes the kernel start reading frames, which leaves the device busy.
  /// Source: Linux, drivers/media/common/videobuf2/videobuf2-core.c, `vb2_core_poll`.
  private func wait(milliseconds: Int) {
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    while !source.isStopped, ContinuousClock.now < end {
      usleep(Self.slice)
      if let device, !device.takeEvents().isEmpty { return }
    }
  }

  // MARK: - A device that is unplugged

  /// Reopens the device, if it is there.
  func reopen() {
    pause()
    wait(milliseconds: Self.reopenPause)
    guard !source.isStopped, let device = try? source.options.reopen() else { return }
    if let input = source.options.input, device.selectedInput != input {
      guard (try? device.select(input: input)) != nil else { return }
    }
    device.subscribeToChanges()
    (self.device, step) = (device, .settle)
  }

  // MARK: - Errors

  /// Returns the next step after an error.
  /// - Throws: The error, if it is not recoverable.
  func next(after error: CaptureError) throws(CaptureError) -> Step {
    if case .isGone = error { return try afterUnplugging(error) }
    if step == .settle, let loss = error.lossOfSignal {
      lose(loss)
      return .settle
    }
    failures += 1
    guard failures <= Self.attempts else { throw error }
    switch (step, error) {
    case (.settle, .hasNoDecoder): throw error
    case (.settle, _): return .settle
    case (_, .requestFailed(_, _, let code)) where code == EPIPE || error.lossOfSignal != nil: return .settle
    case (_, .requestFailed(_, _, let code)): return try restart(after: code, error)
    case (_, .cannotDecode):
      try stream?.renewDecoder()
      clock.lose(1)
      report(.restarted(afterErrorCode: 0))
      return .stream
    default: throw error
    }
  }

  private func afterUnplugging(_ error: CaptureError) throws(CaptureError) -> Step {
    if !wasUnplugged { report(.unplugged) }
    wasUnplugged = true
    guard source.options.isPatient else { throw error }
    dropStream()
    device = nil
    (failures, settled, loss) = (0, 0, nil)
    return .reopen
  }

  /// Restarts a device after a bus error, which some drivers recover from.
  private func restart(after code: Int32, _ cause: CaptureError) throws(CaptureError) -> Step {
    guard let stream else { throw cause }
    stream.buffers.stop()
    do throws(CaptureError) {
      try stream.buffers.start()
    } catch {
      if case .isGone = error { return try afterUnplugging(error) }
      guard error.lossOfSignal != nil else { throw cause }
      return .settle
    }
    clock.lose(1)
    report(.restarted(afterErrorCode: code))
    return .stream
  }
}

extension CaptureError {
  /// The signal loss that makes the driver refuse; nil: another reason. Source: Linux,
  /// Documentation/userspace-api/media/v4l/vidioc-streamon.rst, ENOLINK; vidioc-query-dv-timings.rst.
  var lossOfSignal: SignalLoss? {
    guard case .requestFailed(_, _, let code) = self else { return nil }
    return switch code {
    case ENOLINK: .noSignal
    case ENOLCK: .noLock
    default: nil
    }
  }
}
