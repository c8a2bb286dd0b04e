package import Frames
package import Rendering

/// Where the pixels of one picture lie in another of the same scene.
package struct Registration: Sendable {
  /// How far the pictures disagree about what they show, for each block: 0, they agree, to 1, something moved, or the
  /// other picture does not cover the block.
  package var mismatch: BlockMap

  /// How the camera moved.
  package var movement = Movement()

  /// Finds where the pixels of `flash` lie in `ambient`.
  package init(of flash: SceneImage, in ambient: SceneImage, pool: WorkerPool) {
    mismatch = BlockMap(covering: flash.size)
  }

  /// `image` (the ambient picture), resampled so that it shows what the flash picture shows at the same pixels.
  package func resampled(_ image: SceneImage, pool: WorkerPool) -> SceneImage { image }
}
