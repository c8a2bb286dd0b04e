package import SIMDShims

/// Rows of linear half-float R, G and B that stages change in place.
///
/// 1.0 is SDR white; brighter is above it, colours outside the gamut have components below zero. Each row has room
/// for a whole last vector, so that stages need no special case at its end.
@unsafe
public struct LinearBand {
  /// One row of the three components.
  @unsafe
  public struct Row {
    public let red: UnsafeMutablePointer<Float16>
    public let green: UnsafeMutablePointer<Float16>
    public let blue: UnsafeMutablePointer<Float16>

    package init(
      red: UnsafeMutablePointer<Float16>, green: UnsafeMutablePointer<Float16>, blue: UnsafeMutablePointer<Float16>
    ) {
      unsafe self.red = unsafe red
      unsafe self.green = unsafe green
      unsafe self.blue = unsafe blue
    }

    package var kernelRows: hr_light_rows { unsafe hr_light_rows(red: red, green: green, blue: blue) }
  }

  /// Pixels in a row.
  public let width: Int
  /// Rows in the band.
  public let height: Int
  /// Frame row of the band's first row.
  public let firstRow: Int
  /// Rows, as `row(_:)` counts them, that are in no other band; those around them are there for their neighbours.
  public let ownRows: Range<Int>
  private let planes: Row
  /// Elements from one row to the next.
  package let stride: Int

  package init(planes: Row, width: Int, height: Int, stride: Int, firstRow: Int, ownRows: Range<Int>? = nil) {
    unsafe self.planes = unsafe planes
    unsafe self.width = width
    unsafe self.height = height
    unsafe self.stride = stride
    unsafe self.firstRow = firstRow
    unsafe self.ownRows = ownRows ?? 0..<height
  }

  /// Rows of R, G and B that lie one plane after the other.
  /// - Parameters:
  ///   - planeHeight: Rows of each plane.
  ///   - offset: Row of a plane that is the band's first.
  ///   - ownRows: As the property; nil is all rows.
  package init(
    _ storage: RowStorage<Float16>, planeHeight: Int, offset: Int = 0, firstRow: Int, height: Int, width: Int,
    ownRows: Range<Int>? = nil
  ) {
    let planes = unsafe Row(
      red: storage.row(offset), green: storage.row(planeHeight + offset), blue: storage.row(2 * planeHeight + offset))
    unsafe self.init(
      planes: planes, width: width, height: height, stride: storage.stride, firstRow: firstRow, ownRows: ownRows)
  }

  /// Row `index` of the band, 0 for its first.
  public func row(_ index: Int) -> Row {
    let offset = unsafe index * stride
    return unsafe Row(red: planes.red + offset, green: planes.green + offset, blue: planes.blue + offset)
  }
}
