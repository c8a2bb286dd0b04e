internal import Glibc

extension CaptureThread {
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

  /// Waits until there is a signal.
  /// - Returns: false if the source is stopped.
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
  /// The signal loss that makes the driver refuse; nil: another reason.
  ///
  /// Source: Linux, Documentation/userspace-api/media/v4l/vidioc-streamon.rst, ENOLINK; vidioc-query-dv-timings.rst.
  var lossOfSignal: SignalLoss? {
    guard case .requestFailed(_, _, let code) = self else { return nil }
    return switch code {
    case ENOLINK: .noSignal
    case ENOLCK: .noLock
    default: nil
    }
  }
}
