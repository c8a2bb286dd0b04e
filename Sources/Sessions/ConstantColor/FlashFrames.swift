internal import Capture
package import ConstantColor
package import Frames
internal import Media
package import Rendering

/// A pair of frames of a clip or device, one with the flash and one without.
package struct FlashFrames: Sendable {
  /// The frame without the flash, as it was read.
  package let ambient: CodedFrame
  /// The frame with it.
  package let flash: CodedFrame
  /// Their numbers, and why it is these.
  package let pair: FlashPair
  /// How both are interpreted.
  package let source: SourcePlan
  /// How pictures are rotated to be upright.
  package let orientation: Orientation
  /// Their exposure, as far as a device tells.
  package let exposure: Exposure?

  /// The scene-referred light of both frames, upright.
  /// - Throws: The error of a library for samples that cannot be read.
  package func sceneImages(pool: WorkerPool) throws -> (ambient: SceneImage, flash: SceneImage) {
    func image(_ frame: CodedFrame) throws -> SceneImage {
      try source.sceneImage(of: frame, orientation: orientation, exposure: exposure, pool: pool)
    }
    return (try image(ambient), try image(flash))
  }
}

extension Session {
  /// Seconds that somebody has to switch a lamp.
  package static let lampPatience = 60.0

  /// Reads a clip or device once, and keeps the pair of frames that a flash told apart, or that is asked for.
  ///
  /// A device's exposure is held meanwhile, its flash is driven if it has one, and reading ends as soon as there is a pair.
  /// - Parameters:
  ///   - patience: Seconds after which a device without a pair is given up.
  ///   - report: Gets what happens while a device is waited for.
  /// - Throws: `FlashFrameFailure`, `Refusal`, `Cancellation`, or the error of a library.
  package func flashFrames(
    of input: InputRequest, _ choice: FlashFrameChoice = .automatic,
    processing: ProcessingRequest = ProcessingRequest(), patience: Double = Session.lampPatience,
    report: (FlashFrameEvent) -> Void = { _ in }
  ) throws -> FlashFrames {
    let reader = try input.open(threads: processing.threadCount)
    let geometry = try GeometryPlan(reader.video, name: input.name, bakesRotation: true, scale: nil)
    return try running {
      let lighting = input.isDevice ? try PairLighting(CaptureDevice(input.name)) : nil
      defer { lighting?.restore() }
      if let lighting {
        removing { lighting.restore() }
        report(lighting.flash == nil ? .waitsForLamp(seconds: patience) : .drivesFlash)
        if !lighting.isExposureHeld { report(.adaptsItself) }
      }
      let first = try reader.firstFrame(of: choice.selection)
      let sink = FlashFrameSink(
        self, reader, input, choice, first: first.format, lighting, patience: patience,
        pool: WorkerPool(count: processing.threads))
      warn(reader.colorWarnings)
      note(reader.readerNotes)
      let done = try perform(Run(reader, SelectionPlan(choice.selection), to: sink))
      if done.outcome == .cancelled { throw Cancellation() }
      warn(reader.damage)
      guard let found = try sink.finish() else {
        // What was lost may have been the pair.
        if let ending = reader.ending { throw ending.reason }
        throw FlashFrameFailure.hasNoFlash(name: input.name, frames: sink.count)
      }
      return FlashFrames(
        ambient: found.ambient, flash: found.flash, pair: found.pair, source: found.source,
        orientation: geometry.orientation, exposure: lighting?.exposure)
    }
  }
}
