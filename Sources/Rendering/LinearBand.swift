public import Frames
package import SIMDShims

/// Rows of linear half-float R, G and B that stages change in place.
///
/// 1.0 is SDR white; highlights are above it, and out-of-gamut colours have negative components. Each row is padded to
/// a whole vector, so that stages need no special case at its end.
@unsafe
public struct LinearBand {
  /// One row of the three components.
  @unsafe
  public struct Row {
    /// R of the leftmost pixel; the others follow without gaps.
    public let red: UnsafeMutablePointer<Float16>
    /// G of the leftmost pixel.
    public let green: UnsafeMutablePointer<Float16>
    /// B of the leftmost pixel.
    public let blue: UnsafeMutablePointer<Float16>

    package init(
      red: UnsafeMutablePointer<Float16>, green: UnsafeMutablePointer<Float16>, blue: UnsafeMutablePointer<Float16>
    ) {
      unsafe self.red = unsafe red
      unsafe self.green = unsafe green
      unsafe self.blue = unsafe blue
    }

    var components: [UnsafeMutablePointer<Float16>] { unsafe [red, green, blue] }

    package var kernelRows: hr_light_rows { unsafe hr_light_rows(red: red, green: green, blue: blue) }
  }

  /// Pixels in a row.
  public let width: Int
  /// Rows in the band.
  public let height: Int
  /// Picture row, of a frame or a field, of the band's first row.
  public let firstRow: Int
  /// Distance between rows of the band in picture rows: above 1 if only every nth row is counted.
  public let rowStep: Int
  /// The field that the picture is; nil for frames.
  public let field: Field?
  /// Rows, as indexed by `row(_:)`, that are in no other band; the surrounding rows are for filtering.
  public let ownRows: Range<Int>
  private let planes: Row
  /// Elements from one row to the next.
  package let stride: Int

  package init(
    planes: Row, width: Int, height: Int, stride: Int, firstRow: Int, ownRows: Range<Int>? = nil, rowStep: Int = 1,
    field: Field? = nil
  ) {
    unsafe self.planes = unsafe planes
    unsafe self.width = width
    unsafe self.height = height
    unsafe self.stride = stride
    unsafe self.firstRow = firstRow
    unsafe self.rowStep = rowStep
    unsafe self.field = field
    unsafe self.ownRows = ownRows ?? 0..<height
  }

  /// Rows of R, G and B planes stored one after the other.
  /// - Parameters:
  ///   - planeHeight: Rows of each plane.
  ///   - offset: Plane row of the band's first row.
  ///   - ownRows: See the property; nil: all rows.
  package init(
    _ storage: RowStorage<Float16>, planeHeight: Int, offset: Int = 0, firstRow: Int, height: Int, width: Int,
    ownRows: Range<Int>? = nil, rowStep: Int = 1, field: Field? = nil
  ) {
    let planes = unsafe Row(
      red: storage.row(offset), green: storage.row(planeHeight + offset), blue: storage.row(2 * planeHeight + offset))
    unsafe self.init(
      planes: planes, width: width, height: height, stride: storage.stride, firstRow: firstRow, ownRows: ownRows,
      rowStep: rowStep, field: field)
  }

  /// Returns row `index` of the band, from 0.
  public func row(_ index: Int) -> Row {
    let offset = unsafe index * stride
    return unsafe Row(red: planes.red + offset, green: planes.green + offset, blue: planes.blue + offset)
  }

  /// Returns the frame row of row `index` of the band.
  public func frameRow(_ index: Int) -> Int {
    let row = unsafe firstRow + index * rowStep
    return unsafe field.map { 2 * row + $0.rawValue } ?? row
  }

  /// Returns the part of this band for `rows` of the picture, with the same own rows.
  func part(_ rows: Range<Int>) -> LinearBand {
    let first = unsafe rows.lowerBound - firstRow
    if unsafe rowStep > 1 || rows.count == height { return unsafe self }
    let own = unsafe max(ownRows.lowerBound - first, 0)..<min(ownRows.upperBound - first, rows.count)
    return unsafe LinearBand(
      planes: row(first), width: width, height: rows.count, stride: stride, firstRow: rows.lowerBound, ownRows: own,
      field: field)
  }

  /// Copies the light of a band of the same size.
  func update(from other: LinearBand) {
    for index in unsafe 0..<height {
      let (source, target) = unsafe (other.row(index), row(index))
      unsafe target.red.update(from: source.red, count: width)
      unsafe target.green.update(from: source.green, count: width)
      unsafe target.blue.update(from: source.blue, count: width)
    }
  }
}
