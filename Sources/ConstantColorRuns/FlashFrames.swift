internal import Capture
package import ConstantColor
package import Frames
internal import Media
package import Rendering
package import Sessions

/// A pair of frames of a clip or device, one with the flash and one without.
package struct FlashFrames: Sendable {
  /// Both frames as they were read.
  private let taken: FlashFramePair
  /// How pictures are rotated to be upright.
  package let orientation: Orientation

  init(_ taken: FlashFramePair, _ orientation: Orientation) { (self.taken, self.orientation) = (taken, orientation) }

  /// The frame without the flash, as it was read.
  package var ambient: CodedFrame { taken.ambient }
  /// The frame with it.
  package var flash: CodedFrame { taken.flash }
  /// Their numbers, and why it is these.
  package var pair: FlashPair { taken.pair }
  /// How both are interpreted.
  package var source: SourcePlan { taken.source }
  /// Their exposure, as far as a device tells.
  package var exposure: Exposure? { taken.setting?.exposure }

  /// The scene-referred light of both frames, upright.
  /// - Throws: The error of a library for samples that cannot be read.
  package func sceneImages(pool: WorkerPool) throws -> (ambient: SceneImage, flash: SceneImage) {
    try taken.sceneImages(orientation, pool: pool)
  }
}

extension Session {
  /// Seconds that somebody has to switch a lamp.
  package static let lampPatience = 60.0

  /// Reads a clip or device once, and keeps the pair of frames that a flash told apart, or that is asked for.
  ///
  /// A device's exposure is held meanwhile, its flash is driven if it has one, and reading ends as soon as there is a pair
  /// whose regions of interest are exposed as well as the device lets them be.
  /// - Parameters:
  ///   - regions: The regions of interest in upright pictures, by which a device is metered; none: all.
  ///   - patience: Seconds after which a device without a pair is given up.
  ///   - report: Gets what happens while a device is waited for.
  /// - Throws: `Refusal`, `Cancellation`, or the error of a library.
  package func flashFrames(
    of input: InputRequest, _ choice: FlashFrameChoice = .automatic,
    regions: [PictureArea] = [], processing: ProcessingRequest = ProcessingRequest(),
    patience: Double = Session.lampPatience,
    report: (FlashFrameEvent) -> Void = { _ in }
  ) throws -> FlashFrames {
    let reader = try input.open(threads: processing.threadCount)
    let geometry = try GeometryPlan(reader.video, name: input.name, .upright)
    return try running {
      let lighting = input.isDevice ? try PairLighting(CaptureDevice(input.name)) : nil
      defer { lighting?.restore() }
      if let lighting {
        removing { lighting.restore() }
        report(lighting.flash == nil ? .waitsForLamp(seconds: patience) : .drivesFlash)
        if !lighting.isExposureHeld { report(.adaptsItself) }
      }
      let first = try reader.firstFrame(of: choice.selection)
      let scene = FlashFrameSink.Scene(name: reader.info.url, orientation: geometry.orientation, regions: regions)
      let sink = FlashFrameSink(
        self, scene, input, choice, first: first.format, lighting, patience: patience,
        pool: WorkerPool(count: processing.threads), interruption: reader.interrupt)
      warn(reader.colorWarnings)
      note(reader.readerNotes)
      let done = try perform(Run(reader, SelectionPlan(choice.selection), to: sink))
      if done.outcome == .cancelled { throw Cancellation() }
      warn(reader.damage)
      let found = try sink.finish()
      // A flash that clips everything leaves no pair, but this to say.
      if let result = sink.metered { report(.metered(result)) }
      guard let found else {
        // What was lost may have been the pair.
        if let ending = reader.ending { throw ending.reason }
        throw Refusal.failed(
          "flash-not-found",
          "No flash tells two of the \(sink.count) frames of '\(input.name)' apart: name both with "
            + "\(.flashFrames, "A,F").")
      }
      return FlashFrames(found, geometry.orientation)
    }
  }
}
