package import ConstantColor
package import Frames
package import Rendering
package import Sessions

/// A pair of frames as they were read.
package struct FlashFramePair: Sendable {
  /// The frame without the flash.
  package let ambient: CodedFrame
  /// The frame with it.
  package let flash: CodedFrame
  /// Their numbers, and why it is these.
  package let pair: FlashPair
  /// How both are interpreted.
  package let source: SourcePlan
  /// What a device took them with; nil: they are of a clip.
  package let setting: FlashFrameSetting?

  /// The scene-referred light of both frames.
  /// - Parameter orientation: How pictures are rotated to be upright.
  /// - Throws: The error of a library for samples that cannot be read.
  package func sceneImages(_ orientation: Orientation, pool: WorkerPool) throws -> (
    ambient: SceneImage, flash: SceneImage
  ) {
    func image(_ frame: CodedFrame) throws -> SceneImage {
      try source.sceneImage(of: frame, orientation: orientation, exposure: setting?.exposure, pool: pool)
    }
    return (try image(ambient), try image(flash))
  }

  /// The light of regions of interest.
  /// - Parameter regions: In upright pictures; none: all is of interest.
  /// - Returns: nil for regions outside of the pictures.
  /// - Throws: The error of a library for samples that cannot be read.
  func reading(_ regions: [PictureArea], _ orientation: Orientation, pool: WorkerPool) throws -> MeteringReading? {
    let images = try sceneImages(orientation, pool: pool)
    return MeteringReading(
      ambient: images.ambient, flash: images.flash,
      regions: regions.isEmpty ? [PictureArea(images.flash.size)] : regions)
  }
}
