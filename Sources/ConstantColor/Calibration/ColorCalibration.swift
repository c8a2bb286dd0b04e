public import ColorScience
public import Frames

/// What a calibration knows about a camera and its flash.
public struct ColorCalibration: Sendable, Hashable {
  /// Name of the components it was made for: the camera, or the colour space.
  public var components: String
  /// From the picture of the flash alone to CIE XYZ of the surfaces in D65, where a perfect white has Y = 1 at the
  /// chart's place and `exposure`.
  public var toXYZ: Matrix3
  /// R, G and B of a neutral surface in the light of the flash, green 1.
  public var white: SIMD3<Double>
  /// Relative light of the flash over the frame, the centre 1; nil: even.
  public var falloff: FlatField?
  /// The exposure of the calibration's picture; nil if it is not known, or there was none.
  public var exposure: Exposure?

  /// All that is known.
  public init(components: String, toXYZ: Matrix3, white: SIMD3<Double>, falloff: FlatField? = nil) {
    self.components = components
    self.toXYZ = toXYZ
    self.white = white
    self.falloff = falloff
  }
}

/// The light of a flash over the frame, as a coarse grid of gains that is interpolated.
public struct FlatField: Sendable, Hashable, Codable {
  /// Columns of the grid, at least 2; the first and the last lie on the edges of the frame.
  public var columns: Int
  /// Rows of the grid, at least 2.
  public var rows: Int
  /// Relative light, row by row; the centre of the frame is 1.
  public var light: [Double]

  /// A grid of `columns` times `rows` values.
  public init(columns: Int, rows: Int, light: [Double]) {
    precondition(columns >= 2 && rows >= 2 && light.count == columns * rows)
    self.columns = columns
    self.rows = rows
    self.light = light
  }

  /// The relative light at a place of the frame, both coordinates from 0 to 1.
  public func light(x: Double, y: Double) -> Double { 1 }
}
