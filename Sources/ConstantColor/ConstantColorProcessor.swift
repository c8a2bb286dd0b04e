public import Frames
public import Rendering

/// Makes the picture that the flash alone would have made in the dark, from one with the flash and one without.
public struct ConstantColorProcessor: Sendable {
  /// How it is made.
  public let settings: ConstantColorSettings
  private let pool: WorkerPool

  /// - Parameters:
  ///   - settings: How it is made.
  ///   - pool: The threads that work on it; the result does not depend on their number.
  public init(_ settings: ConstantColorSettings = ConstantColorSettings(), pool: WorkerPool) {
    self.settings = settings
    self.pool = pool
  }

  /// Whether constant colour can be made of two pictures: they have one size and the same components.
  public static func isConstantColorSupported(ambient: SceneImage, flash: SceneImage) -> Bool {
    ambient.size == flash.size && ambient.description.components == flash.description.components
  }

  /// Makes the picture.
  /// - Parameters:
  ///   - ambient: The picture without the flash.
  ///   - flash: The picture with it.
  /// - Throws: `ConstantColorError`
  public func process(
    ambient: SceneImage, flash: SceneImage
  ) throws(ConstantColorError) -> ConstantColorResult {
    throw .swapped
  }
}
