public import Frames
internal import Glibc

extension FlatField {
  /// Measures the light on a uniform surface that fills a picture, such as a grey card: smoothed, without the surface's
  /// texture.
  ///
  /// Its logarithm is fitted by a sixth-degree polynomial, robust to small spots.
  /// - Parameter picture: Linear light of the flash alone.
  /// - Throws: `CalibrationError` if the picture is clipped, too dark, or not of a uniform surface.
  public init(of picture: SceneImage) throws(CalibrationError) {
    let blocks = try LightBlocks(of: picture)
    let surface = try LightSurface(blocks)
    guard surface.deviation <= Self.tolerableDeviation else {
      throw .evenPictureTextured(deviation: surface.deviation)
    }
    self.init(columns: 17, rows: 13) { x, y in exp(surface.logarithm(x: x, y: y)) }
    guard light.allSatisfy({ Self.possibleLight.contains($0) }) else { throw .evenPictureRange }
  }

  /// Root mean square deviation of the blocks from the polynomial.
  private static let tolerableDeviation = 0.03
}
