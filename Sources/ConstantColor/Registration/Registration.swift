package import Frames
package import Rendering

/// Where the pixels of one picture lie in another of the same scene.
package struct Registration: Sendable {
  /// How far the pictures disagree about what they show, for each block: 0, they agree, to 1, something moved, or the
  /// other picture does not cover the block.
  package var mismatch: BlockMap
  /// What the camera moved between the pictures.
  package var movement: Movement { map.camera.movement }
  /// Where the pixels of the flash picture lie in the ambient picture, as far as the camera moved.
  package var camera: AffineMap { map.camera }
  private let map: PixelMap
  /// Whether some things moved differently.
  package var isLocal: Bool { map.parallax != nil }

  /// Finds where the pixels of `flash` lie in `ambient`.
  /// - Parameters:
  ///   - flash: The picture with the flash.
  ///   - ambient: The picture without, of the same size.
  ///   - exposureRatio: Exposure of the ambient picture divided by that of the flash picture.
  ///   - isSearched: Movement is found; otherwise there is none, and what moved is found all the same.
  ///   - pool: The threads that share the work; the result does not depend on their number.
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

  /// `image` (the ambient picture), resampled so that it shows what the flash picture shows at the same pixels.
  package func resampled(_ image: SceneImage, pool: WorkerPool) -> SceneImage {
    map.isIdentity ? image : PictureResampler(image, map: map).resampled(pool: pool)
  }
}
