package import ConstantColor
package import Frames
package import Rendering
package import Sessions

/// A pair of frames as read.
package struct FlashFramePair: Sendable {
  /// The frame without the flash.
  package let ambient: CodedFrame
  /// The frame with it.
  package let flash: CodedFrame
  /// Frame numbers, and why these were chosen.
  package let pair: FlashPair
  /// How both are interpreted.
  package let source: SourcePlan
  /// The settings of the device; nil: a clip.
  package let setting: FlashFrameSetting?

  /// The scene-referred light of both frames.
  /// - Parameter orientation: Rotation that makes the pictures upright.
  /// - Throws: The error of a library for samples that cannot be read.
  package func sceneImages(_ orientation: Orientation, pool: WorkerPool) throws -> (
    ambient: SceneImage, flash: SceneImage
  ) {
    func image(_ frame: CodedFrame) throws -> SceneImage {
      try source.sceneImage(of: frame, orientation: orientation, exposure: setting?.exposure, pool: pool)
    }
    return (try image(ambient), try image(flash))
  }

  /// Measures the light of regions of interest.
  /// - Parameter regions: In upright pictures; none: the whole picture.
  /// - Returns: nil for regions outside the pictures.
  /// - Throws: The error of a library for samples that cannot be read.
  func reading(_ regions: [PictureArea], _ orientation: Orientation, pool: WorkerPool) throws -> MeteringReading? {
    let images = try sceneImages(orientation, pool: pool)
    return MeteringReading(
      ambient: images.ambient, flash: images.flash,
      regions: regions.isEmpty ? [PictureArea(images.flash.size)] : regions)
  }
}
