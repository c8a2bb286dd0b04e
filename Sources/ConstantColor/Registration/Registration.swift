package import Frames
package import Rendering

/// The mapping between two pictures of the same scene.
package struct Registration: Sendable {
  /// Disagreement of the pictures per block, from 0, they agree, to 1, something moved, or the block is outside the
  /// other picture.
  package var mismatch: BlockMap
  /// Camera movement between the pictures.
  package var movement: Movement { map.camera.movement }
  /// Maps pixels of the flash picture to the ambient picture, for camera movement alone.
  package var camera: AffineMap { map.camera }
  private let map: PixelMap
  /// Whether parts of the scene moved differently.
  package var isLocal: Bool { map.parallax != nil }

  /// Registers `flash` with `ambient`.
  /// - Parameters:
  ///   - flash: The picture with the flash.
  ///   - ambient: The picture without the flash, of the same size.
  ///   - exposureRatio: Exposure of the ambient picture divided by that of the flash picture.
  ///   - isSearched: Whether camera movement is searched for; motion in the scene is detected either way.
  ///   - pool: Worker threads; the result does not depend on their number.
  package init(
    of flash: SceneImage, in ambient: SceneImage, exposureRatio: Double, isSearched: Bool = true, pool: WorkerPool
  ) {
    precondition(flash.size == ambient.size)
    let pyramid = PicturePyramid(of: flash, in: ambient, pool: pool)
    if isSearched {
      let camera = CameraMovement(pyramid, of: flash.size, pool: pool).map
      map = LocalMovement(pyramid, camera: camera, of: flash.size, pool: pool).map
    } else {
      map = PixelMap()
    }
    let bound = ReducedLight(
      flash, weights: pyramid.ambientWeights * Float(exposureRatio), pool: pool)
    let detector = MismatchDetector(pyramid, bound: bound, map: map, of: flash.size, pool: pool)
    mismatch = BlockMap(mismatchFrom: detector.evidence(), scale: bound.scale, of: flash.size)
  }

  /// Resamples `image` (the ambient picture) to the pixels of the flash picture.
  package func resampled(_ image: SceneImage, pool: WorkerPool) -> SceneImage {
    map.isIdentity ? image : PictureResampler(image, map: map).resampled(pool: pool)
  }
}
