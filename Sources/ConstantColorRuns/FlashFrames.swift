internal import Capture
package import ConstantColor
package import Frames
internal import Media
package import Rendering
package import Sessions

/// A pair of frames from a clip or device, one with the flash and one without.
package struct FlashFrames: Sendable {
  /// The frame without the flash, as read.
  package let ambient: CodedFrame
  /// The frame with it.
  package let flash: CodedFrame
  /// Frame numbers, and why these were chosen.
  package let pair: FlashPair
  /// How both are interpreted.
  package let source: SourcePlan
  /// The settings of the device; nil: a clip.
  package let setting: FlashFrameSetting?
  /// Rotation that makes the pictures upright.
  package let orientation: Orientation

  /// The scene-referred light of both frames, upright.
  /// - Throws: The error of a library for samples that cannot be read.
  package func sceneImages(pool: WorkerPool) throws -> (ambient: SceneImage, flash: SceneImage) {
    func image(_ frame: CodedFrame) throws -> SceneImage {
      try source.sceneImage(of: frame, orientation: orientation, exposure: setting?.exposure, pool: pool)
    }
    return (try image(ambient), try image(flash))
  }

  /// Measures the light of regions of interest.
  /// - Parameter regions: In upright pictures; none: the whole picture.
  /// - Returns: nil for regions outside the pictures.
  /// - Throws: The error of a library for samples that cannot be read.
  func reading(_ regions: [PictureArea], pool: WorkerPool) throws -> MeteringReading? {
    let images = try sceneImages(pool: pool)
    return MeteringReading(
      ambient: images.ambient, flash: images.flash,
      regions: regions.isEmpty ? [PictureArea(images.flash.size)] : regions)
  }
}

extension Session {
  /// Timeout in seconds for the user to switch a lamp.
  package static let lampTimeout = 60.0

  /// Reads a clip or device once, and keeps the pair of frames that the flash distinguishes, or the requested one.
  ///
  /// Holds the exposure of a device meanwhile, drives its flash if it has one, and stops at the first pair whose
  /// regions of interest are exposed as well as the device allows.
  /// - Parameters:
  ///   - regions: Regions of interest in upright pictures for metering a device; none: the whole picture.
  ///   - timeout: Timeout in seconds for a pair from a device.
  ///   - report: Receives events while waiting for a device.
  /// - Throws: `Refusal`, `Cancellation`, or the error of a library.
  package func flashFrames(
    of input: InputRequest, _ choice: FlashFrameChoice = .automatic,
    regions: [PictureArea] = [], processing: ProcessingRequest = ProcessingRequest(),
    timeout: Double = Session.lampTimeout,
    report: (FlashFrameEvent) -> Void = { _ in }
  ) throws -> FlashFrames {
    let reader = try input.open(threads: processing.threadCount)
    let geometry = try GeometryPlan(reader.video, name: input.name, .upright)
    return try running {
      let lighting = input.isDevice ? try PairLighting(CaptureDevice(input.name)) : nil
      defer { lighting?.restore() }
      if let lighting {
        removing { lighting.restore() }
        report(lighting.flash == nil ? .waitsForLamp(seconds: timeout) : .drivesFlash)
        if !lighting.isExposureHeld { report(.adaptsItself) }
      }
      let first = try reader.firstFrame(of: choice.selection)
      let scene = FlashFrameSink.Scene(name: reader.info.url, orientation: geometry.orientation, regions: regions)
      let sink = FlashFrameSink(
        self, scene, input, choice, first: first.format, lighting, timeout: timeout,
        pool: WorkerPool(count: processing.threads), interruption: reader.interrupt)
      warn(reader.colorWarnings)
      note(reader.readerNotes)
      let done = try perform(Run(reader, SelectionPlan(choice.selection), to: sink))
      if done.outcome == .cancelled { throw Cancellation() }
      warn(reader.damage)
      let found = try sink.finish()
      // A flash that clips everything gives no pair, but this result.
      if let result = sink.metered { report(.metered(result)) }
      guard let found else {
        // The lost frames may have contained the pair.
        if let ending = reader.ending { throw ending.reason }
        throw Refusal.failed(
          "flash-not-found",
          "No flash tells two of the \(sink.count) frames of '\(input.name)' apart: name both with "
            + "\(.flashFrames, "A,F").")
      }
      return found
    }
  }
}

/// Which frames of a clip or device form the pair.
public enum FlashFrameChoice: Sendable, Hashable, Codable {
  /// The two frames that the flash distinguishes best.
  case automatic
  /// Two frames by number, from 0.
  case numbered(ambient: Int, flash: Int)

  /// The frames to read.
  var selection: FrameSelection {
    var selection = FrameSelection()
    if case .numbered(let ambient, let flash) = self {
      selection.range = FrameRange(first: 0, last: max(ambient, flash))
    }
    return selection
  }
}

/// An event while waiting for a device.
package enum FlashFrameEvent: Sendable, Hashable {
  /// The device has a flash and will drive it.
  case drivesFlash
  /// The device has no flash: the user has to switch a lamp within some seconds.
  case waitsForLamp(seconds: Double)
  /// The device may keep adapting its exposure or white balance.
  case adaptsItself
  /// The device has been metered: the settings of the pair, and the exposure of the region of interest.
  case metered(FlashFrameMetering.Result)
}
