internal import ConstantColor
internal import Frames
internal import Rendering
internal import Sessions

extension SourcePlan {
  /// The conversion of frames that are read as this plan says to scene-referred light.
  /// - Parameter format: Format of the frames, before overrides.
  /// - Throws: The error of a library for samples that cannot be read.
  func sceneConversion(of format: PixelFormat, pool: WorkerPool) throws -> SceneConversion {
    do {
      return try SceneConversion(reading(format), pool: pool)
    } catch .rendering(let error) {
      throw error
    }
  }

  /// Makes summaries of frames that are read as this plan says.
  /// - Parameter format: Format of the frames, before overrides.
  /// - Throws: The error of a library for samples that cannot be read.
  func frameSummarizer(of format: PixelFormat, pool: WorkerPool) throws -> FrameSummarizer {
    do {
      return try FrameSummarizer(reading(format), pool: pool)
    } catch .rendering(let error) {
      throw error
    }
  }

  /// The scene-referred light of a decoded frame or still.
  ///
  /// - Parameters:
  ///   - frame: As it was read, before overrides.
  ///   - orientation: How the picture is rotated.
  ///   - exposure: What the file states.
  /// - Throws: The error of a library for samples that cannot be read.
  func sceneImage(
    of frame: CodedFrame, orientation: Orientation = .identity, exposure: Exposure? = nil, pool: WorkerPool
  ) throws -> SceneImage {
    try sceneConversion(of: frame.format, pool: pool)
      .image(of: frame.described(as: color), orientation: orientation, exposure: exposure)
  }
}
