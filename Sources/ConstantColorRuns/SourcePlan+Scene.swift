internal import ConstantColor
internal import Frames
internal import Rendering
internal import Sessions

extension SourcePlan {
  /// Returns the conversion of frames read with this plan to scene-referred light.
  /// - Parameter format: Format of the frames, before overrides.
  /// - Throws: The error of a library for samples that cannot be read.
  func sceneConversion(of format: PixelFormat, pool: WorkerPool) throws -> SceneConversion {
    do {
      return try SceneConversion(reading(format), pool: pool)
    } catch .rendering(let error) {
      throw error
    }
  }

  /// Returns a summarizer for frames read with this plan.
  /// - Parameter format: Format of the frames, before overrides.
  /// - Throws: The error of a library for samples that cannot be read.
  func frameSummarizer(of format: PixelFormat, pool: WorkerPool) throws -> FrameSummarizer {
    do {
      return try FrameSummarizer(reading(format), pool: pool)
    } catch .rendering(let error) {
      throw error
    }
  }

  /// Returns the scene-referred light of a decoded frame or still.
  ///
  /// - Parameters:
  ///   - frame: The frame as read, before overrides.
  ///   - orientation: Rotation of the picture.
  ///   - exposure: Exposure stated by the file.
  /// - Throws: The error of a library for samples that cannot be read.
  func sceneImage(
    of frame: CodedFrame, orientation: Orientation = .identity, exposure: Exposure? = nil, pool: WorkerPool
  ) throws -> SceneImage {
    try sceneConversion(of: frame.format, pool: pool)
      .image(of: frame.described(as: color), orientation: orientation, exposure: exposure)
  }
}
